// Follows a growing file, and keeps it from growing without end.
import * as fs from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { LineSplitter, type OnLine } from "./lines.ts";

export type FollowOptions = { onLine?: OnLine; bytesMax?: number; keepBytes?: number };
const fileBytesMax = 64 << 20;
const keepBytesDefault = 4 << 20;
/** 8 MB at a time, so that the caller can check its timeouts in between. */
const chunksPerRead = 32;

export type Follower = {
  /** Reads the new bytes, up to a limit. True when there were any. */
  read(): Promise<boolean>;
  /** The last read, after the writer has exited: also emits an unfinished line, and closes the file. */
  finish(): Promise<void>;
  close(): void;
  /** All bytes ever read, including those cut out of the file since. */
  readonly bytes: number;
};

/** The file must exist. Writers open it with O_APPEND, which makes cutting it safe. */
export function follow(path: string, options: FollowOptions = {}): Follower {
  const { bytesMax = fileBytesMax, keepBytes = Math.min(keepBytesDefault, bytesMax >> 2) } = options;
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  const chunk = Buffer.allocUnsafe(256 << 10);
  const lines = options.onLine === undefined ? null : new LineSplitter(options.onLine);
  let position = 0;
  let bytes = 0;
  let open = true;

  function readChunk(): number {
    const size = fs.readSync(fd, chunk, 0, chunk.length, position);
    if (size > 0) lines?.push(size === chunk.length ? chunk : chunk.subarray(0, size));
    position += size;
    bytes += size;
    return size;
  }

  async function read(chunksMax = chunksPerRead): Promise<boolean> {
    for (let count = 0; open && count < chunksMax; count += 1) {
      mendPosition();
      const size = readChunk();
      // Only once we have caught up: otherwise unread text would be cut off too.
      if (position > bytesMax && size < chunk.length) cut();
      if (size === 0) return count > 0;
      await breathe(); // A flood must not keep the timers from running.
    }
    return open;
  }

  function mendPosition(): void {
    const { size } = fs.fstatSync(fd);
    // The file was truncated: continue from its new end.
    if (size < position) position = size;
    if (size > bytesMax * 4) skip(size);
  }

  /**
   * The writer is faster than we read, so the file was never cut: the disk matters more than the middle of a flood.
   * Keeps head and tail, and continues in the tail. Text added during the copy is copied too, up to a limit.
   */
  function skip(size: number): void {
    const tail = keepTail(fd, size, keepBytes);
    const read = Math.max(0, position - (size - tail.length));
    if (read === 0) {
      lines?.end();
      bytes += size - tail.length - position;
    }
    const start = keepBytes + leaveOut(bytes - read - keepBytes);
    let end = start + fs.writeSync(fd, tail, 0, tail.length, start);
    let from = size;
    for (let tries = 0, got = -1; got !== 0 && tries < chunksPerRead; tries += 1) {
      got = fs.readSync(fd, chunk, 0, chunk.length, from);
      from += got;
      end += fs.writeSync(fd, chunk, 0, got, end);
    }
    bytes += Math.max(0, fs.fstatSync(fd).size - from);
    fs.ftruncateSync(fd, end);
    position = start + read;
  }

  function leaveOut(count: number): number {
    const note = Buffer.from(`\n[... ${count} bytes were left out here ...]\n`);
    return fs.writeSync(fd, note, 0, note.length, keepBytes);
  }

  /** Keeps head and tail, drops the middle. Text written between the last read and the cut (microseconds) is lost. */
  function cut(): void {
    const tail = keepTail(fd, position, keepBytes);
    let end = keepBytes + leaveOut(bytes - keepBytes - tail.length);
    end += fs.writeSync(fd, tail, 0, tail.length, end);
    // Text that arrived meanwhile moves too. A writer faster than that is cut another time.
    for (let tries = 0; tries < chunksPerRead; tries += 1) {
      const size = readChunk();
      if (size === 0) {
        fs.ftruncateSync(fd, end);
        position = end;
        return;
      }
      end += fs.writeSync(fd, chunk, 0, size, end);
    }
  }

  async function finish(): Promise<void> {
    if (!open) return;
    // Bounded by the current size: a writer that is still alive cannot keep us here.
    await read(Math.ceil(fs.fstatSync(fd).size / chunk.length) + 1);
    lines?.end();
    close();
  }

  function close(): void {
    if (open) fs.closeSync(fd);
    open = false;
  }

  return {
    read: () => read(),
    finish,
    close,
    get bytes() {
      return bytes;
    },
  };
}

/** The last bytes before `position`, starting at a line start if there is one. */
function keepTail(fd: number, position: number, keepBytes: number): Buffer {
  const tail = Buffer.allocUnsafe(keepBytes);
  const size = fs.readSync(fd, tail, 0, keepBytes, position - keepBytes);
  const start = tail.subarray(0, size).indexOf(10) + 1;
  return tail.subarray(start, size);
}

/** The end of a file as text; "" when it is missing. Never blocks on a pipe in its place. */
export function readTail(path: string, bytesMax: number): string {
  return readRegular(path, { bytesMax, from: "end" }) ?? "";
}

/** The text of a regular file, or null: missing, a folder, a link, a pipe, or over the limit. */
export function readWhole(path: string, bytesMax: number): string | null {
  return readRegular(path, { bytesMax, from: "start" });
}

function readRegular(path: string, { bytesMax, from }: { bytesMax: number; from: "start" | "end" }): string | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile() || (from === "start" && stat.size > bytesMax)) return null;
    const size = Math.min(stat.size, bytesMax);
    const bytes = Buffer.alloc(size);
    const got = fs.readSync(fd, bytes, 0, size, stat.size - size);
    return bytes.toString("utf8", 0, got);
  } finally {
    fs.closeSync(fd);
  }
}
