// Shows held work to people: a commit on a separate branch that the loop never reads.
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import { isPlainName } from "../../../core/ids.ts";
import { readIfExists, writeAtomic } from "../../../host/disk.ts";
import { type HeldAs, type HoldOrder, heldBranches } from "../../workspace.ts";
import { keepTrees } from "../checkpoint.ts";
import { GitFailed } from "../git.ts";
import type { Ground } from "../ground.ts";
import { locate, type Repo } from "../repository/repo.ts";
import { commitInStore } from "./commit.ts";
import { handOver } from "./hand-over.ts";

export async function hold(ground: Ground, order: HoldOrder): Promise<string | null> {
  const { tree, parent, subject } = order;
  const at = placeOf(ground, order);
  await keepTrees(ground, at.ref, [tree]);
  const repo = ground.hasGit ? locate(ground.root) : null;
  const branch = repo === null ? null : (readNote(at.note)?.branch ?? (await freeBranch(ground, repo, order)));
  if (repo === null || branch === null || isCheckedOut(repo, branch)) return null;
  const made = await commitInStore(ground, { tree, parent, subject, body: "", trailers: {} });
  await handOver(ground, made, { tree, parent }, join(repo.commonDir, "objects"));
  // Recorded first: the loop recognizes its own branch, even after a crash in between.
  writeAtomic(at.note, `${branch} ${made}`);
  return (await updateRef(ground, repo, [`refs/heads/${branch}`, made])) ? branch : null;
}

export async function release(ground: Ground, of: HeldAs): Promise<void> {
  const at = placeOf(ground, of);
  const known = readNote(at.note);
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (repo !== null && known !== null && !isCheckedOut(repo, known.branch))
    await updateRef(ground, repo, ["-d", `refs/heads/${known.branch}`, known.made]);
  fs.rmSync(at.note, { force: true });
  fs.rmSync(join(ground.vault.store, at.ref), { force: true });
}

/** Where the vault keeps the tree, and notes the branch that shows it. */
function placeOf(ground: Ground, { run, name }: HeldAs): { readonly ref: string; readonly note: string } {
  for (const each of [run, name])
    if (!isPlainName(each)) throw new Bug(`not a name for held work: ${JSON.stringify(each.slice(0, 100))}`);
  return { ref: `refs/held/${run}/${name}`, note: join(ground.vault.dir, `held-${run}-${name}`) };
}

function readNote(path: string): { readonly branch: string; readonly made: string } | null {
  const [branch, made] = (readIfExists(path) ?? "").split(" ");
  return branch === undefined || made === undefined ? null : { branch, made };
}

/** The short name, unless another run or a person has it. Null: both names are taken. */
async function freeBranch(ground: Ground, repo: Repo, { run, name }: HeldAs): Promise<string | null> {
  for (const branch of [`${heldBranches}/${name}`, `${heldBranches}/${name}-${run.slice(-6)}`])
    if (!(await exists(ground, repo, branch))) return branch;
  return null;
}

async function exists(ground: Ground, { commonDir }: Repo, branch: string): Promise<boolean> {
  const asked = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`];
  const { code } = await ground.git(asked, { gitDir: commonDir, codes: [0, 1] });
  return code === 0;
}

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
