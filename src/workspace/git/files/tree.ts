// The folder as a commit would contain it: with git's conversions, and links for known nested repositories.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../../core/ids.ts";
import { linksFile as linksKept, restoreOrRemove } from "../../../formats/kept/vault-files.ts";
import { readIfExists, writeAtomic } from "../../../host/disk.ts";
import { GitFailed } from "../git.ts";
import {
  converting,
  copyTheirIndex,
  type Ground,
  inStore,
  onFolder,
  unlockIndex,
  withTemporaryIndex,
} from "../ground.ts";
import { dropBroken, indexEntries, indexTree, isLink } from "../index/index-content.ts";
import { hasConversions, inFolder } from "./conversions.ts";
import { settleFiltered } from "./filtered.ts";
import { type NestedFolder, type Snapshot, snapshot, topArea } from "./snapshot.ts";

/** A snapshot, plus the tree and the index that a commit of the same folder would have. */
export type CommitForm = Snapshot & { commitTree: TreeId; commitIndex: string };

/** `known`: a snapshot taken just now. */
export async function commitForm(ground: Ground, known: Snapshot | null = null): Promise<CommitForm> {
  const taken = known ?? (await snapshot(ground));
  const isWanted = await hasConversions(ground, taken.paths, inFolder(ground.root));
  const converted = isWanted ? await convertedIndex(ground) : null;
  const index = converted ?? ground.vault.index;
  const plain = converted === null ? taken.tree : await indexTree(ground, { ...inStore(ground), index });
  const commitTree = taken.nested.length === 0 ? plain : await withNested(ground, index, taken.nested);
  ground.memory.commitIndex = index;
  return { ...taken, commitTree, commitIndex: index };
}

/** Null: attributes require a conversion that git cannot do, such as a wrong encoding; bytes stay unchanged. */
async function convertedIndex(ground: Ground): Promise<string | null> {
  const index = ground.vault.commitIndex;
  const where = converting(ground, ground.root, index);
  unlockIndex(index);
  dropBroken(ground, index);
  if (!fs.existsSync(index)) await seedConverted(ground, index);
  const { code, stderr } = await ground.git(["add", "--all", "--ignore-errors", "--", "."], {
    ...where,
    codes: [1, 128],
  });
  if (code === 128) {
    if (!/BOM|encod/i.test(stderr)) throw new GitFailed(["add", "--all"], code, stderr);
    fs.rmSync(index, { force: true });
    return null;
  }
  const links = (await indexEntries(ground, where)).filter(isLink);
  const input = Buffer.from(links.map(({ path }) => `${path}\0`).join(""), "latin1");
  if (links.length > 0) await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input });
  await settleFiltered(ground);
  return index;
}

// Here the person's index is correct: its blobs are converted, and an untouched file keeps its blob.
async function seedConverted(ground: Ground, index: string): Promise<void> {
  const beside = `${index}.seed`;
  if (!copyTheirIndex(ground, topArea(ground).repo, beside)) return;
  const where = converting(ground, ground.root, beside);
  const links = (await indexEntries(ground, where)).filter(isLink);
  const input = Buffer.from(links.map(({ path }) => `${path}\0`).join(""), "latin1");
  await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input });
  fs.renameSync(beside, index);
}

async function withNested(ground: Ground, from: string, nested: readonly NestedFolder[]): Promise<TreeId> {
  const links = knownLinks(ground);
  return withTemporaryIndex(ground, from, async (index) => {
    await putNested(ground, index, nested, links);
    return indexTree(ground, { ...inStore(ground), index });
  });
}

/** Adds to an index what a commit would have for nested repositories. */
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

/** Paths where a commit has a link: repositories older than the first agent run. Null: no agent ran yet. */
export function knownLinks(ground: Ground): ReadonlySet<string> | null {
  const text = readIfExists(linksFile(ground));
  if (text === null) return null;
  return new Set(linksKept.mustParse<readonly string[]>(text, linksFile(ground), restoreOrRemove));
}

/** Records at a checkpoint which repositories count as links: the first checkpoint's, and any in the person's index. */
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
    return (await indexEntries(ground, onFolder(ground, ground.root, index)))
      .filter(isLink)
      .map(({ path }) => Buffer.from(path, "latin1").toString("utf8"));
  });
}
