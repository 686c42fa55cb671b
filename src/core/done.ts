// When a run may call itself done: everything is proved or reviewed, and it did something.
import type { FeatureId } from "./ids.ts";
import { entriesOf } from "./progresses.ts";
import type { InboxItem, Progress, Run } from "./run.ts";
import { unfinished } from "./select.ts";
import { file } from "./stop.ts";

/** Proved by the loop's own runs, reviewed, or there before this run. */
export const isSettled = ({ status, commit, grade }: Progress): boolean =>
  status === "existing" || (status === "complete" && (commit === null || grade === "strong" || grade === "reviewed"));

/** The run with its outcome when it must not call itself done; null: nothing is in the way. */
export function notDone(run: Run): Run | null {
  const open = [...new Set([...unfinished(run), ...unsettled(run)])];
  if (open.length > 0) return file(run, { kind: "inbox", features: open });
  if (run.progress.all.some(({ commit }) => commit !== null)) return null;
  const others = run.inbox.filter((item) => item.feature !== null || item.kind !== "blocked");
  return file({ ...run, inbox: [...others, nothingDone(run)] }, { kind: "inbox", features: [] });
}

const unsettled = ({ progress }: Run): FeatureId[] =>
  entriesOf(progress).flatMap(([id, each]) => (isSettled(each) ? [] : [id]));

const nothingDone = ({ contract }: Run): InboxItem => ({
  kind: "blocked",
  feature: null,
  text: "No feature is left to work on, and this run has done none.",
  supposition: null,
  next: `Add a feature to ${contract.recordsDir}/FEATURES.json, then: loop continue. To end the run: loop cancel`,
});

/** `3 features are proved, 1 is reviewed` */
export function doneWords({ progress }: Run): string {
  const made = progress.all.filter(({ commit }) => commit !== null);
  const count = (grade: Progress["grade"]): number => made.filter((each) => each.grade === grade).length;
  const [proved, reviewed] = [count("strong"), count("reviewed")];
  const parts = [
    ...(proved === 0 && reviewed > 0 ? [] : [`${proved} ${proved === 1 ? "feature is" : "features are"} proved`]),
    ...(reviewed === 0 ? [] : [`${reviewed} ${reviewed === 1 ? "is" : "are"} reviewed`]),
  ];
  return parts.join(", ");
}
