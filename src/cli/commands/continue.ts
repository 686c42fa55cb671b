// loop continue: resumes a paused, waiting or interrupted run.
import { UserError } from "../../core/errors.ts";
import type { Changes } from "../../engines/engine.ts";
import { goOn as resumeOrFollow } from "../../engines/go-on.ts";
import { findRestingRun } from "../../engines/watch.ts";
import { changeText } from "../../project/config/drift.ts";
import { canAnswer } from "../ask-gate.ts";
import { agentFlags, type CrewFlags, intents, modelFlag } from "../choice-flags.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";
import { row } from "../render/events.ts";
import { settleTrust } from "../trust.ts";

export type ContinueFlags = GlobalFlags &
  LimitFlags &
  CrewFlags & {
    wait?: boolean;
    yesReally?: boolean;
    stealLock?: boolean;
    yes?: boolean;
    intent?: string;
  };

export async function goOn(words: readonly string[], flags: ContinueFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const intent = intentOf(flags.intent, words);
  const named = await findRestingRun(engine, flags.run);
  // Agents of a changed loop.yaml take over now.
  await settleTrust(context, flags);
  const terms = { wait: flags.wait !== false, attended: canAnswer(context) };
  const { run, from, changes, was } = await resumeOrFollow(engine, named, terms, {
    flags: { limits: limitFlags(flags), ...agentFlags(flags) },
    ...modelFlag(flags),
    yesReally: flags.yesReally === true,
    stealLock: flags.stealLock === true,
    approve: flags.yes === true,
    ...(intent === null ? {} : { intent: { mode: intent, text: words.join(" ") } }),
  });
  if (run !== named) return driveAndReport({ run, from }, context, terms);
  context.comment(changes.map((change) => `${row("changed", changeText(change))}\n`).join(""));
  if (was.is !== "resting" && was.is !== "stopped")
    context.comment("  The previous process was interrupted. Resuming.\n");
  return driveAndReport({ run, from }, context, { ...terms, more: { changes }, isResumed: intent === null });
}

type IntentMode = NonNullable<Changes["intent"]>["mode"];

function intentOf(intent: string | undefined, words: readonly string[]): IntentMode | null {
  if (intent === undefined && words.length === 0) return null;
  const mode = intents.find((each) => each === intent);
  if (mode !== undefined) return mode;
  throw new UserError("which-intent", {
    what: "The run was not continued.",
    why:
      intent === undefined
        ? "A new request needs --intent append or --intent replace."
        : `There is no intent ${JSON.stringify(intent)}.`,
    next: 'Say which: loop continue --intent append "…", or --intent replace; --intent preserve keeps the old one.',
  });
}
