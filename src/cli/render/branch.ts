// Which branch a run is about, in words: a person should know before it starts.
import type { PlannedRun } from "../../project/plan/plan-run.ts";
import type { HeadName } from "../../workspace/head-name.ts";

/** `isForPr`: its commits are for a pull request. */
export function branchText(head: HeadName | null, place: PlannedRun["place"], isForPr = false): string {
  if (head === null) return "without git";
  if (!("branch" in head)) {
    const at = `HEAD is detached at ${head.commit.slice(0, 10)}`;
    return place === "here"
      ? `${at}: commits will be on no branch. To have one: git switch -c NAME`
      : `${at}: the run works on a branch of a worktree, and you merge it yourself`;
  }
  const named = `${head.branch}${head.isDefault ? " (the default branch)" : ""}`;
  return place === "here"
    ? `branch ${named}: each proved feature is a commit on it`
    : isForPr
      ? `branch ${named}: work happens in a worktree and stays on a branch of it, for a pull request`
      : `branch ${named}: work happens in a worktree and lands here once it is proved`;
}
