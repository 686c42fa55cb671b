// How much a process has written since it was started: looked at cheaply, and counted only when the disk says so.
import * as fs from "node:fs";
import { join } from "node:path";

/** What stays free for the journal and the rest of the machine. */
const reserveBytes = 256 << 20;
const lookEveryMs = 1000;
/** Counting reads every folder; where others fill the disk, it would be done at each look. So it gets this part of the time. */
const countShare = 0.05;
const entriesMax = 2_000_000;

export class DiskUse {
  readonly #folders: readonly string[];
  readonly #since: number;
  readonly bytesMax: number;
  /** The most that was free: space that others free meanwhile must not hide what is written. */
  #freeMost: number;
  #lookedAt = 0;
  /** When the next count may begin. */
  #countAt = Number.NEGATIVE_INFINITY;

  /**
   * `bytesMax` is lowered to what the disk has room for twice: what a session leaves is kept aside before it is removed.
   */
  constructor(folders: readonly string[], bytesMax: number) {
    this.#folders = folders;
    this.#freeMost = freeBytes(folders);
    this.bytesMax = Math.max(0, Math.min(bytesMax, (this.#freeMost - reserveBytes) / 2));
    // Clocks of file systems are coarse.
    this.#since = Date.now() - 20;
  }

  /** What was written, once that is more than allowed; null: it is not, or it is not time to look yet. */
  over(activeMs: number): number | null {
    if (activeMs - this.#lookedAt < lookEveryMs) return null;
    this.#lookedAt = activeMs;
    const free = freeBytes(this.#folders);
    this.#freeMost = Math.max(this.#freeMost, free);
    if (this.#freeMost - free < this.bytesMax || activeMs < this.#countAt) return null;
    const begun = performance.now();
    const bytes = writtenSince(this.#folders, this.#since);
    this.#countAt = activeMs + (performance.now() - begun) / countShare;
    return bytes > this.bytesMax ? bytes : null;
  }
}

/** Where it cannot be told, the disk counts as large. */
function freeBytes(folders: readonly string[]): number {
  const each = folders.flatMap((folder) => {
    try {
      const { bavail, bsize } = fs.statfsSync(folder);
      return [bavail * bsize];
    } catch {
      return [];
    }
  });
  return each.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...each);
}

/** Bytes on the disk of files that changed since then. Links are not followed. */
export function writtenSince(folders: readonly string[], since: number): number {
  let bytes = 0;
  let entries = 0;
  const todo = [...folders];
  for (let dir = todo.pop(); dir !== undefined && entries < entriesMax; dir = todo.pop()) {
    for (const entry of entriesOf(dir)) {
      entries += 1;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) todo.push(path);
      else bytes += changedBytes(path, since);
    }
  }
  return bytes;
}

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return []; // It may be gone by now.
  }
}

function changedBytes(path: string, since: number): number {
  try {
    const { ctimeMs, blocks } = fs.lstatSync(path);
    return ctimeMs >= since ? blocks * 512 : 0;
  } catch {
    return 0;
  }
}
