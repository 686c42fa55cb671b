// What a session tried and was refused: nothing came of it, but somebody should know before the run goes on.
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { RefusedAction } from "./session.ts";
import { rest } from "./stop.ts";

/**
 * Pauses the run, unless the contract only wants it noted. What would have followed is kept, and follows when a person
 * says go on. A maker's work is collected first: whatever happened, the repository is put right before anybody looks.
 */
export function pauseForRefused(run: Run, refused: readonly RefusedAction[]): Run {
  const grave = refused.filter(({ mild }) => mild !== true);
  const [first] = grave;
  if (first === undefined || run.contract.scope.onDestructive === "note") return run;
  const outcome = refusedOutcome(first, grave.length - 1);
  return run.now.is === "collecting" ? { ...run, now: { ...run.now, halt: outcome } } : halt(run, outcome);
}

/** Rests where the run stands; one that rests already has a reason, and the first one wins. */
export function halt(run: Run, outcome: Outcome): Run {
  return run.now.is === "resting" ? run : rest(run, outcome, run.now);
}

const refusedOutcome = ({ command, why }: RefusedAction, others: number): Outcome => ({
  kind: "breaker",
  breaker: "destructive-action",
  command,
  why,
  others,
});
