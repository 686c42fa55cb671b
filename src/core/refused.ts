// A session attempted a forbidden action and was refused: it had no effect, but a person should know before the run
// continues.
import type { Outcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { RefusedAction } from "./session.ts";
import { rest } from "./stop.ts";

/**
 * Pauses the run, unless the contract only wants it noted. The next step is kept for when a person resumes the run. A
 * maker's work is collected first: the repository must be consistent before anyone looks.
 */
export function pauseForRefused(run: Run, refused: readonly RefusedAction[]): Run {
  const grave = refused.filter(({ mild }) => mild !== true);
  const [first] = grave;
  if (first === undefined || run.contract.scope.onDestructive === "note") return run;
  const outcome = refusedOutcome(first, grave.length - 1);
  return run.now.is === "collecting" ? { ...run, now: { ...run.now, halt: outcome } } : halt(run, outcome);
}

/** Rests in the current phase. A run that already rests keeps its reason. */
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
