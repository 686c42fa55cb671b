// What a run left in its tree.
import * as fs from "node:fs";
import { join, posix } from "node:path";

export type Left = {
  /** Paths of the tree that changed or are missing, and new ones that are not ignored. */
  readonly files: readonly string[];
  /** Folders with new files that are ignored, and such files at the top. Caches of tools are left out. */
  readonly ignored: readonly string[];
};

/** What tools keep to be faster, and can do without. */
const cache =
  /(?:^|\/)(?:__pycache__|\.(?:pytest|mypy|ruff)_cache|node_modules|target|coverage|\.nyc_output|\.hypothesis)(?:\/|$)/;

export function leftOf(changed: readonly string[], fresh: readonly string[], ignored: ReadonlySet<string>): Left {
  const places = fresh.filter((path) => ignored.has(path) && !cache.test(path)).map(placeOf);
  return {
    files: [...changed, ...fresh.filter((path) => !ignored.has(path))].sort(),
    ignored: [...new Set(places)].sort(),
  };
}

/**
 * What lies in the temporary folder and the home, two levels deep. A name that ends as a program makes one up is the same
 * name each time.
 */
export const leftInScratch = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    namesIn(folder).flatMap((name) => [
      place(name),
      ...namesIn(join(folder, name)).map((inner) => `${place(name)}/${place(inner)}`),
    ]),
  );

const place = (name: string): string => name.replace(/[A-Za-z0-9_]{6,8}$/, "*");

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // A file, or a folder that is closed to others.
    return [];
  }
}

/** People do not read more. */
const leftMax = 100;

/** What was left, but for what was there `before`; at most 100 each. */
export const leftSince = (left: Left, before: Left): Left => ({
  files: left.files.filter((path) => !before.files.includes(path)).slice(0, leftMax),
  ignored: left.ignored.filter((path) => !before.ignored.includes(path)).slice(0, leftMax),
});

const placeOf = (path: string): string => (path.includes("/") ? posix.dirname(path) : path);
