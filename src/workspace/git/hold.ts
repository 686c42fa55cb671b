// Shows held work to people: a commit on a separate branch that the loop never reads.
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug } from "../../core/errors.ts";
import { isPlainName } from "../../core/ids.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { type HoldOrder, heldBranches } from "../workspace.ts";
import { keepTrees } from "./checkpoint.ts";
import { commitInStore } from "./commit.ts";
import { GitFailed } from "./git.ts";
import type { Ground } from "./ground.ts";
import { handOver } from "./hand-over.ts";
import { locate, type Repo } from "./repo.ts";

export async function hold(ground: Ground, { name, tree, parent, subject }: HoldOrder): Promise<string | null> {
  const branch = branchOf(name);
  await keepTrees(ground, `refs/held/${name}`, [tree]);
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (repo === null || isCheckedOut(repo, branch)) return null;
  const made = await commitInStore(ground, { tree, parent, subject, body: "", trailers: {} });
  await handOver(ground, made, { tree, parent }, join(repo.commonDir, "objects"));
  // Recorded first: the loop recognizes its own branch, even after a crash in between.
  writeAtomic(notePath(ground, name), made);
  return (await updateRef(ground, repo, [`refs/heads/${branch}`, made])) ? branch : null;
}

export async function release(ground: Ground, name: string): Promise<void> {
  const branch = branchOf(name);
  const made = readIfExists(notePath(ground, name));
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (repo !== null && made !== null && !isCheckedOut(repo, branch))
    await updateRef(ground, repo, ["-d", `refs/heads/${branch}`, made]);
  fs.rmSync(notePath(ground, name), { force: true });
  fs.rmSync(join(ground.vault.store, "refs/held", name), { force: true });
}

function branchOf(name: string): string {
  if (!isPlainName(name)) throw new Bug(`not a name for held work: ${JSON.stringify(name.slice(0, 100))}`);
  return `${heldBranches}/${name}`;
}

const notePath = (ground: Ground, name: string): string => join(ground.vault.dir, `held-${name}`);

/** False: git refused. For example, a branch named `loop` is in the way, or the ref has moved meanwhile. */
async function updateRef(ground: Ground, repo: Repo, args: readonly string[]): Promise<boolean> {
  const { name = "", email = "" } = ground.settings.identity ?? {};
  try {
    await ground.git(["update-ref", ...args], {
      gitDir: repo.commonDir,
      env: { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
    });
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

/** Moving a checked-out branch would make every file in that worktree look changed. */
function isCheckedOut({ commonDir }: Repo, branch: string): boolean {
  const worktrees = join(commonDir, "worktrees");
  const others = fs.existsSync(worktrees) ? fs.readdirSync(worktrees).map((each) => join(worktrees, each)) : [];
  return [commonDir, ...others].some((dir) => readIfExists(join(dir, "HEAD"))?.trim() === `ref: refs/heads/${branch}`);
}
