// The entries of a folder with signatures, so that a later look shows changes without reading a file.
import { createHash } from "node:crypto";
import * as fs from "node:fs";

/** Paths relative to the folder, with a signature each. */
export type Inventory = Map<string, string>;

export type Skip = (path: string) => boolean;
const none: Skip = () => false;

/**
 * A file counts as untouched by kind, mode, size, inode, both times and link target: only the administrator can set the
 * time of the last change back. Folders count by their entries.
 */
export function takeInventory(dir: string, skip: Skip = none): Inventory {
  const found: Inventory = new Map();
  const walk = (inside: string): void => {
    for (const name of fs.readdirSync(`${dir}/${inside}`)) {
      const path = inside + name;
      if (skip(path)) continue;
      const stat = fs.lstatSync(`${dir}/${path}`, { bigint: true });
      found.set(path, signatureOf(`${dir}/${path}`, stat));
      if (stat.isDirectory()) walk(`${path}/`);
    }
  };
  walk("");
  return found;
}

export function signatureOf(at: string, stat: fs.BigIntStats): string {
  if (stat.isDirectory()) return `folder ${stat.mode}`;
  if (stat.isSymbolicLink()) return `link ${stat.ino} ${stat.ctimeNs} ${fs.readlinkSync(at)}`;
  return `file ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino} ${stat.nlink}`;
}

export const isFolder = (signature: string): boolean => signature.startsWith("folder ");
export const linkTarget = (signature: string): string | null => /^link \d+ \d+ (.*)$/s.exec(signature)?.[1] ?? null;
export const sizeIn = (signature: string): number => Number(/^file \d+ (\d+)/.exec(signature)?.[1] ?? 0);

/** One hash of the whole inventory. */
export function fingerprintOf(inventory: Inventory): string {
  const hash = createHash("sha256");
  for (const path of [...inventory.keys()].sort()) hash.update(`${path}\0${inventory.get(path)}\n`);
  return hash.digest("hex").slice(0, 24);
}
