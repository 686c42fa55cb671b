// Whether a path is a folder that is reached without a link.
import { join } from "node:path";
import { lstatIfExists } from "../../../host/disk.ts";

export function isRealFolder(base: string, path: string): boolean {
  let at = base;
  for (const part of path.split("/").filter((name) => name !== ".")) {
    at = join(at, part);
    if (!lstatIfExists(at)?.isDirectory()) return false;
  }
  return true;
}
