// Files that only grow at their end: what changed there is written, and the rest is not written again.
import * as fs from "node:fs";
import { isErrno, lstatExactly } from "./disk.ts";

export type Tail = {
  /** How the file was when it was last written; if it is another by now, nothing is done. */
  readonly stamp: string;
  /** So many bytes at its beginning stay. */
  readonly keep: number;
  readonly text: string;
};

/** Tells a file from what it was before: any write changes it. Null: there is none. */
export function stampOf(path: string): string | null {
  const stat = lstatExactly(path);
  return stat === undefined ? null : stampIn(stat);
}

const stampIn = (stat: fs.BigIntStats): string => `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;

/**
 * Writes a new end and returns the new stamp. Null: the file is not the one that was meant, or has a second name, under
 * which somebody else would find our text. Not atomic: only for what can be written again from the start.
 */
export function rewriteTail(path: string, { stamp, keep, text }: Tail): string | null {
  const fd = openOrNull(path);
  if (fd === null) return null;
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    if (!stat.isFile() || stat.nlink !== 1n || stampIn(stat) !== stamp || stat.size < keep) return null;
    const data = Buffer.from(text);
    for (let at = 0; at < data.length; ) at += fs.writeSync(fd, data, at, data.length - at, keep + at);
    fs.ftruncateSync(fd, keep + data.length);
    return stampIn(fs.fstatSync(fd, { bigint: true }));
  } finally {
    fs.closeSync(fd);
  }
}

function openOrNull(path: string): number | null {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  try {
    return fs.openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EISDIR", "EACCES"].some((code) => isErrno(error, code))) return null;
    throw error;
  }
}
