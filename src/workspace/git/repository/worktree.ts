// Makes and removes a linked worktree with its branch. The folder that it is made from stays as it is.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { type CommitId, commitId } from "../../../core/ids.ts";
import { lstatIfExists, readIfExists } from "../../../host/disk.ts";
import { removeTree } from "../../../host/remove-tree.ts";
import { type Git, GitFailed, makeGit } from "../git.ts";
import { locate, type Repo } from "./repo.ts";
import { readSettings } from "./settings.ts";

export type WorktreeOrder = {
  /** A folder of the repository. */
  readonly root: string;
  readonly dir: string;
  readonly branch: string;
  /** Where a new branch begins. A branch that exists stays where it is. */
  readonly at: CommitId;
};

/** `home` is an empty folder for git. The worktree has no files yet. */
export async function addWorktree({ root, dir, branch, at }: WorktreeOrder, home: string): Promise<void> {
  const { git, repo } = inRepository(root, home);
  const { name = "", email = "" } = (await readSettings(git, root, repo)).identity ?? {};
  fs.mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  const isNew = (await tipOf(root, branch, home)) === null;
  const what = isNew ? ["-b", branch, dir, at] : ["--force", dir, branch];
  try {
    await git(["worktree", "add", "--quiet", "--no-checkout", ...what], {
      gitDir: repo.commonDir,
      env: { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
    });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new UserError("worktree-not-made", {
      what: "The run did not start.",
      why: `Git could not make its worktree and branch: ${error.stderr.trim().split("\n").at(-1) ?? ""}`,
      next: "Run it in your folder with --here, or remove what is in the way.",
    });
  }
}

/** What is checked out in a folder. Null: HEAD is detached. */
export async function currentBranch(
  root: string,
  home: string,
): Promise<{ readonly head: CommitId; readonly branch: string | null }> {
  const { git, repo } = inRepository(root, home);
  const where = { gitDir: repo.gitDir, commonDir: repo.commonDir };
  const head = commitId((await git(["rev-parse", "--verify", "HEAD"], where)).stdout.toString("utf8").trim());
  const { code, stdout } = await git(["symbolic-ref", "--quiet", "--short", "HEAD"], { ...where, codes: [1] });
  return { head, branch: code === 0 ? stdout.toString("utf8").trim() : null };
}

/** Null: there is no such branch. */
export async function tipOf(root: string, branch: string, home: string): Promise<CommitId | null> {
  const { git, repo } = inRepository(root, home);
  const args = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`];
  const { code, stdout } = await git(args, { gitDir: repo.commonDir, codes: [1, 128] });
  return code === 0 ? commitId(stdout.toString("utf8").trim()) : null;
}

export async function isAncestor(root: string, old: string, current: string, home: string): Promise<boolean> {
  const { git, repo } = inRepository(root, home);
  const args = ["merge-base", "--is-ancestor", old, current];
  return (await git(args, { gitDir: repo.commonDir, codes: [1, 128] })).code === 0;
}

/** The branches that have a commit; the one that is checked out in the folder comes first. */
export async function branchesWith(root: string, commit: CommitId, home: string): Promise<string[]> {
  const { git, repo } = inRepository(root, home);
  const args = ["for-each-ref", `--contains=${commit}`, "--format=%(HEAD)%(refname:short)", "refs/heads"];
  const { code, stdout } = await git(args, {
    gitDir: repo.gitDir,
    commonDir: repo.commonDir,
    codes: [128, 129],
  });
  const lines = code === 0 ? stdout.toString("utf8").split("\n").filter(Boolean) : [];
  return lines
    .sort((one, other) => Number(other.startsWith("*")) - Number(one.startsWith("*")))
    .map((line) => line.slice(1));
}

/** The newest commit that both have; null: there is none. */
export async function mergeBase(root: string, one: string, other: string, home: string): Promise<CommitId | null> {
  const { git, repo } = inRepository(root, home);
  const { code, stdout } = await git(["merge-base", one, other], { gitDir: repo.commonDir, codes: [1, 128] });
  return code === 0 ? commitId(stdout.toString("utf8").trim()) : null;
}

/** The commits that `to` has and `from` has not, oldest first, along first parents. */
export async function commitsBetween(root: string, from: string, to: string, home: string): Promise<CommitId[]> {
  const { git, repo } = inRepository(root, home);
  const args = ["rev-list", "--reverse", "--first-parent", `${from}..${to}`, "--"];
  const { stdout } = await git(args, { gitDir: repo.commonDir });
  return stdout.toString("utf8").split("\n").filter(Boolean).map(commitId);
}

/** Whether the folder is there, and is a worktree of the repository. */
export function isWorktree(root: string, dir: string): boolean {
  const [above, repo] = [locate(root), lstatIfExists(dir)?.isDirectory() === true ? locate(dir) : null];
  return above !== null && repo !== null && fs.realpathSync(repo.commonDir) === fs.realpathSync(above.commonDir);
}

/** The caller has kept what is in it. The branch stays. */
export function removeWorktree(root: string, dir: string): void {
  const repo = locate(root);
  removeTree(dir);
  if (repo === null) return;
  const worktrees = join(repo.commonDir, "worktrees");
  const names = fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : [];
  for (const name of names)
    if (readIfExists(join(worktrees, name, "gitdir"))?.trim() === join(dir, ".git"))
      fs.rmSync(join(worktrees, name), { recursive: true, force: true });
  if (fs.existsSync(worktrees) && fs.readdirSync(worktrees).length === 0) fs.rmdirSync(worktrees);
}

/** Only if it still points to this commit. */
export async function removeBranch(root: string, branch: string, at: CommitId, home: string): Promise<void> {
  const { git, repo } = inRepository(root, home);
  await git(["update-ref", "-d", `refs/heads/${branch}`, at], { gitDir: repo.commonDir, codes: [1, 128] });
  const parent = dirname(join(repo.commonDir, "refs/heads", branch));
  if (basename(parent) === "loop" && fs.existsSync(parent) && fs.readdirSync(parent).length === 0) fs.rmdirSync(parent);
}

function inRepository(root: string, home: string): { git: Git; repo: Repo } {
  const repo = locate(root);
  if (repo === null)
    throw new UserError("git-missing", {
      what: "The repository was not opened.",
      why: `${root} is not a git repository.`,
      next: "Start in the folder of the repository.",
    });
  return { git: makeGit(home), repo };
}
