// The workspace folder of the twin. An agent can replace it by a link, and our writes must not follow it.
import * as fs from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ensureDir, isErrno, lstatIfExists } from "../../host/disk.ts";

export class MirrorDir {
  readonly path: string;
  readonly #root: string;
  readonly #realRoot: string | null;

  /** Below `root` no link is followed; without one, the nearest existing folder is trusted. */
  constructor(path: string, root: string | undefined) {
    this.path = resolve(path);
    this.#root = root === undefined ? nearestExisting(this.path) : resolve(root);
    this.#realRoot = realPath(this.#root);
  }

  /** Creates the folder if it is missing. Throws when its path leads elsewhere. */
  ensure(): void {
    this.#mustBeReal(nearestExisting(this.path));
    ensureDir(this.path);
    this.#mustBeReal(this.path);
  }

  isReal(): boolean {
    try {
      this.#mustBeReal(this.path);
      return true;
    } catch {
      return false;
    }
  }

  #mustBeReal(path: string): void {
    const real = realPath(path);
    if (this.#realRoot !== null && real === join(this.#realRoot, relative(this.#root, path))) return;
    throw new Error(`${path} leads to ${real ?? "nowhere"}`);
  }
}

function realPath(path: string): string | null {
  try {
    return fs.realpathSync.native(path);
  } catch {
    return null;
  }
}

function nearestExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      if (lstatIfExists(at) !== undefined) return at; // At the latest the root of the disk.
    } catch (error) {
      if (!isErrno(error, "ENOTDIR")) throw error; // A file in place of a folder; look further up.
    }
  }
}
