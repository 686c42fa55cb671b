// Where rooms and their layers lie in the vault. All names below are plain, so they can be used in a mount option.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir, isErrno } from "../../host/disk.ts";
import { removeTree } from "../../host/remove-tree.ts";

export type Places = {
  readonly dir: string;
  /** Layers of what was installed in the workspace. */
  readonly kept: string;
  /** Checkouts of whole trees, read-only once they are renamed. */
  readonly trees: string;
  /** Layers of packages that the loop installed itself. */
  readonly installed: string;
  /** Files of submodules, by commit. */
  readonly modules: string;
  /** Rooms that are open, and layers that are being made. */
  readonly open: string;
};

export function preparePlaces(vaultDir: string): Places {
  const dir = join(vaultDir, "rooms");
  const below = (name: string): string => join(dir, name);
  const places = {
    dir,
    kept: below("kept"),
    trees: below("trees"),
    installed: below("installed"),
    modules: below("modules"),
    open: below("open"),
  };
  for (const folder of Object.values(places)) ensureDir(folder);
  sweep(places.open);
  return places;
}

/** A folder that the next start removes if this process dies. */
export function newFolder({ open }: Places): string {
  const dir = join(open, `${process.pid}-${randomBytes(5).toString("hex")}`);
  fs.mkdirSync(dir, { mode: 0o700 });
  return dir;
}

// A folder whose pid is in use again stays until the next time.
function sweep(open: string): void {
  for (const name of fs.readdirSync(open)) {
    if (/^\d+-[0-9a-f]{10}$/.test(name) && !isAlive(Number.parseInt(name, 10))) removeAll(join(open, name));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

/** Removes a folder, whatever a check did to the permissions in it. Never follows links. */
export function removeAll(path: string): void {
  try {
    removeTree(path);
  } catch (error) {
    if (!isErrno(error, "EACCES") && !isErrno(error, "EPERM") && !isErrno(error, "ENOTEMPTY")) throw error;
    makeWritable(path);
    removeTree(path);
  }
}

// The owner can always restore the permissions.
function makeWritable(dir: string): void {
  if (!fs.lstatSync(dir).isDirectory()) return;
  fs.chmodSync(dir, 0o700);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(dir, entry.name));
}
