// The content of one of our indexes, and its tree. Cached by the index's checksum.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { type TreeId, treeId } from "../../../core/ids.ts";
import { readBytesIfExists } from "../../../host/disk.ts";
import { foldersOf } from "../files/folders-of.ts";
import { fields, type GitOptions, line } from "../git.ts";
import type { Ground } from "../ground.ts";
import { idBytes } from "../store/object-files.ts";
import { checksumOf, parseIndex, type StageEntry } from "./index-file.ts";

export type IndexContent = { entries: readonly StageEntry[]; places: Places; tree: TreeId | null };
/** Where the files of an index are; most changes affect only content, and leave this as it is. */
export type Places = { paths: readonly string[]; folders: readonly string[] };
type OfIndex = GitOptions & { index: string };

/** `where` names the index, and how to ask git about it. */
export async function indexEntries(ground: Ground, where: OfIndex): Promise<readonly StageEntry[]> {
  return (await indexContent(ground, where)).entries;
}

/** The tree of an index, written to the store. */
export async function indexTree(ground: Ground, where: OfIndex): Promise<TreeId> {
  const found = await indexContent(ground, where);
  if (found.tree !== null) return found.tree;
  found.tree = treeId(line(await ground.git(["write-tree", "--missing-ok"], where)));
  // Git has rewritten the index, with the trees in it.
  const checksum = checksumOf(readBytesIfExists(where.index) ?? Buffer.alloc(0), idBytes(ground));
  if (checksum !== null) ground.memory.indexes.set(checksum, found);
  return found.tree;
}

export async function indexContent(ground: Ground, where: OfIndex): Promise<IndexContent> {
  const { indexes } = ground.memory;
  const bytes = readBytesIfExists(where.index);
  if (bytes === null) return { entries: [], places: { paths: [], folders: [] }, tree: null };
  const checksum = checksumOf(bytes, idBytes(ground));
  const known = checksum === null ? undefined : indexes.get(checksum);
  if (known !== undefined) return known;
  const listed = async () => fields(await ground.git(["ls-files", "--stage", "-z"], where), "latin1").map(stageEntry);
  const entries = (checksum === null ? null : parseIndex(bytes, idBytes(ground))) ?? (await listed());
  // An index is also rewritten when only file times change.
  const found = indexes.find((other) => isSame(other.entries, entries)) ?? {
    entries,
    places: indexes.find((other) => hasSamePlaces(other.entries, entries))?.places ?? placesOf(entries),
    tree: null,
  };
  if (checksum !== null) indexes.set(checksum, found);
  return found;
}

const hasSamePlaces = (one: readonly StageEntry[], other: readonly StageEntry[]): boolean =>
  one.length === other.length &&
  one.every(({ path, mode }, at) => other[at]?.path === path && isLink({ mode }) === isLink(other[at]));
const isSame = (one: readonly StageEntry[], other: readonly StageEntry[]): boolean =>
  one.length === other.length &&
  one.every(({ mode, id, path }, at) => other[at]?.id === id && other[at].path === path && other[at].mode === mode);

/** A nested repository, of which git sees only the commit. */
export const isLink = ({ mode }: Pick<StageEntry, "mode">): boolean => mode === "160000";

function placesOf(entries: readonly StageEntry[]): Places {
  const paths = entries.filter((entry) => !isLink(entry)).map(({ path }) => utf8(path));
  return { paths, folders: [...foldersOf(paths)] };
}

const utf8 = (latin1: string): string =>
  /^[\0-\x7f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, "latin1").toString("utf8");

/** One line of `ls-files --stage`. */
function stageEntry(text: string): StageEntry {
  const tab = text.indexOf("\t");
  const [mode = "", id = ""] = text.slice(0, tab).split(" ");
  return { mode, id, path: text.slice(tab + 1) };
}

/**
 * Removes an index that a power cut left incomplete, so that it is rebuilt. Indexes are not synced: they only save
 * reading files. Checked once, because afterwards only our own git writes it.
 */
export function dropBroken(ground: Ground, index: string): void {
  if (ground.memory.whole.has(index)) return;
  const bytes = readBytesIfExists(index);
  if (bytes !== null && !isWhole(bytes, idBytes(ground))) fs.rmSync(index, { force: true });
  ground.memory.whole.add(index);
}

function isWhole(index: Buffer, length: number): boolean {
  if (index.length < 12 + length || index.toString("latin1", 0, 4) !== "DIRC") return false;
  const checksum = checksumOf(index, length);
  const hash = createHash(length === 20 ? "sha1" : "sha256").update(index.subarray(0, index.length - length));
  return checksum === null || hash.digest("hex") === checksum;
}
