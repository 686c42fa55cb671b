// Which feature is next: the one with open work, then needs-rework, then not-started; dependencies met; the most urgent
// first.
import type { Contract, Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import { progressIn } from "./progresses.ts";
import type { Progress, Run } from "./run.ts";
import { tallyOf } from "./tally.ts";

export function select(run: Run): Feature | null {
  const ready = run.contract.features
    .flatMap((feature) => {
      const rank = feature.dependencies.every((id) => isDone(run, id)) ? rankOf(progressOf(run, feature.id)) : null;
      return rank === null ? [] : [{ feature, rank }];
    })
    // Stable: equal priorities keep the order of the list.
    .sort((one, other) => one.rank - other.rank || one.feature.priority - other.feature.priority);
  return ready[0]?.feature ?? null;
}

/** Open work, then rework, then features not yet begun. Null: it cannot be worked on now. */
function rankOf({ status, base }: Progress): 0 | 1 | 2 | null {
  if (status !== "needs-rework" && status !== "not-started") return null;
  // Its unfinished work is still in the workspace: nothing else may be built on top of it, however urgent.
  if (base !== null) return 0;
  return status === "needs-rework" ? 1 : 2;
}

/** A dependency outside this run's scope counts as done: planning refuses the run otherwise. */
export function isDone(run: Run, id: FeatureId): boolean {
  const status = progressIn(run.progress, id)?.status;
  return status === undefined || status === "complete" || status === "existing";
}

export function progressOf(run: Run, id: FeatureId): Progress {
  const progress = progressIn(run.progress, id);
  if (progress === undefined) throw new RangeError(`no feature ${id} in this run`);
  return progress;
}

const byId = new WeakMap<Contract["features"], ReadonlyMap<FeatureId, Feature>>();

export function findFeature({ features }: Contract, id: FeatureId): Feature | undefined {
  let known = byId.get(features);
  if (known === undefined) {
    known = new Map(features.map((feature) => [feature.id, feature]));
    byId.set(features, known);
  }
  return known.get(id);
}

export function featureOf(contract: Contract, id: FeatureId): Feature {
  const feature = findFeature(contract, id);
  if (feature === undefined) throw new RangeError(`no feature ${id} in this contract`);
  return feature;
}

export const allDone = ({ contract, progress }: Run): boolean => tallyOf(progress).done === contract.features.length;
export const unfinished = (run: Run): FeatureId[] =>
  run.contract.features.filter((f) => !isDone(run, f.id)).map((f) => f.id);
