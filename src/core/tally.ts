// Sums over all features.
import type { Progress, Run } from "./run.ts";

export type Tally = {
  /** Features that are complete or already existed. */
  readonly done: number;
  readonly criteriaMet: number;
};

export const tallyOf = ({ all }: Run["progress"]): Tally => ({
  done: all.filter(isFinished).length,
  criteriaMet: all.reduce((sum, { criteriaMet }) => sum + criteriaMet.length, 0),
});

/** Complete, or there before. */
export const isFinished = ({ status }: Progress): boolean => status === "complete" || status === "existing";
