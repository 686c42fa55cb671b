// Which features changed between two states, so that results derived from all features need not be recomputed.
import type { FeatureId } from "./ids.ts";
import type { Run } from "./run.ts";

/** A log shared by all states of one history; each state has its own position in it. */
type Place = { readonly log: FeatureId[]; readonly at: number };

// A cache, not part of the state: nothing is known about a state that is missing here.
const places = new WeakMap<Run["progress"], Place>();
/** Beyond this a new log begins, and a query about an earlier state has to look at every feature. */
const logMax = 1000;

export function noteChange(before: Run["progress"], id: FeatureId, after: Run["progress"]): void {
  let place = places.get(before);
  // Two states derived from the same one have separate histories: the first keeps the log, the second starts its own.
  if (place === undefined || place.log.length !== place.at || place.at >= logMax) {
    place = { log: [], at: 0 };
    places.set(before, place);
  }
  place.log.push(id);
  places.set(after, { log: place.log, at: place.at + 1 });
}

/** The features whose progress may differ; null means any of them. */
export function changedSince(before: Run["progress"], after: Run["progress"]): readonly FeatureId[] | null {
  if (before === after) return [];
  const [from, to] = [places.get(before), places.get(after)];
  if (from === undefined || to === undefined || from.log !== to.log || from.at > to.at) return null;
  return [...new Set(to.log.slice(from.at, to.at))];
}
