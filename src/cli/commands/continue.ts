// loop continue: goes on with a run that rests, waits, or was cut off.
import { UserError } from "../../core/errors.ts";
import { latestRun } from "../../engines/local/list-runs.ts";
import { openRun } from "../../engines/local/runs.ts";
import { changeText, takeUp } from "../../engines/local/take-up.ts";
import { nextCommand, outcomeOf, outcomeSentence } from "../../runtime/records/words.ts";
import { agentFlags } from "../choice-flags.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";
import { row } from "../render/events.ts";

export type ContinueFlags = GlobalFlags &
  LimitFlags & { wait?: boolean; agent?: string; yesReally?: boolean; stealLock?: boolean };

export async function goOn(flags: ContinueFlags): Promise<number> {
  const context = contextOf(flags);
  const held = await openRun(context.root, latestRun(context.root, flags.run), { stealLock: flags.stealLock === true });
  const { story } = held.run;
  const { now } = story.run;
  let more = {};
  try {
    if (now.is === "stopped") throw isOver(story);
    const order = {
      flags: { limits: limitFlags(flags), ...agentFlags(flags.agent) },
      yesReally: flags.yesReally === true,
    };
    const { changes, limits } = await takeUp(held.run, order);
    context.comment(changes.map((change) => `${row("changed", changeText(change))}\n`).join(""));
    more = { changes };
    if (now.is !== "resting") context.comment("  The run was cut off in the middle; it goes on where it was.\n");
    await held.run.record({ type: "continued", limits, retry: outcomeOf(story.run)?.kind === "inbox" });
  } catch (error) {
    await held.close();
    throw error;
  }
  return driveAndReport(held, context, { wait: flags.wait !== false, more });
}

function isOver({ run, chronicle }: Parameters<typeof driveAndReport>[0]["run"]["story"]): UserError {
  const outcome = outcomeOf(run);
  return new UserError("run-is-over", {
    what: `Run ${chronicle.run} is over.`,
    why: outcome === null ? "" : outcomeSentence(outcome),
    next: outcome?.kind === "success" ? nextCommand(outcome) : "loop run",
  });
}
