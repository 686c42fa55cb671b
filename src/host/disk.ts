// Files that survive a crash: written to a temporary file, synced, renamed, and the folder synced too.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../core/errors.ts";

/** How far the times of files may lie behind the clock of the process. */
export const fileClockMs = 20;

/** Replaces a file atomically: a reader sees either the old content or the new. */
export function writeAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number; durable?: boolean } = {},
): void {
  const { mode = 0o600, durable = true } = options;
  const beside = `${path}.${randomBytes(besideBytes).toString("hex")}.tmp`;
  const fd = fs.openSync(beside, "wx", mode);
  try {
    fs.writeFileSync(fd, data);
    if (durable) fs.fsyncSync(fd);
  } catch (error) {
    fs.closeSync(fd);
    fs.rmSync(beside, { force: true });
    throw error;
  }
  fs.closeSync(fd);
  fs.renameSync(beside, path);
  if (durable) syncDir(dirname(path));
}

const besideBytes = 6;

/** Removes temporary files that an interrupted write left next to a file. No write may be in progress. */
export function removeHalfWritten(path: string): void {
  const name = basename(path);
  const isOurs = (entry: fs.Dirent): boolean =>
    entry.isFile() && entry.name.startsWith(`${name}.`) && halfWritten.test(entry.name.slice(name.length));
  for (const entry of fs.readdirSync(dirname(path), { withFileTypes: true }))
    if (isOurs(entry)) fs.rmSync(join(dirname(path), entry.name), { force: true });
}
const halfWritten = new RegExp(`^\\.[0-9a-f]{${besideBytes * 2}}\\.tmp$`);

/** Undefined when nothing exists at the path, also when one of its parent folders is in fact a file. */
export const lstatIfExists = (path: string): fs.Stats | undefined =>
  unlessBlocked(() => fs.lstatSync(path, { throwIfNoEntry: false }));
export const statIfExists = (path: string): fs.Stats | undefined =>
  unlessBlocked(() => fs.statSync(path, { throwIfNoEntry: false }));
/** With times to the nanosecond. */
export const lstatExactly = (path: string): fs.BigIntStats | undefined =>
  unlessBlocked(() => fs.lstatSync(path, { throwIfNoEntry: false, bigint: true }));

function unlessBlocked<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isErrno(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** A rename is only durable once its folder is. */
export function syncDir(path: string): void {
  const fd = fs.openSync(path, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Creates a folder that only its owner can access. */
export function ensureDir(path: string, mode = 0o700): void {
  try {
    fs.mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    // On a read-only or full disk, a recursive mkdir fails with ENOENT. Without `recursive` it gives the reason.
    if (isErrno(error, "ENOENT") && fs.existsSync(dirname(path))) fs.mkdirSync(path, { mode });
    throw error;
  }
}

/** Above `bytesMax`, nothing is read and the size is the error. */
export function readIfExists(path: string, bytesMax = Number.POSITIVE_INFINITY): string | null {
  return readBytesIfExists(path, bytesMax)?.toString("utf8") ?? null;
}

export function readBytesIfExists(path: string, bytesMax = Number.POSITIVE_INFINITY): Buffer | null {
  return withFile(path, { isLinkFollowed: true }, (fd, size) => {
    if (size > bytesMax) throw notAFile(path, `It is larger than ${bytesMax >> 10} kB.`);
    return fs.readFileSync(fd);
  });
}

/**
 * Every file that a person, a repository or an agent could have put there is read through this. Null: there is none. Anything
 * but a file is an error: a pipe would wait for a writer, and a device may never end.
 */
export function withFile<T>(
  path: string,
  { isLinkFollowed }: { readonly isLinkFollowed: boolean },
  use: (fd: number, size: number) => T,
): T | null {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const fd = openIfExists(path, O_RDONLY | O_NONBLOCK | (isLinkFollowed ? 0 : O_NOFOLLOW));
  if (fd === null) return null;
  try {
    const stat = fs.fstatSync(fd);
    // A folder is reported as by any other read of one.
    if (stat.isDirectory()) throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: "EISDIR" });
    if (!stat.isFile()) throw notAFile(path, "It is a pipe or a device.");
    return use(fd, stat.size);
  } finally {
    fs.closeSync(fd);
  }
}

function openIfExists(path: string, flags: number): number | null {
  try {
    return fs.openSync(path, flags);
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return null;
    // A socket.
    if (isErrno(error, "ENXIO")) throw notAFile(path, "It is a pipe or a device.");
    throw error;
  }
}

export const isNotAFile = (error: unknown): boolean =>
  isErrno(error, "EISDIR") || (error instanceof UserError && error.code === "not-a-file");

const notAFile = (path: string, why: string): UserError =>
  new UserError("not-a-file", {
    what: `${path} was not read.`,
    why,
    next: `Replace it with a file, or remove it: ${path}`,
  });

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
