// The journal in the vault, open for appending: a line is on disk when `append` returns, or it was not written.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { ensureDir, isErrno, lstatExactly, syncDir, writeAtomic } from "../../host/disk.ts";
import { keepBeside } from "./paths.ts";

export class VaultFile {
  readonly path: string;
  #fd: number;
  #ino: bigint;
  #length: number;

  constructor(path: string) {
    this.path = path;
    this.#fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    const { ino, size } = fs.fstatSync(this.#fd, { bigint: true });
    this.#ino = ino;
    this.#length = Number(size);
    syncDir(dirname(path));
  }

  get length(): number {
    return this.#length;
  }
  get ino(): bigint {
    return this.#ino;
  }

  read(from: number, to: number): Buffer {
    return readRange(this.#fd, from, to);
  }

  /**
   * Writes and syncs. A full disk gets one retry, if `makeRoom` frees space. A failed sync gets none: after it the
   * kernel may mark pages as clean that never reached the disk, so a second sync would lie.
   */
  append(bytes: Buffer, makeRoom: () => boolean): void {
    try {
      this.#write(bytes);
    } catch (error) {
      if (!(isErrno(error, "ENOSPC") || isErrno(error, "EDQUOT")) || !makeRoom()) throw error;
      this.#write(bytes);
    }
    try {
      fs.fdatasyncSync(this.#fd);
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#length += bytes.length;
  }

  /** An agent may have removed the vault. The open file still has every byte, so it is restored; true if it was. */
  putBackIfMoved(): boolean {
    const there = lstatExactly(this.path);
    if (there?.ino === this.#ino && there.size === BigInt(this.#length)) return false;
    if (fs.fstatSync(this.#fd).size !== this.#length) {
      throw new Error("the file is not as long as this run left it: someone else has written to it");
    }
    ensureDir(dirname(this.path));
    if (there?.isFile()) keepBeside(dirname(this.path), "events.jsonl.damaged-", "", fs.readFileSync(this.path));
    writeAtomic(this.path, this.read(0, this.#length));
    fs.closeSync(this.#fd);
    this.#fd = fs.openSync(this.path, "r+");
    this.#ino = fs.fstatSync(this.#fd, { bigint: true }).ino;
    return true;
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  #write(bytes: Buffer): void {
    try {
      writeAt(this.#fd, bytes, this.#length);
    } catch (error) {
      this.#cutBack();
      throw error;
    }
  }

  #cutBack(): void {
    try {
      fs.ftruncateSync(this.#fd, this.#length);
    } catch {
      // The rest is a torn last line, which the next opening drops.
    }
  }
}

export function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let done = 0;
  while (done < bytes.length) {
    const count = fs.readSync(fd, bytes, done, bytes.length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

export function writeAt(fd: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
}
