// Whether a path is a folder without a link on the way to it.
import * as fs from "node:fs";
import { join } from "node:path";

export function isRealFolder(base: string, path: string): boolean {
  let at = base;
  for (const part of path.split("/").filter((name) => name !== ".")) {
    at = join(at, part);
    if (!fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return false;
  }
  return true;
}
