// The lines that a growing file has got since the last look. For files of an agent, which can be anything at any time.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** More than this at once is skipped: whatever is read from it is also read whole at the end of the session. */
const bytesMax = 4 << 20;

export class NewLines {
  readonly #path: string;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whole lines only; empty if the file is missing, is no regular file, or has nothing new. */
  read(): string[] {
    try {
      return this.#since();
    } catch {
      return [];
    }
  }

  #since(): string[] {
    const fd = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size <= this.#offset) return [];
      const from = Math.max(this.#offset, stat.size - bytesMax);
      const bytes = Buffer.alloc(stat.size - from);
      const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
      const end = read.lastIndexOf(10) + 1;
      this.#offset = from + end;
      return end === 0 ? [] : read.toString("utf8", 0, end - 1).split("\n");
    } finally {
      closeSync(fd);
    }
  }
}
