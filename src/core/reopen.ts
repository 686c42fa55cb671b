// A feature starts over after a person's answer: it gets its attempts back, and held work on it no longer waits.
import { type Cause, rejection } from "./cause.ts";
import type { FeatureId } from "./ids.ts";
import { withProgress } from "./progresses.ts";
import { type Progress, type Run, startedOver } from "./run.ts";
import { progressOf } from "./select.ts";

/** The builder gets the reason. Held work only serves as a hint from now on. */
export function reopen(run: Run, feature: FeatureId, lastCause: Cause, change: Partial<Progress> = {}): Run {
  const before = progressOf(run, feature);
  const open = startedOver(before, { held: null, lastCause, ...change });
  return {
    ...run,
    progress: withProgress(run.progress, feature, open),
    released: before.held === null ? run.released : withReleased(run, feature),
    inbox: run.inbox.filter((item) => item.feature !== feature),
  };
}

/** A person rejected what the feature has: held work that asks to change tests is refused them. */
export function sendBack(run: Run, feature: FeatureId, reason: string, change: Partial<Progress> = {}): Run {
  const { held } = progressOf(run, feature);
  return reopen(run, feature, rejection(reason, held?.why === "permission" ? held.tests : null), change);
}

/** The held work of this feature is no longer needed. */
export const withReleased = ({ released }: Run, feature: FeatureId): readonly FeatureId[] =>
  released.includes(feature) ? released : [...released, feature];
