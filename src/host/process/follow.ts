// Follows a growing file, and keeps it from growing without end.
import * as fs from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { LineSplitter, type OnLine } from "./lines.ts";

export type FollowOptions = { onLine?: OnLine; bytesMax?: number; keepBytes?: number };
const fileBytesMax = 64 << 20;
const keepBytesDefault = 4 << 20;
/** 8 MB at a time: then whoever follows looks after its clocks again. */
const chunksPerRead = 32;

export type Follower = {
  /** Reads what there is now, within a bound. True when there was something. */
  read(): Promise<boolean>;
  /** The last read, after the writer is gone: gives out an unfinished line too, and closes. */
  finish(): Promise<void>;
  close(): void;
  /** All that was ever read, also what was cut out of the file since. */
  readonly bytes: number;
};

/** The file must exist. It is written by others with O_APPEND, which is what makes cutting it safe. */
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
      // Only once we have caught up, or what nobody has read yet would be cut off with the rest.
      if (position > bytesMax && size < chunk.length) cut();
      if (size === 0) return count > 0;
      await breathe(); // A flood must not keep the timers from running.
    }
    return open;
  }

  function mendPosition(): void {
    const { size } = fs.fstatSync(fd);
    // Somebody shortened the file behind our back: go on from its end.
    if (size < position) position = size;
    if (size > bytesMax * 4) skip(size);
  }

  /**
   * It is written faster than we read, and so never cut: the disk matters more than the middle of a flood. Head and tail stay,
   * and we go on in the tail. What a writer adds while it is copied is copied too, within a bound.
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

  /** Head and tail stay, the middle goes. What a writer adds between the last read and the cut, microseconds, is lost. */
  function cut(): void {
    const tail = keepTail(fd, position, keepBytes);
    let end = keepBytes + leaveOut(bytes - keepBytes - tail.length);
    end += fs.writeSync(fd, tail, 0, tail.length, end);
    // What came meanwhile moves too. Whoever keeps writing faster than that is cut another time.
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
    // Bounded by what is there now: if a writer is left after all, it does not hold us.
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

/** The last bytes before `position`, from the start of a line on if there is one. */
function keepTail(fd: number, position: number, keepBytes: number): Buffer {
  const tail = Buffer.allocUnsafe(keepBytes);
  const size = fs.readSync(fd, tail, 0, keepBytes, position - keepBytes);
  const start = tail.subarray(0, size).indexOf(10) + 1;
  return tail.subarray(start, size);
}

/** The end of a file as text; "" when there is none. Never waits on a pipe that was put in its place. */
export function readTail(path: string, bytesMax: number): string {
  return readRegular(path, { bytesMax, from: "end" }) ?? "";
}

/** The text of a plain file, or null: no file, a folder, a link, a pipe, or more than the bound. */
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
