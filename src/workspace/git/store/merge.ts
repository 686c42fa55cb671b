// A three-way merge of trees: by file first, then by line if both sides changed the same text file.
import * as fs from "node:fs";
import { type TreeId, treeId } from "../../../core/ids.ts";
import type { Merged, MergeOrder } from "../../workspace.ts";
import { line } from "../git.ts";
import { type Ground, inStore, temporary, withTemporaryIndex } from "../ground.ts";
import { newObject, writeObjects } from "./object-files.ts";
import { entries, readBlob, type TreeEntry } from "./stored-trees.ts";

type Files = ReadonlyMap<string, TreeEntry>;
/** The result at a path; null: removed. */
type Place = { readonly path: string; readonly to: Pick<TreeEntry, "mode" | "id"> | null };

export async function merge(ground: Ground, { base, ours, theirs, except }: MergeOrder): Promise<Merged> {
  const [was, mine, other] = [
    await filesOf(ground, base),
    await filesOf(ground, ours),
    await filesOf(ground, theirs),
  ] as const;
  const places: Place[] = [];
  const conflicts: string[] = [];
  for (const path of changedPaths(was, other)) {
    if (except.has(path)) continue;
    const [b, o, t] = [was.get(path), mine.get(path), other.get(path)];
    if (isSame(o, t)) continue;
    if (isSame(o, b)) places.push({ path, to: t ?? null });
    else {
      const merged = await mergedFile(ground, b, o, t);
      if (merged === null) conflicts.push(path);
      else places.push({ path, to: merged });
    }
  }
  if (conflicts.length === 0) conflicts.push(...inTheWay(mine, places));
  if (conflicts.length > 0) return { is: "conflict", paths: conflicts.sort() };
  return { is: "merged", tree: await layPlaces(ground, ours, places) };
}

async function filesOf(ground: Ground, tree: TreeId): Promise<Files> {
  return new Map((await entries(ground, tree)).map((entry) => [entry.path, entry]));
}

const changedPaths = (from: Files, to: Files): string[] =>
  [...new Set([...from.keys(), ...to.keys()])].filter((path) => !isSame(from.get(path), to.get(path)));

const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

/** A file where the other side now has a folder, or vice versa. */
function inTheWay(mine: Files, places: readonly Place[]): string[] {
  const gone = new Set(places.filter(({ to }) => to === null).map(({ path }) => path));
  const there = [...mine.keys()].filter((path) => !gone.has(path));
  const folders = new Set(there.flatMap((path) => foldersOf(path)));
  const files = new Set(there);
  return places
    .filter(({ path, to }) => to !== null && (folders.has(path) || foldersOf(path).some((folder) => files.has(folder))))
    .map(({ path }) => path);
}

const foldersOf = (path: string): string[] =>
  path.split("/").flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join("/")]));

const isText = (entry: TreeEntry | undefined): entry is TreeEntry =>
  entry?.mode === "100644" || entry?.mode === "100755";

/** Null: a conflict. Merges only if all three are text files; a file that one side removed cannot be merged by line. */
async function mergedFile(
  ground: Ground,
  base: TreeEntry | undefined,
  ours: TreeEntry | undefined,
  theirs: TreeEntry | undefined,
): Promise<Place["to"]> {
  if (!isText(base) || !isText(ours) || !isText(theirs)) return null;
  // Only one side may change the mode; we cannot decide between two modes.
  if (base.mode !== ours.mode || base.mode !== theirs.mode) return null;
  const merged = await mergedLines(ground, [ours.id, base.id, theirs.id]);
  if (merged === null) return null;
  const blob = newObject(ground, "blob", merged);
  await writeObjects(ground, [blob]);
  return { mode: ours.mode, id: blob.id };
}

async function mergedLines(ground: Ground, blobs: readonly string[]): Promise<Buffer | null> {
  const files = blobs.map(() => temporary(ground, "merge"));
  try {
    for (const [at, id] of blobs.entries()) fs.writeFileSync(files[at] ?? "", await readBlob(ground, id));
    const { code, stdout } = await ground.git(["merge-file", "-p", "-q", ...files], { ...inStore(ground), codes });
    return code === 0 ? stdout : null;
  } finally {
    for (const path of files) fs.rmSync(path, { force: true });
  }
}

/** The exit code is the number of conflicts; 255 means a binary file. */
const codes = Array.from({ length: 255 }, (_, at) => at + 1);

async function layPlaces(ground: Ground, tree: TreeId, places: readonly Place[]): Promise<TreeId> {
  return withTemporaryIndex(ground, null, async (index) => {
    const where = { ...inStore(ground), index };
    await ground.git(["read-tree", tree], where);
    const none = "0".repeat(tree.length);
    // Removals first: a file may replace a folder.
    const input = [...places.filter(({ to }) => to === null), ...places.filter(({ to }) => to !== null)]
      .map(({ path, to }) => `${to?.mode ?? "0"} ${to?.id ?? none}\t${path}\0`)
      .join("");
    if (input !== "") await ground.git(["update-index", "-z", "--index-info"], { ...where, input });
    return treeId(line(await ground.git(["write-tree", "--missing-ok"], where)));
  });
}
