// Sums over all features. They are needed after every event, so each is carried over from the previous state.
import { noteChange } from "./changes.ts";
import type { FeatureId } from "./ids.ts";
import { progressIn, replaced } from "./progresses.ts";
import type { Progress, Run } from "./run.ts";

export type Tally = {
  /** Features that are complete or already existed. */
  readonly done: number;
  readonly criteriaMet: number;
};

// A cache, not part of the state: it is derived from the progress alone and garbage-collected with it.
const tallies = new WeakMap<Run["progress"], Tally>();

export function tallyOf(progress: Run["progress"]): Tally {
  const known = tallies.get(progress);
  if (known !== undefined) return known;
  const { all } = progress;
  const counted: Tally = {
    done: all.filter(isFinished).length,
    criteriaMet: all.reduce((sum, { criteriaMet }) => sum + criteriaMet.length, 0),
  };
  tallies.set(progress, counted);
  return counted;
}

/** The progress with one feature changed. */
export function withProgress(before: Run["progress"], id: FeatureId, change: Progress): Run["progress"] {
  const after = replaced(before, id, change);
  const [tally, was] = [tallies.get(before), progressIn(before, id)];
  if (was === undefined) return after;
  noteChange(before, id, after);
  if (tally === undefined) return after;
  tallies.set(after, {
    done: tally.done + Number(isFinished(change)) - Number(isFinished(was)),
    criteriaMet: tally.criteriaMet + change.criteriaMet.length - was.criteriaMet.length,
  });
  return after;
}

/** Complete, or there before. */
export const isFinished = ({ status }: Progress): boolean => status === "complete" || status === "existing";
