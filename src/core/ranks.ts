// Which features could be next, for all features at once: carried over from state to state, since a queue may be long.
import { changedSince } from "./changes.ts";
import type { Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import { progressIn } from "./progresses.ts";
import type { Progress, Run } from "./run.ts";

/** Ranks by position in `order`: open work first, then rework, then features not yet begun. */
export type Ranks = { readonly order: readonly Feature[]; readonly at: Uint8Array };
export const ranks = [0, 1, 2] as const;
/** Cannot be worked on now. */
const notNow = 255;

function rankOf(progress: Progress | undefined, id: FeatureId): number {
  if (progress === undefined) throw new RangeError(`no feature ${id} in this run`);
  const { status, base } = progress;
  if (status !== "needs-rework" && status !== "not-started") return notNow;
  // Its unfinished work is still in the workspace: nothing else may be built on top of it, however urgent.
  if (base !== null) return 0;
  return status === "needs-rework" ? 1 : 2;
}

type Kept = { progress: Run["progress"]; readonly places: ReadonlyMap<FeatureId, number> } & Ranks;
// A cache, not part of the state: it is derived from contract and progress, and recomputed when missing.
const kept = new WeakMap<readonly Feature[], Kept>();

export function ranksOf({ contract, progress }: Run): Ranks {
  const known = kept.get(contract.features);
  const changed = known === undefined ? null : changedSince(known.progress, progress);
  if (known === undefined || changed === null) return remade(contract.features, progress, known);
  for (const id of changed) {
    const place = known.places.get(id);
    if (place !== undefined) known.at[place] = rankOf(progressIn(progress, id), id);
  }
  known.progress = progress;
  return known;
}

function remade(features: readonly Feature[], progress: Run["progress"], known: Kept | undefined): Ranks {
  // Sorting is stable: equal priorities keep the order of the list.
  const order = known?.order ?? [...features].sort((one, other) => one.priority - other.priority);
  const places = known?.places ?? new Map(order.map(({ id }, at) => [id, at]));
  const made = {
    order,
    places,
    progress,
    at: Uint8Array.from(order, ({ id }) => rankOf(progressIn(progress, id), id)),
  };
  kept.set(features, made);
  return made;
}
