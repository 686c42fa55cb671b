// Which feature is next: the one whose work lies open, then needs-rework, then not-started; dependencies met; the most
// urgent first.
import type { Contract, Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import type { Progress, Run } from "./run.ts";
import { tallyOf } from "./tally.ts";

export function select(run: Run): Feature | null {
  let best: { feature: Feature; rank: number } | null = null;
  for (const feature of run.contract.features) {
    const rank = rankOf(progressOf(run, feature.id));
    if (rank === null || (best !== null && !comesBefore(feature, rank, best))) continue;
    // Looked at last: it takes the longest, and most features of a long queue are out of the question by now.
    if (feature.dependencies.every((id) => isDone(run, id))) best = { feature, rank };
  }
  return best?.feature ?? null;
}

const comesBefore = (feature: Feature, rank: number, best: { feature: Feature; rank: number }): boolean =>
  rank === best.rank ? feature.priority < best.feature.priority : rank < best.rank;

/** Null: it is nobody's turn to work on it. */
function rankOf({ status, base }: Progress): number | null {
  if (status !== "needs-rework" && status !== "not-started") return null;
  // Its unfinished work is still in the workspace: nothing else may be built upon that, however urgent.
  if (base !== null) return 0;
  return status === "needs-rework" ? 1 : 2;
}

/** A dependency outside the scope of this run counts by the status its file gave it. */
export function isDone(run: Run, id: FeatureId): boolean {
  const status = run.progress[id]?.status;
  return status === undefined || status === "complete" || status === "existing";
}

export function progressOf(run: Run, id: FeatureId): Progress {
  const progress = run.progress[id];
  if (progress === undefined) throw new RangeError(`no feature ${id} in this run`);
  return progress;
}

export function featureOf(contract: Contract, id: FeatureId): Feature {
  const feature = contract.features.find((f) => f.id === id);
  if (feature === undefined) throw new RangeError(`no feature ${id} in this contract`);
  return feature;
}

export const allDone = ({ contract, progress }: Run): boolean => tallyOf(progress).done === contract.features.length;
export const unfinished = (run: Run): FeatureId[] =>
  run.contract.features.filter((f) => !isDone(run, f.id)).map((f) => f.id);
