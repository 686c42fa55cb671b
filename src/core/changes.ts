// Which features changed from one progress to a later one, so that what follows from all of them need not be made anew.
import type { FeatureId } from "./ids.ts";
import type { Run } from "./run.ts";

/** A log that the states of one history share; each has read it up to its own place. */
type Place = { readonly log: FeatureId[]; readonly at: number };

// A memory, not a part of the state: a state that is not in it is one about which nothing is known.
const places = new WeakMap<Run["progress"], Place>();
/** Then a new log begins, and whoever asks about a state before it looks at everything once. */
const logMax = 1000;

export function noteChange(before: Run["progress"], id: FeatureId, after: Run["progress"]): void {
  let place = places.get(before);
  // Two states that follow from one have two histories: the log is the first one's, and the second begins its own.
  if (place === undefined || place.log.length !== place.at || place.at >= logMax) {
    place = { log: [], at: 0 };
    places.set(before, place);
  }
  place.log.push(id);
  places.set(after, { log: place.log, at: place.at + 1 });
}

/** The features whose progress may differ; null: any may. */
export function changedSince(before: Run["progress"], after: Run["progress"]): readonly FeatureId[] | null {
  if (before === after) return [];
  const [from, to] = [places.get(before), places.get(after)];
  if (from === undefined || to === undefined || from.log !== to.log || from.at > to.at) return null;
  return [...new Set(to.log.slice(from.at, to.at))];
}
