// loop continue: resumes a paused, waiting or interrupted run.
import { UserError } from "../../core/errors.ts";
import { gateOf } from "../../core/gates.ts";
import { amendment, type IntentMode } from "../../engines/local/amend.ts";
import { beginFollowUp } from "../../engines/local/begin.ts";
import { openRun } from "../../engines/local/runs.ts";
import { changeText, takeUp } from "../../engines/local/take-up.ts";
import { latestRun } from "../../project/list-runs.ts";
import { nextCommand, outcomeOf, outcomeSentence } from "../../runtime/records/words.ts";
import { agentFlags } from "../choice-flags.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";
import { row } from "../render/events.ts";

export type ContinueFlags = GlobalFlags &
  LimitFlags & {
    wait?: boolean;
    agent?: string;
    yesReally?: boolean;
    stealLock?: boolean;
    yes?: boolean;
    intent?: string;
  };

export async function goOn(words: readonly string[], flags: ContinueFlags): Promise<number> {
  const context = contextOf(flags);
  const mode = intentOf(flags.intent, words);
  const id = latestRun(context.root, flags.run);
  const held = await openRun(context.root, id, { stealLock: flags.stealLock === true });
  const { story } = held.run;
  const { now } = story.run;
  if (now.is === "stopped" && now.outcome.kind === "followup") {
    await held.close();
    return driveAndReport(await beginFollowUp(context.root, id), context, { wait: flags.wait !== false });
  }
  let more = {};
  try {
    if (now.is === "stopped") throw isOver(story);
    const order = {
      flags: { limits: limitFlags(flags), ...agentFlags(flags.agent) },
      yesReally: flags.yesReally === true,
    };
    const { changes, going } = await takeUp(held.run, order);
    context.comment(changes.map((change) => `${row("changed", changeText(change))}\n`).join(""));
    more = { changes };
    const amended = mode === null ? null : amendment(held.run, mode, words.join(" "));
    if (amended !== null) await held.run.record(amended);
    const gate = flags.yes === true ? gateOf(held.run.story.run) : null;
    if (gate !== null)
      await held.run.record({ type: "approved", gate: gate.name, number: gate.number, tree: gate.tree });
    if (now.is !== "resting") context.comment("  The previous process was interrupted. Resuming.\n");
    await held.run.record({ type: "continued", ...going, retry: outcomeOf(story.run)?.kind === "inbox" });
  } catch (error) {
    await held.close();
    throw error;
  }
  return driveAndReport(held, context, { wait: flags.wait !== false, more });
}

function intentOf(intent: string | undefined, words: readonly string[]): IntentMode | null {
  const modes: readonly string[] = ["replace", "append", "preserve"];
  if (intent === undefined && words.length === 0) return null;
  if (intent !== undefined && modes.includes(intent)) return intent as IntentMode;
  throw new UserError(
    "which-intent",
    {
      what: "The run was not continued.",
      why:
        intent === undefined
          ? "A new request needs --intent append or --intent replace."
          : `There is no intent ${JSON.stringify(intent)}.`,
      next: 'Say which: loop continue --intent append "…", or --intent replace; --intent preserve keeps the old one.',
    },
    { exitCode: 64 },
  );
}

function isOver({ run, chronicle }: Parameters<typeof driveAndReport>[0]["run"]["story"]): UserError {
  const outcome = outcomeOf(run);
  return new UserError("run-is-over", {
    what: `Run ${chronicle.run} is over.`,
    why: outcome === null ? "" : outcomeSentence(outcome),
    next: outcome?.kind === "success" ? nextCommand(outcome) : "loop run",
  });
}
