// File times in rooms: one old time for files of the base, the time of laying for changed ones.
import * as fs from "node:fs";
import { join } from "node:path";

/**
 * Late enough for zip files, older than any build. Build tools compare times, so a file that differs from the base must
 * be newer than anything built from the base, whatever time its author gave it.
 */
export const baseTime = new Date("2020-01-01T00:00:00Z");

/** Gives everything below a folder, links and folders included, the base's time. */
export function setBaseTimes(dir: string): void {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) setBaseTimes(path);
    else fs.lutimesSync(path, baseTime, baseTime);
  }
  fs.utimesSync(dir, baseTime, baseTime);
}
