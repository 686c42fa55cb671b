// A tree with some of its files replaced, added or removed. Only their parent folders are rewritten.
import { isAbsolute } from "node:path";
import { Bug } from "../../../core/errors.ts";
import { type TreeId, treeId } from "../../../core/ids.ts";
import type { LaidFile, TakenFile } from "../../workspace.ts";
import type { Ground } from "../ground.ts";
import { type NewObject, newObject, writeObjects } from "./object-files.ts";
import { isTree, type RawEntry, treeBytes, treeMode } from "./raw-tree.ts";
import { entryAt, rawTree } from "./stored-trees.ts";

/** An overlaid file replaces a folder, and a folder that it needs replaces a file. */
export const layOver = (ground: Ground, tree: TreeId, lay: readonly LaidFile[]): Promise<TreeId> =>
  compose(ground, tree, lay);

/** The same, also with files from other trees. */
export async function compose(ground: Ground, tree: TreeId, lay: readonly (LaidFile | TakenFile)[]): Promise<TreeId> {
  if (lay.length === 0) return tree;
  for (const { path } of lay) refuseOutside(path);
  const laid: Laid[] = [];
  for (const file of lay) laid.push({ names: namesOf(file.path), content: await contentOf(ground, file) });
  const made: NewObject[] = [];
  const entries = await changed(ground, await rawTree(ground, tree), laid, made);
  const root = newObject(ground, "tree", treeBytes(entries));
  await writeObjects(ground, [...made, root]);
  return treeId(root.id);
}

async function contentOf(ground: Ground, file: LaidFile | TakenFile): Promise<Laid["content"]> {
  if ("content" in file) return file.content;
  const entry = await entryAt(ground, file.from, file.path);
  return entry === null || isTree(entry) ? null : entry;
}

type Laid = { names: readonly string[]; content: LaidFile["content"] | RawEntry };

const namesOf = (path: string): string[] => path.split("/").map((name) => Buffer.from(name).toString("latin1"));

async function changed(
  ground: Ground,
  before: readonly RawEntry[],
  laid: readonly Laid[],
  made: NewObject[],
): Promise<RawEntry[]> {
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  for (const name of new Set(laid.map(({ names }) => names[0] ?? ""))) {
    const here = laid.filter(({ names }) => names[0] === name);
    for (const { names, content } of here) if (names.length === 1) layFile(ground, entries, name, content, made);
    const below = here.filter(({ names }) => names.length > 1).map((file) => ({ ...file, names: file.names.slice(1) }));
    if (below.length > 0) await layFolder(ground, entries, name, below, made);
  }
  return [...entries.values()];
}

function layFile(
  ground: Ground,
  entries: Map<string, RawEntry>,
  name: string,
  content: Laid["content"],
  made: NewObject[],
): void {
  const old = entries.get(name);
  if (content === null) {
    if (old !== undefined && !isTree(old)) entries.delete(name);
    return;
  }
  if (isEntry(content)) {
    entries.set(name, { mode: content.mode, name, id: content.id });
    return;
  }
  const blob = newObject(ground, "blob", Buffer.from(content));
  made.push(blob);
  entries.set(name, { mode: old?.mode === "100755" ? old.mode : "100644", name, id: blob.id });
}

const isEntry = (content: string | Buffer | RawEntry): content is RawEntry =>
  typeof content !== "string" && !Buffer.isBuffer(content);

async function layFolder(
  ground: Ground,
  entries: Map<string, RawEntry>,
  name: string,
  below: readonly Laid[],
  made: NewObject[],
): Promise<void> {
  const old = entries.get(name);
  const isFolder = old !== undefined && isTree(old);
  const inside = await changed(ground, isFolder ? await rawTree(ground, old.id) : [], below, made);
  if (inside.length === 0) {
    if (isFolder) entries.delete(name); // Git has no empty folders.
    return;
  }
  const tree = newObject(ground, "tree", treeBytes(inside));
  made.push(tree);
  entries.set(name, { mode: treeMode, name, id: tree.id });
}

export function refuseOutside(path: string): void {
  const parts = path.split("/");
  const bad = parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
  if (bad || isAbsolute(path) || path.includes("\0"))
    throw new Bug(`not a path inside the workspace: ${JSON.stringify(path)}`);
}
