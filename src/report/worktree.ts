// The worktree that a run works in, and what has become of its commits.
import type { Run } from "../core/run.ts";

export type Worktree = {
  readonly dir: string;
  /** False: it was removed, after the run landed or was cancelled, or by a person. */
  readonly exists: boolean;
  readonly branch: string;
  /** The branch that it lands on; null: HEAD was detached. */
  readonly onto: string | null;
  /** The last commit that has landed. */
  readonly landed: string | null;
  /** Uncommitted files in the person's folder that landing left as they are. */
  readonly kept: readonly string[];
  /** It has commits that have not landed: of this run, or of one before it that worked in the same worktree. */
  readonly isAhead: boolean;
  /** They never landed, and no branch has them any more: a person dropped them. */
  readonly isDropped: boolean;
  /** Why it has not landed by itself. */
  readonly left: string | null;
  /** A person merges it where landing met lines that both had changed, and where it is for a pull request. */
  readonly landsBy: "land" | "merge" | "pull-request";
  /** Uncommitted files of the person's that landing would overwrite, as of the last attempt. */
  readonly inTheWay: readonly string[];
  /** What became of the records of a run that ended without landing. */
  readonly records: BroughtRecords | null;
};

/** `written` to the person's folder; `left` as they are there, because the person changed them meanwhile. */
export type BroughtRecords = { readonly written: readonly string[]; readonly left: readonly string[] };

/** For the end of a run: where its commits and its records are; empty: nothing to say. */
export const placedText = (worktree: Worktree): string =>
  [landingText(worktree), recordsText(worktree.records)].filter((line) => line !== "").join("\n");

/** A line for each; empty: no records were brought. */
export function recordsText(records: BroughtRecords | null): string {
  const { written, left } = records ?? { written: [], left: [] };
  return [
    written.length === 0 ? "" : `Its records were written to your folder, uncommitted: ${someOf(written)}`,
    left.length === 0
      ? ""
      : `Changed in your folder while the run worked, and left as you have it: ${someOf(left)}. What waits for you: loop inbox`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** The command that brings its commits to the person. A detached HEAD has no branch that they could land on. */
export function landNext({
  branch,
  onto,
  landsBy,
  inTheWay,
}: Pick<Worktree, "branch" | "onto" | "landsBy" | "inTheWay">): string {
  if (landsBy === "pull-request") return "loop report --pr";
  if (onto === null) return `git switch -c NAME ${branch}`;
  if (landsBy === "merge") return `git merge ${branch}`;
  return inTheWay.length === 0 ? "loop land" : `commit or stash ${someOf(inTheWay)}, then: loop land`;
}

/**
 * What is to be done about the commits of a run that is over; null: nothing is. This is what every screen goes by: after the
 * end nothing else would remind anyone of them.
 */
export function landingLeft(worktree: Worktree | null | undefined, now: Run["now"]): string | null {
  if (worktree?.isAhead !== true || now.is !== "stopped") return null;
  const next = landNext(worktree);
  switch (now.outcome.kind) {
    case "success":
      return next;
    case "followup":
      return `loop continue, or: ${next}`;
    default:
      return `${next}, or to drop the commits: git branch -D ${worktree.branch}`;
  }
}

/** One line; empty: nothing to say. */
export function landingText({ branch, onto, landed, kept, isAhead, left, landsBy }: Worktree): string {
  const to = onto ?? "your branch";
  if (isAhead && landsBy === "pull-request")
    return `Its commits are on ${branch}, for a pull request. ${to} is as it was.`;
  if (isAhead) {
    const why = left === null ? "" : ` ${left}`;
    return `Its commits are on ${branch}, and have not landed on ${to} yet.${why}`;
  }
  return landed === null ? "" : `Landed on ${to}, at ${landed.slice(0, 10)}${keptText(kept)}`;
}

/** A line of its own; empty: landing met no uncommitted file. */
export const keptText = (kept: readonly string[]): string =>
  kept.length === 0 ? "" : `\nYour uncommitted changes to ${someOf(kept)} were left as they are.`;

const someOf = (paths: readonly string[]): string =>
  `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;

/** For the status. */
export function placeText(worktree: Worktree): string {
  const { dir, exists, branch, landed, isAhead, isDropped, onto, landsBy } = worktree;
  const is = isAhead
    ? landsBy === "pull-request"
      ? "for a pull request"
      : `not landed on ${onto ?? "your branch"}`
    : isDropped
      ? "dropped before it landed"
      : landed === null
        ? "nothing to land yet"
        : `landed on ${onto ?? "your branch"}`;
  return `${branch}, ${is}${exists ? `, in ${dir}` : ""}`;
}
