// Which feature is next: the one with open work, then needs-rework, then not-started; dependencies met; the most urgent
// first.
import type { Contract, Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import { progressIn } from "./progresses.ts";
import { ranks, ranksOf } from "./ranks.ts";
import type { Progress, Run } from "./run.ts";
import { tallyOf } from "./tally.ts";

export function select(run: Run): Feature | null {
  const { order, at } = ranksOf(run);
  for (const rank of ranks) {
    for (let place = at.indexOf(rank); place !== -1; place = at.indexOf(rank, place + 1)) {
      const feature = order[place];
      if (feature?.dependencies.every((id) => isDone(run, id)) === true) return feature;
    }
  }
  return null;
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
