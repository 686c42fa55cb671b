// Reads a file line by line in little memory: transcripts grow large, and an agent can write into them.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const chunkBytes = 64 << 10;
const lineBytesMax = 4 << 20;
const fileBytesMax = 1 << 30;

/** Calls `onLine` for each line; skips lines that are too long, and unreadable files. */
export function readLines(path: string, onLine: (line: string) => void): void {
  const fd = opened(path);
  if (fd === null) return;
  try {
    let pieces: Buffer[] = [];
    let size = 0;
    const add = (piece: Buffer) => {
      size += piece.length;
      if (size <= lineBytesMax) pieces.push(Buffer.from(piece));
    };
    const flush = () => {
      if (size > 0 && size <= lineBytesMax) onLine(Buffer.concat(pieces).toString("utf8"));
      pieces = [];
      size = 0;
    };
    const chunk = Buffer.alloc(chunkBytes);
    for (let total = 0; total < fileBytesMax; ) {
      const length = readSync(fd, chunk, 0, chunkBytes, null);
      if (length === 0) break;
      total += length;
      let start = 0;
      for (let end = chunk.indexOf(10, 0); end !== -1 && end < length; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      add(chunk.subarray(start, length));
    }
    flush();
  } finally {
    closeSync(fd);
  }
}

/** Only a regular file: a pipe that an agent puts in its place must not block us. */
function opened(path: string): number | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return null;
  } catch {
    return null;
  }
}
