// Content of the store's trees. A folder's tree is read once; most folders are the same in many trees.
import { Bug } from "../../../core/errors.ts";
import { type CommitId, type TreeId, treeId } from "../../../core/ids.ts";
import { line } from "../git.ts";
import { type Ground, inStore } from "../ground.ts";
import { idBytes, readLoose, type StoredObject } from "./object-files.ts";
import { isTree, parseTree, type RawEntry, typeOf } from "./raw-tree.ts";

export type TreeEntry = {
  mode: string;
  type: string;
  id: string;
  path: string;
  /** The path's bytes in latin1, where they are not UTF-8: git knows the file by nothing else. */
  latin1?: string;
};

const blobMax = 64 * 1024;

/** The entries of one folder. */
export async function rawTree(ground: Ground, id: string): Promise<readonly RawEntry[]> {
  return (await rawTrees(ground, [id])).get(id) ?? [];
}

async function rawTrees(ground: Ground, ids: readonly string[]): Promise<Map<string, readonly RawEntry[]>> {
  const { trees } = ground.memory;
  const known = new Map(ids.flatMap((id) => [[id, trees.get(id)] as const]));
  const unknown = [...known].flatMap(([id, entries]) => (entries === undefined ? [id] : []));
  for (const [id, { type, bytes }] of await readObjects(ground, unknown)) {
    if (type !== "tree") throw new Bug(`${id} is no tree but a ${type}`);
    const entries = parseTree(bytes, idBytes(ground));
    trees.set(id, entries, entries.length + 1);
    known.set(id, entries);
  }
  return new Map([...known].map(([id, entries]) => [id, entries ?? []]));
}

/** All files of a tree, in git's order. */
export async function entries(ground: Ground, tree: TreeId): Promise<TreeEntry[]> {
  const known = new Map<string, readonly RawEntry[]>();
  // Level by level: one process serves all packed folders of a level.
  for (let level = [tree as string]; level.length > 0; ) {
    const read = await rawTrees(ground, level);
    for (const [id, inside] of read) known.set(id, inside);
    const below = [...read.values()].flatMap((inside) => inside.filter(isTree).map(({ id }) => id));
    level = [...new Set(below)].filter((id) => !known.has(id));
  }
  ground.memory.trees.makeRoomFor([...known.values()].reduce((sum, inside) => sum + inside.length + 1, 0));
  const found: TreeEntry[] = [];
  const walk = (id: string, prefix: string) => {
    for (const entry of known.get(id) ?? []) {
      const latin1 = prefix + entry.name;
      if (isTree(entry)) walk(entry.id, `${latin1}/`);
      else {
        const path = utf8(latin1);
        const odd = path.includes("\ufffd") ? { latin1 } : {};
        found.push({ mode: entry.mode, type: typeOf(entry), id: entry.id, path, ...odd });
      }
    }
  };
  walk(tree, "");
  return found;
}

/** A tree's entry at a path, folders included, or null. */
export async function entryAt(ground: Ground, tree: TreeId, path: string): Promise<RawEntry | null> {
  const names = path.split("/").map((name) => Buffer.from(name).toString("latin1"));
  let at: RawEntry = { mode: "40000", name: "", id: tree };
  for (const name of names) {
    const next = isTree(at) ? (await rawTree(ground, at.id)).find((entry) => entry.name === name) : undefined;
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

export async function readBlob(ground: Ground, id: string): Promise<Buffer> {
  const { blobs } = ground.memory;
  const known = blobs.get(id) ?? (await readObjects(ground, [id])).get(id)?.bytes ?? Buffer.alloc(0);
  if (known.length <= blobMax) blobs.set(id, known);
  return known;
}

/** Objects of the store by id: loose ones from files, packed ones with a single process. */
export async function readObjects(ground: Ground, ids: readonly string[]): Promise<Map<string, StoredObject>> {
  const found = new Map<string, StoredObject>();
  const packed: string[] = [];
  for (const id of new Set(ids)) {
    const loose = readLoose(ground, id);
    if (loose === null) packed.push(id);
    else found.set(id, loose);
  }
  if (packed.length === 0) return found;
  const input = packed.map((id) => `${id}\n`).join("");
  const { stdout } = await ground.git(["cat-file", "--batch", "--buffer"], { ...inStore(ground), input });
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0x0a, at);
    const [id = "", type = "", size] = stdout.toString("latin1", at, end).split(" ");
    if (size === undefined) throw new Bug(`the vault has no object ${id}: ${type}`);
    at = end + 1 + Number(size);
    found.set(id, { type, bytes: stdout.subarray(end + 1, at) });
    at += 1;
  }
  return found;
}

const utf8 = (latin1: string): string =>
  /^[\0-\x7f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, "latin1").toString("utf8");

/** What `update-index --index-info` reads for these entries. */
export const indexInfo = (files: readonly TreeEntry[]): Buffer =>
  Buffer.concat(
    files.flatMap((file) => [Buffer.from(`${file.mode} ${file.id}\t`), pathBytes(file), Buffer.from("\0")]),
  );
export const pathBytes = ({ path, latin1 }: TreeEntry): Buffer =>
  latin1 === undefined ? Buffer.from(path) : Buffer.from(latin1, "latin1");

/** A commit never changes, so each is read once. */
export async function treeOf(ground: Ground, commit: CommitId): Promise<TreeId> {
  const known = ground.memory.commitTrees.get(commit);
  if (known !== undefined) return known;
  const tree = treeId(line(await ground.git(["rev-parse", "--verify", `${commit}^{tree}`], inStore(ground))));
  ground.memory.commitTrees.set(commit, tree);
  return tree;
}
