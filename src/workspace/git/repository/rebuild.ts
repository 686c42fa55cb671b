// Rebuilds a `.git` that was removed or broken, from the vault's copy.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { lstatIfExists, readIfExists, writeAtomic } from "../../../host/disk.ts";
import { folderMissing } from "../../vault.ts";
import { moveAside } from "../files/move-aside.ts";
import type { Ground } from "../ground.ts";
import { fillObjects, missingObjects } from "../store/objects.ts";
import { rebuildFolder } from "../store/store.ts";
import { type GitFiles, putBackGitFile } from "./git-files.ts";
import type { Repo } from "./repo.ts";

/** Whether this is what `HEAD` says in a repository. */
export const isHead = (text: string | null): boolean =>
  text !== null && /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(text);

/** Whether git could open the repository at all. Links are not followed: `.git` must be a real one. */
export function canOpen(root: string, repo: Repo): boolean {
  const isDir = (path: string) => lstatIfExists(path)?.isDirectory() === true;
  const saysHead = (dir: string) => isHead(readFileOnly(join(dir, "HEAD")));
  if (repo.gitFile !== null && readFileOnly(join(root, ".git")) !== repo.gitFile) return false;
  return (
    [repo.commonDir, join(repo.commonDir, "objects"), join(repo.commonDir, "refs"), repo.gitDir].every(isDir) &&
    saysHead(repo.gitDir) &&
    saysHead(repo.commonDir)
  );
}

export const readFileOnly = (path: string): string | null =>
  lstatIfExists(path)?.isFile() ? readIfExists(path) : null;

/** Rebuilds the repository of the checkpoint from scratch. The remains of the old one are moved to `aside`. */
export function rebuild(ground: Ground, repo: Repo, before: GitFiles, copy: string, root: string, aside: string): void {
  if (!canOpenCommon(repo)) {
    refuseMoved(repo);
    const beside = join(dirname(repo.commonDir), rebuildFolder);
    fs.rmSync(beside, { recursive: true, force: true });
    build(ground, beside, before, copy);
    moveAside(repo.commonDir, join(aside, "dot-git"));
    fs.renameSync(beside, repo.commonDir); // In one step: a crash leaves the old state or the new one.
  }
  for (const path of Object.keys(before.files))
    if (join(repo.commonDir, path) === join(repo.gitDir, "HEAD")) putBackIfOther(ground, repo.commonDir, path, before);
  if (repo.gitFile === null || readFileOnly(join(root, ".git")) === repo.gitFile) return;
  moveAside(join(root, ".git"), join(aside, "dot-git-file"));
  writeAtomic(join(root, ".git"), repo.gitFile, { mode: 0o644 });
}

/**
 * A person has moved the folder whose worktree this is: a repository at its old path would take its place, and be in the
 * way of moving it back.
 */
function refuseMoved({ commonDir, gitFile }: Repo): void {
  const folder = dirname(commonDir);
  if (gitFile !== null && basename(commonDir) === ".git" && lstatIfExists(folder) === undefined)
    throw folderMissing(folder);
}

const canOpenCommon = (repo: Repo): boolean =>
  canOpen(repo.commonDir, { gitDir: repo.commonDir, commonDir: repo.commonDir, gitFile: null });

function putBackIfOther(ground: Ground, dir: string, path: string, before: GitFiles): void {
  if (isHead(readFileOnly(join(dir, path)))) return;
  putBackGitFile(ground.vault, dir, path, before.files[path]);
}

function build(ground: Ground, dir: string, before: GitFiles, copy: string): void {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    fs.mkdirSync(join(dir, folder), { recursive: true });
  fillAll(before, copy, dir);
  for (const [path, file] of Object.entries(before.files)) putBackGitFile(ground.vault, dir, path, file);
}

/** Restores every object that the vault's copy has and the git folder lacks. */
export function fillAll(before: GitFiles, copy: string, gitDir: string): void {
  for (const folder of before.bulk) {
    const [kept, at] = [join(copy, folder), join(gitDir, folder)];
    fillObjects(kept, at, missingObjects(kept, at));
  }
}

/** The same for a nested repository's `.git`. */
export function rebuildNested(
  ground: Ground,
  workTree: string,
  gitFile: string | null,
  before: GitFiles | null,
  copy: string,
  aside: string,
): void {
  const dotGit = join(workTree, ".git");
  fs.mkdirSync(workTree, { recursive: true });
  if (gitFile !== null) {
    if (readFileOnly(dotGit) === gitFile) return;
    moveAside(dotGit, join(aside, "dot-git-file"));
    writeAtomic(dotGit, gitFile, { mode: 0o644 });
    return;
  }
  if (before === null) return;
  rebuild(ground, { gitDir: dotGit, commonDir: dotGit, gitFile: null }, before, copy, workTree, aside);
}
