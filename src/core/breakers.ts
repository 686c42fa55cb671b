// Circuit breakers against endless repetition. The counts are kept where things happen and judged here.
import type { FeatureId } from "./ids.ts";
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import { progressOf, select } from "./select.ts";

export const stuckMax = 5;
export const unchangedMax = 2;
export const sameErrorMax = 3;
/** Consecutive failed sessions, for any reason, and consecutive waits without a reply. */
export const failuresMax = 6;
export const waitsMax = 50;
export const sameFileEditsMax = 5;

/** Checked when an iteration over this feature ends. */
export function breakerTripped(run: Run, feature: FeatureId): Outcome | null {
  const { streaks } = run;
  const { unchanged, stuck } = streaks;
  if (unchanged >= unchangedMax && !isOnlyAbout(run, feature))
    return { kind: "breaker", breaker: "nothing-changed", times: unchanged };
  if (stuck >= stuckMax) return { kind: "breaker", breaker: "same-criteria-unmet", times: stuck };
  return errorBreaker(streaks);
}

/**
 * The feature is shelved, and another one is open: perhaps only this one cannot be built, so the other is tried. If
 * nothing changes there either, the agent is the reason.
 */
const isOnlyAbout = (run: Run, feature: FeatureId): boolean =>
  run.streaks.unchanged === unchangedMax && progressOf(run, feature).status === "blocked" && select(run) !== null;

/** Also checked after each session: a broken agent must not be called again and again. */
export function errorBreaker({ error, failures, waits }: Run["streaks"]): Outcome | null {
  const same = { kind: "breaker", breaker: "same-error", error: error.key } as const;
  if (error.times >= sameErrorMax) return { ...same, times: error.times, isVaried: false };
  if (failures >= failuresMax) return { ...same, times: failures, isVaried: true };
  if (waits < waitsMax) return null;
  return { kind: "breaker", breaker: "still-failing-to-reach", times: waits, error: error.key };
}
