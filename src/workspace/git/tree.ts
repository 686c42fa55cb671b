// The folder as a commit would hold it: with git's own conversions, with links for known repositories inside it.
import * as fs from "node:fs";
import { isAbsolute, join } from "node:path";
import { Bug } from "../../core/errors.ts";
import { type TreeId, treeId } from "../../core/ids.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import type { LaidFile } from "../workspace.ts";
import { hasConversions, inFolder } from "./conversions.ts";
import { settleFiltered } from "./filtered.ts";
import { fields, line } from "./git.ts";
import {
  converting,
  copyTheirIndex,
  type Ground,
  inStore,
  onFolder,
  unlockIndex,
  withTemporaryIndex,
} from "./ground.ts";
import { type NestedFolder, type Snapshot, snapshot, stageEntry, topArea } from "./snapshot.ts";

/** A snapshot, and beside it the tree and the index that a commit of the same folder would have. */
export type CommitForm = Snapshot & { commitTree: TreeId; commitIndex: string };

export async function commitForm(ground: Ground): Promise<CommitForm> {
  const taken = await snapshot(ground);
  const converts = await hasConversions(ground, taken.paths, inFolder(ground.root));
  const index = converts ? await convertedIndex(ground) : ground.vault.index;
  const plain = converts ? await writeTree(ground, index) : taken.tree;
  const nested = taken.nested.filter(({ tree }) => tree !== null);
  const commitTree = nested.length === 0 ? plain : await withNested(ground, index, nested);
  return { ...taken, commitTree, commitIndex: index };
}

/** The same tree with some files replaced, added or removed in it. */
export async function layOver(ground: Ground, tree: TreeId, lay: readonly LaidFile[]): Promise<TreeId> {
  if (lay.length === 0) return tree;
  for (const { path } of lay) refuseOutside(path);
  return withTemporaryIndex(ground, null, async (index) => {
    const where = { ...inStore(ground), index };
    await ground.git(["read-tree", tree], where);
    const modes = new Map(
      fields(await ground.git(["ls-files", "--stage", "-z"], where))
        .map(stageEntry)
        .map((entry) => [entry.path, entry.mode]),
    );
    const lines: string[] = [];
    for (const { path, content } of lay) lines.push(await laidEntry(ground, path, content, modes.get(path)));
    await ground.git(["update-index", "-z", "--index-info"], { ...where, input: lines.join("") });
    return writeTree(ground, index);
  });
}

async function laidEntry(
  ground: Ground,
  path: string,
  content: string | Buffer | null,
  mode: string | undefined,
): Promise<string> {
  if (content === null) return `0 ${"0".repeat(40)}\t${path}\0`;
  const id = line(
    await ground.git(["hash-object", "-w", "--stdin", "--no-filters"], { ...inStore(ground), input: content }),
  );
  return `${mode === "100755" ? mode : "100644"} ${id}\t${path}\0`;
}

export function refuseOutside(path: string): void {
  const parts = path.split("/");
  const bad = parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git");
  if (bad || isAbsolute(path) || path.includes("\0"))
    throw new Bug(`not a path inside the workspace: ${JSON.stringify(path)}`);
}

export const writeTree = async (ground: Ground, index: string): Promise<TreeId> =>
  treeId(line(await ground.git(["write-tree", "--missing-ok"], { ...inStore(ground), index })));

async function convertedIndex(ground: Ground): Promise<string> {
  const index = ground.vault.commitIndex;
  const where = converting(ground, ground.root, index);
  unlockIndex(index);
  if (!fs.existsSync(index)) await seedConverted(ground, index);
  await ground.git(["add", "--all", "--ignore-errors", "--", "."], { ...where, codes: [1] });
  const links = fields(await ground.git(["ls-files", "--stage", "-z"], where), "latin1")
    .map(stageEntry)
    .filter(({ mode }) => mode === "160000");
  const input = Buffer.from(links.map(({ path }) => `${path}\0`).join(""), "latin1");
  if (links.length > 0) await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input });
  await settleFiltered(ground);
  return index;
}

// Here the person's index is right as it is: its blobs are converted, and an untouched file keeps its blob.
async function seedConverted(ground: Ground, index: string): Promise<void> {
  const beside = `${index}.seed`;
  if (!copyTheirIndex(ground, topArea(ground).repo, beside)) return;
  const where = converting(ground, ground.root, beside);
  const links = fields(await ground.git(["ls-files", "--stage", "-z"], where), "latin1")
    .map(stageEntry)
    .filter(({ mode }) => mode === "160000");
  const input = Buffer.from(links.map(({ path }) => `${path}\0`).join(""), "latin1");
  await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input });
  fs.renameSync(beside, index);
}

async function withNested(ground: Ground, from: string, nested: readonly NestedFolder[]): Promise<TreeId> {
  const links = knownLinks(ground);
  return withTemporaryIndex(ground, from, async (index) => {
    await putNested(ground, index, nested, links);
    return writeTree(ground, index);
  });
}

/** Gives an index what a commit would have for the repositories inside the folder. */
export async function putNested(
  ground: Ground,
  index: string,
  nested: readonly NestedFolder[],
  links: ReadonlySet<string> | null,
): Promise<void> {
  const where = { ...inStore(ground), index };
  const linked: string[] = [];
  for (const { path, tree, commit } of nested) {
    if (tree === null || linked.some((outer) => path.startsWith(`${outer}/`))) continue;
    if (commit !== null && (links === null || links.has(path))) {
      linked.push(path);
      await ground.git(["update-index", "-z", "--index-info"], { ...where, input: `160000 ${commit}\t${path}\0` });
    } else await ground.git(["read-tree", `--prefix=${path}/`, tree], where);
  }
}

const linksFile = (ground: Ground): string => join(ground.vault.dir, "links.json");

/** Paths where a commit holds a link: repositories that were there before an agent was. Null: no agent was here yet. */
export function knownLinks(ground: Ground): ReadonlySet<string> | null {
  const text = readIfExists(linksFile(ground));
  return text === null ? null : new Set(JSON.parse(text) as string[]);
}

/** Notes at a checkpoint which repositories count as links: the first one's, and whatever the person's index links. */
export async function noteLinks(ground: Ground, nested: readonly NestedFolder[]): Promise<void> {
  const known = knownLinks(ground);
  const inside = nested.filter(({ tree, commit }) => tree !== null && commit !== null).map(({ path }) => path);
  if (known !== null && inside.every((path) => known.has(path))) return;
  const links = known === null ? inside : [...known, ...(await linkedInIndex(ground))];
  writeAtomic(linksFile(ground), JSON.stringify([...new Set(links)].sort()));
}

async function linkedInIndex(ground: Ground): Promise<string[]> {
  return withTemporaryIndex(ground, null, async (index) => {
    if (!copyTheirIndex(ground, topArea(ground).repo, index)) return [];
    const entries = await ground.git(["ls-files", "--stage", "-z"], onFolder(ground, ground.root, index));
    return fields(entries)
      .map(stageEntry)
      .filter(({ mode }) => mode === "160000")
      .map(({ path }) => path);
  });
}
