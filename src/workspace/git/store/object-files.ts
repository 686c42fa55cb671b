// Reads and writes loose objects as files, without a git process.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { readBytesIfExists, statIfExists, syncDir } from "../../../host/disk.ts";
import type { Ground } from "../ground.ts";

export type StoredObject = { type: string; bytes: Buffer };
export type NewObject = StoredObject & { id: string };

export const objectFile = (folder: string, id: string): string => join(folder, id.slice(0, 2), id.slice(2));
const ours = ({ vault }: Ground): string => join(vault.store, "objects");
const folders = (ground: Ground): string[] => [ours(ground), join(ground.vault.copy, "objects")];

export const idBytes = ({ settings }: Ground): number => (settings.objectFormat === "sha256" ? 32 : 20);

export function newObject(ground: Ground, type: string, bytes: Buffer): NewObject {
  const hash = createHash(ground.settings.objectFormat === "sha256" ? "sha256" : "sha1");
  return { type, bytes, id: hash.update(`${type} ${bytes.length}\0`).update(bytes).digest("hex") };
}

/** A loose object of the store, or of the copy of the person's objects. */
export function readLoose(ground: Ground, id: string): StoredObject | null {
  for (const folder of folders(ground)) {
    const file = readBytesIfExists(objectFile(folder, id));
    const content = file === null ? null : inflated(file);
    if (content === null) continue;
    const end = content.indexOf(0);
    return { type: content.toString("latin1", 0, content.indexOf(0x20)), bytes: content.subarray(end + 1) };
  }
  return null;
}

function inflated(file: Buffer): Buffer | null {
  try {
    return inflateSync(file);
  } catch {
    return null; // Git finds it in a pack, or reports what is wrong with it.
  }
}

/** Writes objects into the store, a tree's entries before the tree: a crash leaves nothing incomplete. */
export async function writeObjects(ground: Ground, objects: readonly NewObject[]): Promise<void> {
  const missing = objects.filter(({ id }) => !folders(ground).some((folder) => isThere(folder, id)));
  const files = missing.map(({ id, type, bytes }) => ({
    id,
    file: deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]), { level: 1 }),
  }));
  await installObjects(ours(ground), files);
}

export const isThere = (folder: string, id: string): boolean => (statIfExists(objectFile(folder, id))?.size ?? 0) > 0;

/** Installs object files. All are on disk before the first gets its name, so a name never refers to partial content. */
export async function installObjects(
  folder: string,
  objects: readonly { id: string; file: Uint8Array }[],
): Promise<void> {
  const byId = [...new Map(objects.map((object) => [object.id, object])).values()];
  const staged = await Promise.all(byId.map(async ({ id, file }) => stage(objectFile(folder, id), file)));
  for (const { beside, target } of staged) fs.renameSync(beside, target);
  // Names reach the disk in the order they were created, so syncing the last one's folder is enough, as in git.
  const last = staged.at(-1);
  if (last !== undefined) syncDir(dirname(last.target));
}

async function stage(target: string, file: Uint8Array): Promise<{ beside: string; target: string }> {
  // Git recognizes files with this name as leftovers of a killed process, and prunes them.
  const beside = join(dirname(target), `tmp_obj_${randomBytes(6).toString("hex")}`);
  fs.mkdirSync(dirname(target), { recursive: true });
  const handle = await fs.promises.open(beside, "wx", 0o444);
  try {
    await handle.writeFile(file);
    await handle.sync(); // In parallel: the disk syncs many at the price of one.
  } finally {
    await handle.close();
  }
  return { beside, target };
}
