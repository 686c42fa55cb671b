// Inspects the twin, and determines how it differs from the vault.
import * as fs from "node:fs";
import { isErrno } from "../../host/disk.ts";
import { splitLines } from "../chain.ts";
import { readRange } from "./vault-file.ts";

export type Found = { is: "missing" } | { is: "file"; bytes: Buffer } | { is: "stranger"; what: string };

export type TwinState =
  | { is: "missing" }
  /** A prefix of the vault; with no lines missing it is identical. */
  | { is: "start"; length: number; linesMissing: number }
  /** Valid lines, then half of one: a crash. */
  | { is: "torn" }
  | { is: "altered"; why: string };

/** A longer surplus is neither read nor kept. */
const surplusMax = 1024 * 1024;

/** Never follows a link, blocks on a pipe, or reads more than a bounded amount. */
export function readTwin(path: string, truthLength: number, vaultIno: bigint | null): Found {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return { is: "missing" };
    if (isErrno(error, "ELOOP")) return { is: "stranger", what: "a symbolic link" };
    if (isErrno(error, "EACCES")) return { is: "stranger", what: "not readable" };
    if (isErrno(error, "ENXIO")) return { is: "stranger", what: "not a file" };
    throw error;
  }
  try {
    const { size, ino, isFile } = statOf(fd);
    if (!isFile) return { is: "stranger", what: "not a file" };
    if (ino === vaultIno) return { is: "stranger", what: "the vault's own file under a second name" };
    return { is: "file", bytes: readRange(fd, 0, Math.min(size, truthLength + surplusMax)) };
  } finally {
    fs.closeSync(fd);
  }
}

function statOf(fd: number): { size: number; ino: bigint; isFile: boolean } {
  const stat = fs.fstatSync(fd, { bigint: true });
  return { size: Number(stat.size), ino: stat.ino, isFile: stat.isFile() };
}

export function compareTwin(found: Found, truth: Buffer): TwinState {
  if (found.is === "missing") return { is: "missing" };
  if (found.is === "stranger") return { is: "altered", why: `it is ${found.what}` };
  const { bytes } = found;
  const same = commonLength(bytes, truth);
  if (same === bytes.length)
    return { is: "start", length: same, linesMissing: splitLines(truth.subarray(same)).length };
  const lineStart = same === 0 ? 0 : truth.lastIndexOf(0x0a, same - 1) + 1;
  // A write interrupted by a crash has no newline.
  if (bytes.indexOf(0x0a, lineStart) === -1 && bytes.length <= truth.length) return { is: "torn" };
  return { is: "altered", why: `it differs from line ${splitLines(truth.subarray(0, same)).length + 1} on` };
}

function commonLength(a: Buffer, b: Buffer): number {
  const max = Math.min(a.length, b.length);
  let low = 0;
  for (let high = max; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (a.subarray(low, middle).equals(b.subarray(low, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}
