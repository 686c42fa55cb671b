// When a run may call itself done: it made at least one commit, and everything is proved or reviewed.
import type { FeatureId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { entriesOf } from "./progresses.ts";
import type { Progress, Run } from "./run.ts";
import { unfinished } from "./select.ts";
import { file } from "./stop.ts";

/** Proved by the loop's own runs, reviewed, or already present before this run. */
export const isSettled = ({ status, commit, grade }: Progress): boolean =>
  status === "existing" || (status === "complete" && (commit === null || grade === "strong" || grade === "reviewed"));

/** The run with its outcome if it must not call itself done; null if nothing stands in the way. */
export function notDone(run: Run): Run | null {
  const open = [...new Set([...unfinished(run), ...unsettled(run)])];
  if (open.length > 0) return file(run, { kind: "inbox", features: open });
  if (run.progress.all.some(({ commit }) => commit !== null)) return null;
  const others = run.inbox.filter((item) => item.feature !== null || item.kind !== "blocked");
  return file({ ...run, inbox: [...others, nothingDone] }, { kind: "inbox", features: [] });
}

const unsettled = ({ progress }: Run): FeatureId[] =>
  entriesOf(progress).flatMap(([id, each]) => (isSettled(each) ? [] : [id]));

const nothingDone: InboxItem = { kind: "blocked", feature: null, by: { is: "no-work" } };

/** How many features this run has committed, by grade. */
export function doneCounts({ progress }: Run): { readonly proved: number; readonly reviewed: number } {
  const made = progress.all.filter(({ commit }) => commit !== null);
  const count = (grade: Progress["grade"]): number => made.filter((each) => each.grade === grade).length;
  return { proved: count("strong"), reviewed: count("reviewed") };
}
