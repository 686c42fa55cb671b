// The repository's own settings for claude, as one hash that a person can approve.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";

const places = [".claude", ".mcp.json"];
const filesMax = 1000;
const bytesMax = 16 << 20;

/** The hash of the repository's agent settings; null when it has none, or too many to review. */
export function repositorySettings(folder: string): string | null {
  const hash = createHash("sha256");
  let files = 0;
  let bytes = 0;
  const add = (path: string): void => {
    const stat = lstatIfExists(join(folder, path));
    if (stat === undefined) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(join(folder, path)).sort()) add(`${path}/${name}`);
      return;
    }
    files += 1;
    bytes += stat.size;
    if (files > filesMax || bytes > bytesMax) throw new RangeError("too much to agree to");
    const content = stat.isSymbolicLink() ? readlinkSync(join(folder, path)) : readFileSync(join(folder, path));
    hash.update(`${path}\0${stat.isSymbolicLink() ? "link" : "file"}\0${stat.size}\0`).update(content);
  };
  try {
    for (const place of places) add(place);
  } catch {
    return null;
  }
  return files === 0 ? null : hash.digest("hex");
}

/** Checked at every launch: settings that an agent changed in one session are not loaded in the next. */
export const isTrusted = (folder: string, trust: string | undefined): boolean =>
  trust !== undefined && repositorySettings(folder) === trust;
