// Files that only grow at their end: writes only the part that changed.
import * as fs from "node:fs";
import { isErrno, lstatExactly } from "./disk.ts";

export type Tail = {
  /** The state of the file when it was last written; if it has changed since, nothing is done. */
  readonly stamp: string;
  /** How many bytes at the beginning stay. */
  readonly keep: number;
  readonly text: string;
};

/** Identifies a version of a file: any write changes it. Null: the file is missing. */
export function stampOf(path: string): string | null {
  const stat = lstatExactly(path);
  return stat === undefined ? null : stampIn(stat);
}

const stampIn = (stat: fs.BigIntStats): string => `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;

/**
 * Writes a new tail and returns the new stamp. Null: the file is a different one, or has a second hard link, under
 * which others would see our text. Not atomic: only for content that can be rebuilt from scratch.
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
