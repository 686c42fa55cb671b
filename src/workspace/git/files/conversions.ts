// Whether git would store bytes that differ from those in the folder: line ends, `$Id$`, encodings, filters.
import * as fs from "node:fs";
import { join } from "node:path";
import { lstatIfExists } from "../../../host/disk.ts";
import type { Ground } from "../ground.ts";

const converts = /(?:^|\s)[-!]?(?:text|eol|crlf|ident|filter|working-tree-encoding)(?:[=\s]|$)|\[attr\]/m;

/** Reads an attribute file of the tree in question. */
export type ReadAttributes = (path: string) => Promise<Buffer | null> | Buffer | null;

export async function hasConversions(ground: Ground, paths: readonly string[], read: ReadAttributes): Promise<boolean> {
  if (ground.settings.conversions.some((setting) => !/=(?:false|0|no|off)?$/.test(setting))) return true;
  if (converts.test(ground.settings.attributes)) return true;
  for (const path of paths) {
    if (path !== ".gitattributes" && !path.endsWith("/.gitattributes")) continue;
    if (converts.test((await read(path))?.toString("utf8") ?? "")) return true;
  }
  return false;
}

/** Attribute files in a folder. Git does not follow links to them. */
export const inFolder =
  (workTree: string): ReadAttributes =>
  (path) => {
    const at = join(workTree, path);
    return lstatIfExists(at)?.isFile() ? fs.readFileSync(at) : null;
  };
