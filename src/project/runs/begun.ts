// Whether a run has begun: its journal has a first line, in the vault or in the copy where it works. Without one, a process
// is beginning it, or was killed before anything was done: no command knows such a run.
import * as fs from "node:fs";
import { join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";
import { removeTree } from "../../host/remove-tree.ts";
import { hasFirstLine } from "../../journal/file/first-line.ts";
import { MirrorDir } from "../../journal/file/mirror-dir.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { rootsOf } from "../place/places.ts";
import { runsDir } from "./home.ts";

/** Folders of runs that have begun, which stays so. There can be many, and every command asks. */
const known = new Set<string>();

export function hasBegun(project: string, run: string): boolean {
  const dir = join(runsDir(vaultDirFor(project)), run);
  if (!fs.existsSync(dir)) return false;
  if (known.has(dir)) return true;
  // A journal that was lost is restored from its copy.
  const isBegun = isThere(dir, run) || copiesOf(project, run).some((copy) => isCopyThere(copy, run));
  if (isBegun) known.add(dir);
  return isBegun;
}

/** A journal that cannot be read now is one: nothing of its run may be removed. */
function isThere(dir: string, run: string): boolean {
  try {
    return hasFirstLine(dir, run);
  } catch {
    return true;
  }
}

/** An agent can have put anything there. */
function isCopyThere(dir: string, run: string): boolean {
  try {
    return hasFirstLine(dir, run);
  } catch {
    return false;
  }
}

/** The folders of the run for people, in the folder where it works. Its task and its place are in files that may be missing. */
const copiesOf = (project: string, run: string): readonly string[] =>
  rootsOf(project).flatMap((root) =>
    namesIn(join(root, ".loop", "tasks"))
      .map((task) => join(root, ".loop", "tasks", task, "runs", run))
      .filter((copy) => fs.existsSync(copy) && new MirrorDir(copy, root).isReal()),
  );

/** What a beginning has left of a run that has not begun. The caller knows that no process is beginning it. */
export function forgetBeginning(project: string, run: string): void {
  for (const copy of copiesOf(project, run)) {
    removeTree(copy);
    removeEmpty(join(copy, ".."));
    removeEmpty(join(copy, "..", ".."));
  }
  removeTree(join(runsDir(vaultDirFor(project)), run));
}

/** Those that were left without a worktree, for longer than a beginning takes. */
export function forgetOldBeginnings(project: string, now = Date.now()): void {
  const dir = runsDir(vaultDirFor(project));
  for (const run of namesIn(dir)) {
    const isOld = now - fs.statSync(join(dir, run)).mtimeMs > beginningMsMax;
    if (isOld && !hasBegun(project, run)) forgetBeginning(project, run);
  }
}

const beginningMsMax = 24 * 3_600_000;

const namesIn = (dir: string): readonly string[] =>
  lstatIfExists(dir)?.isDirectory() === true ? fs.readdirSync(dir) : [];

function removeEmpty(dir: string): void {
  if (fs.readdirSync(dir).length === 0) fs.rmdirSync(dir);
}
