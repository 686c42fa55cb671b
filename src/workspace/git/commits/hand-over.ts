// Copies the objects of a new commit into the person's repository, without reading its configuration.
import * as fs from "node:fs";
import { join } from "node:path";
import type { CommitId } from "../../../core/ids.ts";
import { readBytesIfExists } from "../../../host/disk.ts";
import type { CommitOrder } from "../../workspace.ts";
import { line } from "../git.ts";
import { type Ground, inStore, temporary } from "../ground.ts";
import { installObjects, isThere, objectFile } from "../store/object-files.ts";
import { isTree, type RawEntry, typeOf } from "../store/raw-tree.ts";
import { rawTree, treeOf } from "../store/stored-trees.ts";

type Order = Pick<CommitOrder, "tree" | "parent">;

/** `objects` is the object folder of the person's repository. */
export async function handOver(ground: Ground, made: CommitId, order: Order, objects: string): Promise<void> {
  const before = order.parent === null ? null : await treeOf(ground, order.parent);
  const needed = [...(await newIn(ground, order.tree, before)), made];
  const missing = needed.filter((id) => !isThere(objects, id));
  const store = join(ground.vault.store, "objects");
  const files = missing.map((id) => ({ id, file: readBytesIfExists(objectFile(store, id)) ?? Buffer.alloc(0) }));
  if (files.every(({ file }) => file.length > 0)) await installObjects(objects, files);
  else await handOverPacked(ground, made, order.parent, objects);
}

/** A tree and its objects that another tree does not have in the same place, inner ones first. */
async function newIn(ground: Ground, tree: string, before: string | null): Promise<string[]> {
  if (tree === before) return [];
  const old = new Map((before === null ? [] : await rawTree(ground, before)).map((entry) => [entry.name, entry]));
  const found: string[] = [];
  for (const entry of await rawTree(ground, tree)) {
    const was = old.get(entry.name);
    if (was?.id === entry.id || typeOf(entry) === "commit") continue;
    if (isTree(entry)) found.push(...(await newIn(ground, entry.id, folderId(was))));
    else found.push(entry.id);
  }
  return [...found, tree];
}

const folderId = (entry: RawEntry | undefined): string | null =>
  entry !== undefined && isTree(entry) ? entry.id : null;

// If an object is in a pack (a large file, or one from an older commit), git determines which ones are needed.
async function handOverPacked(ground: Ground, made: CommitId, parent: CommitId | null, objects: string): Promise<void> {
  const input = `${made}\n${parent === null ? "" : `^${parent}\n`}`;
  const base = temporary(ground, "pack");
  const name = line(await ground.git(["pack-objects", "--revs", "-q", base], { ...inStore(ground), input }));
  const config = ["core.fsync=committed,loose-object", "core.fsyncMethod=batch"];
  const inputFile = `${base}-${name}.pack`;
  await ground.git(["unpack-objects", "-q"], { ...inStore(ground), objects, config, inputFile });
  for (const kind of ["pack", "idx", "rev"]) fs.rmSync(`${base}-${name}.${kind}`, { force: true });
}
