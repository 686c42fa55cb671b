// What an agent wrote to a layer over an ignored folder, and how it becomes work when the folder is no longer ignored.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { isErrno, lstatIfExists } from "../../host/disk.ts";
import { moveAcross } from "../../host/move-across.ts";
import { removeAll } from "../../proof/rooms/places.ts";
import { firstObstacle } from "../../workspace/git/files/bring-back.ts";
import type { IgnoredFiles } from "../../workspace/git/files/ignored-files.ts";

export type Touched = { readonly files: readonly string[]; readonly removed: number; readonly bytes: number };

const looksMax = 50_000;

/** Files that were written since then, and how many were removed. Names that no text can hold are left in the layer. */
export function touchedIn(upper: string, since: number): Touched {
  const files: string[] = [];
  let [removed, bytes, looks] = [0, 0, 0];
  walk(upper, "", (path, stat) => {
    if (stat.ctimeMs < since) return ++looks < looksMax;
    if (stat.isCharacterDevice()) removed += 1;
    else if ((stat.isFile() || stat.isSymbolicLink()) && canBeKept(path)) {
      files.push(path);
      bytes += stat.size;
    }
    return ++looks < looksMax;
  });
  return { files, removed, bytes };
}

/** Git takes no file of another repository's own folder. */
const canBeKept = (path: string): boolean => !path.includes("\uFFFD") && !path.split("/").includes(".git");

/** Without a link on the way. */
export function isRealFolder(root: string, path: string): boolean {
  const parts = path.split("/");
  return parts.every((_, depth) => lstatIfExists(join(root, ...parts.slice(0, depth + 1)))?.isDirectory() === true);
}

/** Writes the content of a layer into the folder below it. What it replaces there is in quarantine first. */
export async function giveBack(upper: string, path: string, ignored: IgnoredFiles): Promise<void> {
  const written: { readonly inside: string; readonly isRemoved: boolean }[] = [];
  walk(upper, "", (inside, stat) => {
    if (!stat.isDirectory()) written.push({ inside, isRemoved: stat.isCharacterDevice() });
    return true;
  });
  const at = (inside: string): string => join(ignored.root, path, inside);
  // Also a link in place of a folder on the way: nothing may be written through it.
  const inTheWay = [
    ...new Set(written.flatMap(({ inside }) => firstObstacle(ignored.root, `${path}/${inside}`) ?? [])),
  ];
  if (inTheWay.length > 0) {
    const files = inTheWay.map((one) => one.slice(ignored.root.length + 1));
    await ignored.keep([{ from: ignored.root, files, prefix: "" }], "an agent changed it and no longer ignores it");
  }
  for (const one of inTheWay) removeAll(one);
  for (const { inside, isRemoved } of written) {
    if (isRemoved) continue;
    fs.mkdirSync(dirname(at(inside)), { recursive: true });
    // Not copied: a file with holes would fill the disk, and a pipe cannot be read.
    moveAcross(Buffer.from(join(upper, inside)), at(inside));
  }
}

/** False from `look` ends it. */
function walk(dir: string, prefix: string, look: (path: string, stat: fs.Stats) => boolean): boolean {
  let names: string[];
  try {
    names = fs.readdirSync(join(dir, prefix));
  } catch {
    return true; // The agent may have closed it to us.
  }
  for (const name of names) {
    const path = prefix + name;
    const stat = statIfReachable(join(dir, path));
    if (stat === undefined) continue;
    if (!look(path, stat)) return false;
    if (stat.isDirectory() && !walk(dir, `${path}/`, look)) return false;
  }
  return true;
}

/** Folders can be so deep that no path leads to their end. */
function statIfReachable(path: string): fs.Stats | undefined {
  try {
    return lstatIfExists(path);
  } catch (error) {
    if (isErrno(error, "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
