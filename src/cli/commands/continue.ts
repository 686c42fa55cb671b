// loop continue: goes on with a run that rests, waits, or was cut off.
import type { Limits } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { latestRun } from "../../engines/local/list-runs.ts";
import { openRun } from "../../engines/local/runs.ts";
import { checkCeilings } from "../../formats/settings.ts";
import { limitSettings, limitsOf } from "../../runtime/limits.ts";
import { nextCommand, outcomeOf, outcomeSentence } from "../../runtime/records/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";

export type ContinueFlags = GlobalFlags & LimitFlags & { wait?: boolean; yesReally?: boolean; stealLock?: boolean };

export async function goOn(flags: ContinueFlags): Promise<number> {
  const context = contextOf(flags);
  const held = await openRun(context.root, latestRun(context.root, flags.run), { stealLock: flags.stealLock === true });
  const { story } = held.run;
  const { now, contract } = story.run;
  try {
    if (now.is === "stopped") throw isOver(story);
    const limits = changedLimits(contract.limits, flags);
    if (now.is !== "resting") context.comment("  The run was cut off in the middle; it goes on where it was.\n");
    await held.run.record({ type: "continued", limits, retry: outcomeOf(story.run)?.kind === "inbox" });
  } catch (error) {
    await held.close();
    throw error;
  }
  return driveAndReport(held, context, { wait: flags.wait !== false });
}

function changedLimits(limits: Limits, flags: ContinueFlags): Partial<Limits> {
  const given = limitFlags(flags);
  if (Object.keys(given).length === 0) return {};
  const before = limitSettings(limits);
  const settings = {
    ...before,
    costUsd: given.cost_usd ?? before.costUsd,
    iterations: given.iterations ?? before.iterations,
    minutes: given.minutes ?? before.minutes,
    commits: given.commits ?? before.commits,
    sessions: given.sessions ?? before.sessions,
    tokens: given.tokens ?? before.tokens,
  };
  checkCeilings(settings, flags.yesReally === true);
  return limitsOf(settings);
}

function isOver({ run, chronicle }: Parameters<typeof driveAndReport>[0]["run"]["story"]): UserError {
  const outcome = outcomeOf(run);
  return new UserError("run-is-over", {
    what: `Run ${chronicle.run} is over.`,
    why: outcome === null ? "" : outcomeSentence(outcome),
    next: outcome?.kind === "success" ? nextCommand(outcome) : "loop run",
  });
}
