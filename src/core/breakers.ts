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
  if (streaks.unchanged >= unchangedMax) {
    const why = `Nothing changed in ${streaks.unchanged} iterations in a row.`;
    return { kind: "breaker", breaker: "nothing-changed", why };
  }
  if (streaks.stuck >= stuckMax) {
    const why = `No further criterion was met in ${streaks.stuck} iterations in a row.`;
    return { kind: "breaker", breaker: "same-criteria-unmet", why };
  }
  return errorBreaker(streaks);
}

/** Looked at after each session too: a broken agent must not be called again and again. */
export function errorBreaker(streaks: Run["streaks"]): Outcome | null {
  if (streaks.error.times >= sameErrorMax) {
    const why = `The same error ${streaks.error.times} times in a row: ${streaks.error.key}`;
    return { kind: "breaker", breaker: "same-error", why };
  }
  if (streaks.failures >= failuresMax) {
    const why = `${streaks.failures} sessions in a row brought no reply, the last one: ${streaks.error.key}`;
    return { kind: "breaker", breaker: "same-error", why };
  }
  if (streaks.waits >= waitsMax) {
    const why = `The agent could not be reached in ${streaks.waits} tries in a row: ${streaks.error.key}`;
    return { kind: "breaker", breaker: "still-failing-to-reach", why };
  }
  return null;
}
