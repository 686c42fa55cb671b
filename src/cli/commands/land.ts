// loop land: brings what a run has committed in its worktree onto the person's branch.
import type { Landed } from "../../engines/engine.ts";
import { type Caution, cautionOf, land as landRun, runToLand } from "../../engines/landing.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { refuseInside } from "../../project/agents/inside-run.ts";
import { keptText } from "../../report/worktree.ts";
import { choose } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export async function land(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const run = await runToLand(engine, flags.run);
  refuseInside(run);
  const caution = await cautionOf(engine, await engine.read(run));
  if (caution !== null && !(await isWanted(caution, context))) {
    context.answer("Nothing was landed.\n");
    return 0;
  }
  context.comment(`  Landing run ${run}. A branch that has moved is merged, and every feature is proved again.\n`);
  const landed = await landRun(engine, run);
  if (context.json) printAnswer(answers.land, { run, ...landed }, 0);
  else context.answer(`${landedText(landed)}${await keptBy(landed, context, run)}\n`);
  return 0;
}

/** What a person rejected lands only if they say so again, where they can be asked. */
async function isWanted({ why, rejected }: Caution, context: Context): Promise<boolean> {
  const [first] = rejected;
  if (first === undefined || !canAnswer(context)) {
    const said = first === undefined || rejected.some((each) => why.includes(each)) ? "" : ` ${rejectedText(rejected)}`;
    context.comment(`  ${why}${said}\n  What it has committed lands all the same.\n`);
    return true;
  }
  const text = `${rejectedText(rejected)}\nLand it all the same?`;
  return (await choose({ text, choices: ["[y]es", "[n]o"], otherwise: "n" }, unanswered)) === "y";
}

const rejectedText = (rejected: readonly string[]): string =>
  `You rejected its result: ${shortened(rejected.join("; ").replace(/\s+/g, " "), 200)}`;

const unanswered = { what: "Nothing was landed.", why: "The question was not answered.", next: "loop land" };

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
