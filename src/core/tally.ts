// Sums over all features. They are asked for after every event, so each is carried over from the state before it.
import { noteChange } from "./changes.ts";
import type { FeatureId } from "./ids.ts";
import { progressIn, replaced } from "./progresses.ts";
import type { Progress, Run } from "./run.ts";

export type Tally = {
  /** Features that are complete or were there before. */
  readonly done: number;
  readonly criteriaMet: number;
  /** The most attempts that a feature took. */
  readonly attemptsMax: number;
};

// A memory, not a part of the state: what it holds follows from the progress alone, and goes away with it.
const tallies = new WeakMap<Run["progress"], Tally>();

export function tallyOf(progress: Run["progress"]): Tally {
  const known = tallies.get(progress);
  if (known !== undefined) return known;
  const { all } = progress;
  const counted: Tally = {
    done: all.filter(isDoneAs).length,
    criteriaMet: all.reduce((sum, { criteriaMet }) => sum + criteriaMet.length, 0),
    attemptsMax: all.reduce((most, { attempts }) => Math.max(most, attempts), 0),
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
  // Whoever had the most attempts and has fewer now leaves it open who has the most: then it is counted again.
  if (was.attempts === tally.attemptsMax && change.attempts < was.attempts) return after;
  tallies.set(after, {
    done: tally.done + Number(isDoneAs(change)) - Number(isDoneAs(was)),
    criteriaMet: tally.criteriaMet + change.criteriaMet.length - was.criteriaMet.length,
    attemptsMax: Math.max(tally.attemptsMax, change.attempts),
  });
  return after;
}

const isDoneAs = ({ status }: Progress): boolean => status === "complete" || status === "existing";
