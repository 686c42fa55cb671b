// What an index of ours holds, and its tree. An index that was seen before, by its checksum, is not asked about again.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { type TreeId, treeId } from "../../core/ids.ts";
import { readBytesIfExists } from "../../host/disk.ts";
import { fields, type GitOptions, line } from "./git.ts";
import type { Ground } from "./ground.ts";
import { checksumOf, parseIndex, type StageEntry } from "./index-file.ts";
import { idBytes } from "./object-files.ts";

export type IndexContent = { entries: readonly StageEntry[]; tree: TreeId | null };

/** `where` names the index, and how git would have to be asked about it. */
export async function indexEntries(ground: Ground, where: GitOptions & { index: string }) {
  return (await content(ground, where)).entries;
}

/** The tree of an index, written to the store. */
export async function indexTree(ground: Ground, where: GitOptions & { index: string }): Promise<TreeId> {
  const { entries, tree: known } = await content(ground, where);
  if (known !== null) return known;
  const tree = treeId(line(await ground.git(["write-tree", "--missing-ok"], where)));
  remember(ground, where.index, { entries, tree });
  return tree;
}

async function content(ground: Ground, where: GitOptions & { index: string }): Promise<IndexContent> {
  const bytes = readBytesIfExists(where.index);
  if (bytes === null) return { entries: [], tree: null };
  const checksum = checksumOf(bytes, idBytes(ground));
  const known = checksum === null ? undefined : ground.memory.indexes.get(checksum);
  if (known !== undefined) return known;
  const listed = async () => fields(await ground.git(["ls-files", "--stage", "-z"], where), "latin1").map(stageEntry);
  const entries = (checksum === null ? null : parseIndex(bytes, idBytes(ground))) ?? (await listed());
  const found = { entries, tree: null };
  if (checksum !== null) ground.memory.indexes.set(checksum, found);
  return found;
}

// Git has written the index again, with the trees in it, so it has another checksum now.
function remember(ground: Ground, index: string, found: IndexContent): void {
  const checksum = checksumOf(readBytesIfExists(index) ?? Buffer.alloc(0), idBytes(ground));
  if (checksum !== null) ground.memory.indexes.set(checksum, found);
}

/** One line of `ls-files --stage`. */
function stageEntry(text: string): StageEntry {
  const tab = text.indexOf("\t");
  const [mode = "", id = ""] = text.slice(0, tab).split(" ");
  return { mode, id, path: text.slice(tab + 1) };
}

/**
 * Removes an index that a power cut left in pieces, so that it is made anew. Indexes are not synced: they only save the
 * reading of files. Looked at once, because afterwards nobody but our own git writes it.
 */
export function dropBroken(ground: Ground, index: string): void {
  if (ground.memory.whole.has(index)) return;
  const bytes = readBytesIfExists(index);
  if (bytes !== null && !isWhole(bytes, idBytes(ground))) fs.rmSync(index, { force: true });
  ground.memory.whole.add(index);
}

function isWhole(index: Buffer, length: number): boolean {
  if (index.length < 12 + length || index.latin1Slice(0, 4) !== "DIRC") return false;
  const checksum = checksumOf(index, length);
  const hash = createHash(length === 20 ? "sha1" : "sha256").update(index.subarray(0, index.length - length));
  return checksum === null || hash.digest("hex") === checksum;
}
