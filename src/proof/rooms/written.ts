// Files that a command wrote in a room, such as a test report. Commands made them, so a link is never followed.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";

const bytesMax = 32 << 20;
const filesMax = 2000;
const isReport = /\.(?:xml|json|tap|txt)$/;

/** The file, or the reports in a folder of that name; only those newer than `since`. */
export function writtenFiles(root: string, path: string, since: number): readonly Buffer[] {
  if (!isReal(root, dirname(path))) return [];
  const at = join(root, path);
  const stat = lstatIfExists(at);
  if (stat?.isDirectory() === true)
    return fs
      .readdirSync(at)
      .filter((name) => isReport.test(name))
      .slice(0, filesMax)
      .flatMap((name) => fileAt(join(at, name), since));
  return fileAt(at, since);
}

function fileAt(path: string, since: number): Buffer[] {
  const stat = lstatIfExists(path);
  if (stat?.isFile() !== true || stat.mtimeMs < since || stat.size > bytesMax) return [];
  return [fs.readFileSync(path)];
}

/** Every folder on the way is a real one, not a link. */
function isReal(root: string, path: string): boolean {
  const names = path.split("/").filter((name) => name !== "." && name !== "");
  if (names.includes("..")) return false;
  return names.every((_, at) => lstatIfExists(join(root, ...names.slice(0, at + 1)))?.isDirectory() === true);
}
