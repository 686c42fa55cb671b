// Where the repository of a folder is: read from files, without git, because an agent may have written them.
import * as fs from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isErrno, lstatIfExists, readIfExists, statIfExists } from "../../../host/disk.ts";

export type Repo = {
  /** The git folder of this working folder, with HEAD and the index. */
  gitDir: string;
  /** Shared by all worktrees: refs, objects, configuration. Equal to `gitDir` except in a linked worktree. */
  commonDir: string;
  /** The text of `.git` if it is a file (a linked worktree, a submodule); null if it is a folder. */
  gitFile: string | null;
};

/** The repository whose top folder is `root`, or null: no `.git`, or an invalid one. */
export function locate(root: string): Repo | null {
  const dotGit = join(root, ".git");
  const stat = lstatIfExists(dotGit);
  // A file named `commondir` in a `.git` folder would redirect git; no honest repository has one there.
  if (stat?.isDirectory()) return { gitDir: dotGit, commonDir: dotGit, gitFile: null };
  const gitFile = readSmall(dotGit);
  if (gitFile === null) return null;
  const target = /^gitdir: (.+?)\n*$/.exec(gitFile)?.[1];
  if (target === undefined) return null;
  const gitDir = isAbsolute(target) ? target : resolve(root, target);
  if (!statIfExists(gitDir)?.isDirectory()) return null;
  const common = readSmall(join(gitDir, "commondir"))?.trim();
  return { gitDir, commonDir: common === undefined ? gitDir : resolve(gitDir, common), gitFile };
}

/** An agent may have made a pipe of it, or a file without end. These have one line. */
const readSmall = (path: string): string | null => {
  const stat = lstatIfExists(path);
  return stat?.isFile() && stat.size <= 64 * 1024 ? readIfExists(path) : null;
};

/** Identifies this workspace for a lock. Each worktree of a repository has its own. */
export function lockKey(root: string): string {
  const real = fs.realpathSync(root);
  const repo = locate(real);
  return repo === null ? real : fs.realpathSync(repo.gitDir);
}

/** An empty folder named `.git` is not a repository, nor is an unreadable one; git agrees. */
export function looksKept(dir: string): boolean {
  const repo = locate(dir);
  if (repo === null) return false;
  try {
    return fs.readdirSync(repo.gitDir).length > 0;
  } catch (error) {
    if (isErrno(error, "EACCES")) return false;
    throw error;
  }
}

/** The folder at or above `from` that has a repository, or null. */
export function findRepositoryRoot(from: string): string | null {
  for (let dir = fs.realpathSync(from); ; dir = dirname(dir)) {
    if (looksKept(dir)) return dir;
    if (dirname(dir) === dir) return null;
  }
}

/** Where git's per-worktree files are inside the common folder: "" or "worktrees/<name>/". */
export function ownPrefix(repo: Repo): string {
  const inside = `${fs.realpathSync(repo.commonDir)}/`;
  const own = `${fs.realpathSync(repo.gitDir)}/`;
  return own.startsWith(inside) ? own.slice(inside.length) : "";
}
