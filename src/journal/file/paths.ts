// Where a journal's files are, and where damaged files are kept.
import * as fs from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../../host/disk.ts";

export const journalName = "events.jsonl";
export const journalIn = (dir: string): string => join(dir, journalName);
export const snapshotIn = (dir: string): string => join(dir, "snapshot.json");
export const reserveIn = (dir: string): string => join(dir, "reserve");

/** Repeated damage must not fill the vault. */
const keptMax = 20;

/** Keeps bytes in a new file `<before><n><after>`, and returns its path; null once there are too many. */
export function keepBeside(dir: string, before: string, after: string, bytes: Buffer): string | null {
  for (let n = 1; n <= keptMax; n++) {
    const path = join(dir, `${before}${n}${after}`);
    if (fs.existsSync(path)) continue;
    writeAtomic(path, bytes);
    return path;
  }
  return null;
}

/** A sentence that says where something was kept. */
export const keptAt = (path: string | null): string =>
  path === null ? "It was not kept: too many were kept before." : `It was kept at ${path}`;
