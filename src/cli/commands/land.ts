// loop land: brings what a run has committed in its worktree onto the person's branch.
import type { Landed } from "../../engines/engine.ts";
import { land as landRun, runToLand } from "../../engines/landing.ts";
import { refuseInside } from "../../project/agents/inside-run.ts";
import { outcomeOf, outcomeSentence } from "../../report/words/words.ts";
import { keptText } from "../../report/worktree.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export async function land(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const run = await runToLand(engine, flags.run);
  refuseInside(run);
  context.comment(`  Landing run ${run}. A branch that has moved is merged, and every feature is proved again.\n`);
  const outcome = outcomeOf((await engine.read(run)).story.run);
  if (outcome !== null && outcome.kind !== "success")
    context.comment(
      `  This run was no success: ${outcomeSentence(outcome)} What it has committed lands all the same.\n`,
    );
  const landed = await landRun(engine, run);
  if (context.json) printAnswer(answers.land, { run, ...landed }, 0);
  else context.answer(`${landedText(landed)}${await keptBy(landed, context, run)}\n`);
  return 0;
}

/** What has landed before met other changes than those of today. */
const keptBy = async ({ how }: Landed, { engine }: Context, run: string): Promise<string> =>
  how === "before" ? "" : keptText((await engine.read(run)).worktree?.kept ?? []);

const landedText = ({ commit, onto, how }: Landed): string => {
  const at = commit.slice(0, 10);
  if (how === "before") return `${onto} already has it, at ${at}`;
  return how === "merged"
    ? `Landed on ${onto}: merged, and proved again on the merged tree, at ${at}`
    : `Landed on ${onto} by fast-forward, at ${at}`;
};
