// Which feature is next: the one whose work lies open, then needs-rework, then not-started; dependencies met; the most
// urgent first.
import type { Contract, Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import type { Progress, Run } from "./run.ts";

export function select(run: Run): Feature | null {
  let best: Feature | null = null;
  for (const feature of run.contract.features) {
    if (rank(run, feature) === null) continue;
    if (best === null || before(run, feature, best)) best = feature;
  }
  return best;
}

function before(run: Run, a: Feature, b: Feature): boolean {
  const [rankA, rankB] = [rank(run, a) ?? 0, rank(run, b) ?? 0];
  return rankA === rankB ? a.priority < b.priority : rankA < rankB;
}

/** Null: it cannot be worked on now. */
function rank(run: Run, feature: Feature): number | null {
  const { status } = progressOf(run, feature.id);
  if (status !== "needs-rework" && status !== "not-started") return null;
  if (!feature.dependencies.every((id) => isDone(run, id))) return null;
  if (isInTree(run, feature.id)) return 0;
  return status === "needs-rework" ? 1 : 2;
}

/** Its unfinished work is still in the workspace: nothing else may be built upon that, however urgent. */
const isInTree = (run: Run, id: FeatureId): boolean => progressOf(run, id).base !== null;

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

export const allDone = (run: Run): boolean => run.contract.features.every((f) => isDone(run, f.id));
export const unfinished = (run: Run): FeatureId[] =>
  run.contract.features.filter((f) => !isDone(run, f.id)).map((f) => f.id);
