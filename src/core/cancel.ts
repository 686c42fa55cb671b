// A person gives the run up. Unproved work is taken out of the folder if they want that, and kept in quarantine.
import { update } from "./attempt.ts";
import { cancellation } from "./cause.ts";
import { settle } from "./ledger.ts";
import { entriesOf, progressIn, withProgress } from "./progresses.ts";
import type { Asked, Phase, Run, Work } from "./run.ts";
import { noUsage } from "./session.ts";
import { stop } from "./stop.ts";

/** `phase`: what the run was doing. An unfinished session is charged what it used by the pause, or else its reservation. */
export function cancelled(run: Run, phase: Phase, { undo }: Extract<Asked, { for: "cancel" }>): Run {
  const spent = settledAt(run, phase);
  const work = undo === true ? workInFolder(run, phase) : null;
  if (work === null) return abandoned({ ...run, spent });
  return { ...run, spent, asked: null, now: { is: "undoing", work, cause: cancellation, after: { do: "cancel" } } };
}

/** With an unfinished session paid for: it is not resumed. */
export function settledAt({ spent }: Run, phase: Phase): Run["spent"] {
  const ticket = phase.is === "in-session" ? phase.ticket : null;
  return ticket === null ? spent : settle(spent, ticket, ticket.used ?? { ...noUsage, costUsd: null });
}

/** The folder is as it was before the feature, or someone else's commit is in the way and it is a checkout of that. */
export function afterCancelling(run: Run, { feature }: Work): Run {
  const free = update(run, feature, { status: "not-started", base: null, builtBy: null });
  return stop(free, { kind: "cancelled" });
}

/** The run ends, and unproved work stays in the folder. */
export const abandoned = (run: Run): Run => stop({ ...run, progress: givenUp(run) }, { kind: "cancelled" });

/** Nothing is in progress any more. Work that stays in the folder was begun, and is not done. */
function givenUp({ progress }: Run): Run["progress"] {
  let all = progress;
  for (const [id, each] of entriesOf(progress))
    if (each.status === "in-progress")
      all = withProgress(all, id, { ...each, status: each.base === null ? "not-started" : "needs-rework" });
  return all;
}

/** The feature whose unproved work is in the folder: at most one at a time is. */
export function workInFolder(run: Run, phase: Phase): Work | null {
  const now = "work" in phase ? phase.work : null;
  if (now !== null && (progressIn(run.progress, now.feature)?.base ?? null) !== null) return now;
  for (const [feature, { base, attempts }] of entriesOf(run.progress))
    if (base !== null)
      return { feature, iteration: run.spent.iterations, attempt: attempts, stage: "implement", mark: base, base };
  return null;
}
