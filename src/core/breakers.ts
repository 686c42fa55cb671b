// Circuit breakers: what must not go on and on. Counts are kept where things happen; here is where they are judged.
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";

const stuckMax = 5;
export const unchangedMax = 2;
export const sameErrorMax = 3;
/** Sessions in a row that failed for whatever reasons, and waits in a row without a reply in between. */
export const failuresMax = 6;
export const waitsMax = 50;
export const sameFileEditsMax = 5;

/** Looked at when an iteration ends. */
export function breakerTripped({ streaks }: Run): Outcome | null {
  const { unchanged, stuck } = streaks;
  if (unchanged >= unchangedMax) return { kind: "breaker", breaker: "nothing-changed", times: unchanged };
  if (stuck >= stuckMax) return { kind: "breaker", breaker: "same-criteria-unmet", times: stuck };
  return errorBreaker(streaks);
}

/** Looked at after each session too: a broken agent must not be called again and again. */
export function errorBreaker({ error, failures, waits }: Run["streaks"]): Outcome | null {
  const same = { kind: "breaker", breaker: "same-error", error: error.key } as const;
  if (error.times >= sameErrorMax) return { ...same, times: error.times, isVaried: false };
  if (failures >= failuresMax) return { ...same, times: failures, isVaried: true };
  if (waits < waitsMax) return null;
  return { kind: "breaker", breaker: "still-failing-to-reach", times: waits, error: error.key };
}
