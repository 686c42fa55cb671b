// The progress of all features. `all` is in the order of `ids`.
import type { FeatureId } from "./ids.ts";
import type { Progress } from "./run.ts";

export type Progresses = { readonly ids: readonly FeatureId[]; readonly all: readonly Progress[] };

export function progresses(entries: readonly (readonly [FeatureId, Progress])[]): Progresses {
  // As in a table, the last of two entries with the same id wins.
  const table = new Map(entries);
  return { ids: [...table.keys()], all: [...table.values()] };
}

/** Undefined: no such feature in the run. */
export const progressIn = ({ ids, all }: Progresses, id: FeatureId): Progress | undefined => all[ids.indexOf(id)];

/** With one feature changed, or added at the end. */
export const withProgress = (before: Progresses, id: FeatureId, change: Progress): Progresses =>
  progresses([...entriesOf(before), [id, change]]);

export const entriesOf = ({ ids, all }: Progresses): (readonly [FeatureId, Progress])[] =>
  all.flatMap((progress, at) => {
    const id = ids[at];
    return id === undefined ? [] : [[id, progress] as const];
  });
