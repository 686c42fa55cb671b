// Makes the person's index match a new commit by the loop, so that `git status` is clean.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import type { TreeId } from "../../../core/ids.ts";
import { isErrno, lstatExactly } from "../../../host/disk.ts";
import { commitForm } from "../files/tree.ts";
import { converting, type Ground, onFolder, withTemporaryIndex } from "../ground.ts";
import type { Repo } from "../repository/repo.ts";

/**
 * The private index already knows the files' times, so nothing is read again and no filter has to run. It is as old as
 * the tree: a file that changed since has a different time now, and git notices.
 */
export async function installIndex(ground: Ground, repo: Repo, tree: TreeId): Promise<void> {
  const commitIndex = ground.memory.commitIndex ?? (await commitForm(ground)).commitIndex;
  const on = commitIndex === ground.vault.index ? onFolder : converting;
  await withTemporaryIndex(ground, commitIndex, async (index) => {
    // On the folder, so that git compares files written in the same instant as the index, and keeps rechecking them.
    await ground.git(["read-tree", "--reset", tree], on(ground, ground.root, index));
    replaceLocked(join(repo.gitDir, "index"), fs.readFileSync(index));
  });
}

/**
 * The lock is git's own: if another process holds it, we give up. It starts as a separate file of ours, then gets a
 * second name as the lock. So we recognize a lock that our own crash left behind, and never remove another process's
 * lock.
 */
function replaceLocked(path: string, bytes: Buffer): void {
  const lock = `${path}.lock`;
  releaseOurs(path, lock);
  const beside = `${path}${mark}${randomBytes(6).toString("hex")}`;
  try {
    writeSynced(beside, bytes);
    takeLock(beside, lock);
    fs.renameSync(lock, path);
  } catch (error) {
    if (isSame(beside, lock)) removeQuietly(lock);
    throw error;
  } finally {
    removeQuietly(beside);
  }
}

const mark = ".loop-";

function writeSynced(path: string, bytes: Buffer): void {
  const fd = fs.openSync(path, "wx", 0o644);
  try {
    fs.writeFileSync(fd, bytes);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function takeLock(beside: string, lock: string): void {
  try {
    linkOrCopy(beside, lock);
  } catch (error) {
    throw isErrno(error, "EEXIST") ? heldBy(lock) : error;
  }
}

function linkOrCopy(beside: string, lock: string): void {
  try {
    fs.linkSync(beside, lock);
  } catch (error) {
    // Without hard links the lock is a copy; after a crash a person has to remove it.
    if (!noSecondName.some((code) => isErrno(error, code))) throw error;
    fs.copyFileSync(beside, lock, fs.constants.COPYFILE_EXCL);
  }
}
const noSecondName = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Removes only what a crash of our own process left. The caller holds the workspace lock. */
function releaseOurs(path: string, lock: string): void {
  const name = `${basename(path)}${mark}`;
  const left = fs.readdirSync(dirname(path)).filter((entry) => entry.startsWith(name));
  for (const beside of left.map((entry) => join(dirname(path), entry))) {
    if (isSame(beside, lock)) fs.rmSync(lock, { force: true });
    fs.rmSync(beside, { force: true });
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lstatExactly(path));
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}

function removeQuietly(path: string): void {
  try {
    fs.rmSync(path);
  } catch {
    // It is already gone, or the next process will recognize it as ours.
  }
}

const heldBy = (lock: string): UserError =>
  new UserError("index-locked", {
    what: "The commit was made, but your index was not updated.",
    why: `Another git process holds ${lock}.`,
    next: "Wait for it to end, or remove the file if none runs; then run: loop continue",
  });
