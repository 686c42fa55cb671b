// Makes the person's index say what a new commit of the loop's says, so that `git status` is clean.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import { isErrno } from "../../host/disk.ts";
import { converting, type Ground, onFolder, withTemporaryIndex } from "./ground.ts";
import type { Repo } from "./repo.ts";
import { commitForm } from "./tree.ts";

/**
 * The private index knows the files' times already, so nothing is read again and no filter would have to run. It is as
 * old as the tree: a file that changed since has another time now, and git finds that out for itself.
 */
export async function installIndex(ground: Ground, repo: Repo, tree: TreeId): Promise<void> {
  const commitIndex = ground.memory.commitIndex ?? (await commitForm(ground)).commitIndex;
  const on = commitIndex === ground.vault.index ? onFolder : converting;
  await withTemporaryIndex(ground, commitIndex, async (index) => {
    // On the folder, so that git compares what was written in the same instant as the index, and goes on doubting it.
    await ground.git(["read-tree", "--reset", tree], on(ground, ground.root, index));
    replaceLocked(join(repo.gitDir, "index"), fs.readFileSync(index));
  });
}

// The lock is git's own: whoever else is about to write the index has it, and then we wait a little and give up.
function replaceLocked(path: string, bytes: Buffer): void {
  const lock = `${path}.lock`;
  let fd: number;
  try {
    fd = fs.openSync(lock, "wx", 0o644);
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
    throw new UserError("index-locked", {
      what: "The commit was made, but your index was not updated.",
      why: `Another git process holds ${lock}.`,
      next: "Wait for it to end, or remove the file if none runs; then run: loop continue",
    });
  }
  fs.writeFileSync(fd, bytes);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync(lock, path);
}
