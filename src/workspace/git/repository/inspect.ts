// What a run must know about a repository before it starts.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { treeId } from "../../../core/ids.ts";
import type { Condition, Obstacle } from "../../workspace.ts";
import { keepRepository } from "../checkpoint.ts";
import { noIdentityText } from "../commits/commit.ts";
import { noteFiltered } from "../files/filtered.ts";
import { commitForm } from "../files/tree.ts";
import { fields, line } from "../git.ts";
import { copyTheirIndex, type Ground, inStore, withTemporaryIndex } from "../ground.ts";
import { changes } from "../store/compare.ts";
import { type Head, headOf } from "./refs.ts";
import { locate, ownPrefix, type Repo } from "./repo.ts";

export async function inspect(ground: Ground): Promise<Condition> {
  const repo = locate(ground.root);
  if (repo === null) return { branch: null, head: null, dirty: [], obstacles: [gone] };
  const { files } = await keepRepository(ground, repo.commonDir, ground.vault.copy, true);
  const head = headOf(ground.vault, files, ownPrefix(repo));
  await noteFiltered(ground);
  const obstacles = [...inProgress(repo), ...unfit(ground, head)];
  const blocked = obstacles.some(({ kind }) => kind === "bare-repository" || kind === "ref-format");
  return {
    branch: head.branch,
    head: head.commit,
    dirty: blocked ? [] : await dirtyPaths(ground, repo, head),
    obstacles,
  };
}

const gone: Obstacle = {
  kind: "git-missing",
  why: "There was a repository here, and .git is gone.",
  next: "Run: loop recover",
};

const operations: readonly (readonly [file: string, kind: Obstacle["kind"], what: string, end: string])[] = [
  ["MERGE_HEAD", "merge-in-progress", "A merge", "git merge --continue, or git merge --abort"],
  ["rebase-merge", "rebase-in-progress", "A rebase", "git rebase --continue, or git rebase --abort"],
  ["rebase-apply", "rebase-in-progress", "A rebase", "git rebase --continue, or git rebase --abort"],
  [
    "CHERRY_PICK_HEAD",
    "cherry-pick-in-progress",
    "A cherry-pick",
    "git cherry-pick --continue, or git cherry-pick --abort",
  ],
  ["REVERT_HEAD", "revert-in-progress", "A revert", "git revert --continue, or git revert --abort"],
  ["BISECT_LOG", "bisect-in-progress", "A bisection", "git bisect reset"],
];

function inProgress({ gitDir }: Repo): Obstacle[] {
  const found = operations
    .filter(([file]) => fs.existsSync(join(gitDir, file)))
    .map(([, kind, what, end]) => ({ kind, why: `${what} is in progress.`, next: end }));
  const lock = join(gitDir, "index.lock");
  if (!fs.existsSync(lock)) return found;
  const next = `Wait for the git command that holds it; if none runs, remove ${lock}`;
  return [
    ...found,
    { kind: "index-locked", why: "The index is locked: another git command runs, or one was killed.", next },
  ];
}

function unfit({ settings }: Ground, head: Head): Obstacle[] {
  const found: Obstacle[] = [];
  if (settings.bare)
    found.push({
      kind: "bare-repository",
      why: "The repository is bare: it has no files to work on.",
      next: "Clone it and start in the clone.",
    });
  if (settings.refFormat !== "files")
    found.push({
      kind: "ref-format",
      why: `Its refs are kept as ${settings.refFormat}, which the loop cannot check.`,
      next: "git refs migrate --ref-format=files",
    });
  if (settings.identity === null)
    found.push({ kind: "no-git-identity", why: noIdentityText.why, next: noIdentityText.next });
  if (head.branch === null && head.commit === null)
    found.push({
      kind: "head-unreadable",
      why: "HEAD points to no branch and no commit.",
      next: "git switch to a branch.",
    });
  return found;
}

/** Paths whose content or staged content differs from HEAD. */
async function dirtyPaths(ground: Ground, repo: Repo, head: Head): Promise<string[]> {
  const empty = line(await ground.git(["mktree"], inStore(ground)));
  const base =
    head.commit === null
      ? treeId(empty)
      : treeId(line(await ground.git(["rev-parse", "--verify", `${head.commit}^{tree}`], inStore(ground))));
  const staged = await stagedPaths(ground, repo, base);
  try {
    const { commitTree } = await commitForm(ground);
    const differing = (await changes(ground, base, commitTree)).map(({ path }) => path);
    return [...new Set([...staged, ...differing])].sort();
  } catch (error) {
    if (error instanceof UserError && error.code === "filtered-file-changed") return [...staged, error.why].sort();
    throw error;
  }
}

/** Paths whose staged content differs from a tree. */
export async function stagedPaths(ground: Ground, repo: Repo, base: string): Promise<string[]> {
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-ext-diff", "--no-renames", base, "--"];
  return withTemporaryIndex(ground, null, async (index) =>
    copyTheirIndex(ground, repo, index) ? fields(await ground.git(args, { ...inStore(ground), index })) : [],
  );
}
