// The progress of all features, as two parallel lists. Changing one of ten thousand only copies a list, where copying a
// table costs milliseconds.
import type { FeatureId } from "./ids.ts";
import type { Progress } from "./run.ts";

/** `all` is in the order of `ids`. States with the same features share their ids. */
export type Progresses = { readonly ids: readonly FeatureId[]; readonly all: readonly Progress[] };

export function progresses(entries: readonly (readonly [FeatureId, Progress])[]): Progresses {
  // As in a table, the last of two entries with the same id wins.
  const table = new Map(entries);
  return { ids: [...table.keys()], all: [...table.values()] };
}

// A cache, not part of the state: it is derived from the list.
const places = new WeakMap<readonly FeatureId[], ReadonlyMap<FeatureId, number>>();

function placeIn(ids: readonly FeatureId[], id: FeatureId): number | undefined {
  let known = places.get(ids);
  if (known === undefined) {
    known = new Map(ids.map((each, at) => [each, at]));
    places.set(ids, known);
  }
  return known.get(id);
}

/** Undefined: no such feature in the run. */
export function progressIn({ ids, all }: Progresses, id: FeatureId): Progress | undefined {
  const at = placeIn(ids, id);
  return at === undefined ? undefined : all[at];
}

/** With one feature changed, or added at the end. */
export function replaced({ ids, all }: Progresses, id: FeatureId, change: Progress): Progresses {
  const at = placeIn(ids, id);
  if (at === undefined) return { ids: [...ids, id], all: [...all, change] };
  const copy = all.slice();
  copy[at] = change;
  return { ids, all: copy };
}

export const entriesOf = ({ ids, all }: Progresses): (readonly [FeatureId, Progress])[] =>
  all.flatMap((progress, at) => {
    const id = ids[at];
    return id === undefined ? [] : [[id, progress] as const];
  });
