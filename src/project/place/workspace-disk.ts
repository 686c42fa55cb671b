// Single files of the workspace, reached without following links.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { Bug } from "../../core/errors.ts";
import { isErrno, isNotAFile, lstatIfExists, removeHalfWritten, withFile, writeAtomic } from "../../host/disk.ts";
import type { WorkspaceDisk } from "../../runtime/ports.ts";
import { leftBeside } from "../../workspace/git/store/store.ts";

export function workspaceDisk(root: string): WorkspaceDisk {
  return {
    read: (path) => opened(root, path, (fd, size) => (size > bytesMax ? tooLarge : fs.readFileSync(fd, "utf8"))),
    write(path, text) {
      const full = inside(root, path);
      if (text === null) {
        if (isReachable(root, path)) fs.rmSync(full, { force: true });
        return;
      }
      makeWay(root, path);
      writeAtomic(full, text, { mode: 0o644, durable: false });
    },
  };
}

/** None of these files is read by anyone beyond this. An agent can make one of any size, without writing a byte. */
const bytesMax = 256 << 20;
const tooLarge = `(This file is larger than ${bytesMax >> 20} MB and was not read.)\n`;

/** Null: there is no such file, it is reached through a link, or it is not a file. */
function opened<T>(root: string, path: string, use: (fd: number, size: number) => T): T | null {
  const full = inside(root, path);
  if (!isReachable(root, path)) return null;
  try {
    return withFile(full, { isLinkFollowed: false }, use);
  } catch (error) {
    if (isNotAFile(error) || isErrno(error, "ELOOP")) return null;
    throw error;
  }
}

/**
 * A crash may have interrupted a write of ours. The leftover would look like a person's file, and be committed as one.
 */
export function sweepHalfWritten(root: string, paths: readonly string[]): void {
  for (const path of paths) if (isReachable(root, path)) removeHalfWritten(inside(root, path));
}

function inside(root: string, path: string): string {
  const parts = path.split("/");
  if (path === "" || parts.some((part) => part === "" || part === "." || part === ".."))
    throw new Bug(`not a path of the workspace: ${path}`);
  return join(root, path);
}

/** Whether all folders on the path are real folders. */
function isReachable(root: string, path: string): boolean {
  return folders(root, path).every((folder) => lstatIfExists(folder)?.isDirectory() === true);
}

/** A link or a file in place of one of our folders is moved away; never written through. */
function makeWay(root: string, path: string): void {
  for (const folder of folders(root, path)) {
    if (lstatIfExists(folder)?.isDirectory() !== true) moveAway(root, folder);
    if (lstatIfExists(folder) === undefined) fs.mkdirSync(folder);
  }
  const full = join(root, path);
  if (lstatIfExists(full)?.isDirectory() === true) moveAway(root, full);
}

/** Where no checkpoint and no commit looks: next to our file it would be committed as somebody's work. */
export const asideFolder = ".loop/set-aside";

function moveAway(root: string, path: string): void {
  if (lstatIfExists(path) === undefined) return;
  const name = `${basename(path)}-${Date.now()}-${randomBytes(3).toString("hex")}`;
  const isWayThere = folders(root, `${asideFolder}/${name}`).includes(path);
  if (isWayThere) fs.renameSync(path, join(root, leftBeside + name));
  makeWay(root, `${asideFolder}/${name}`);
  if (!isWayThere) fs.renameSync(path, join(root, asideFolder, name));
  // Also what a crash has left.
  for (const left of fs.readdirSync(root).filter((each) => each.startsWith(leftBeside)))
    fs.renameSync(join(root, left), join(root, asideFolder, left.slice(leftBeside.length)));
}

function folders(root: string, path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)));
}
