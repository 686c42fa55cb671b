// loop alone: where things stand and what waits for you. Starts nothing.
import { everythingWaiting } from "../../engines/waiting.ts";
import { noRunsText } from "../../project/no-runs.ts";
import { openFeatures } from "../../project/open-features.ts";
import { canAnswer } from "../ask-gate.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { decideHeld } from "../decide-held.ts";
import { answers } from "../json/answer-shapes.ts";
import { inboxFacts } from "../json/inbox-facts.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";
import { overviewHere } from "../overview-here.ts";
import { columnsOf } from "../render/columns.ts";
import { whereText } from "../render/where.ts";
import { wrapped } from "../render/wrap.ts";

export async function where(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine, root, paint } = context;
  const [latest] = await engine.runs();
  const open = openFeatures(root);
  const run = latest === undefined ? null : await overviewHere(context, latest);
  const waiting = run === null ? [] : await everythingWaiting(engine, undefined);
  if (context.json) {
    const next = run === null ? (open.features.length > 0 ? "loop run" : null) : run.next;
    const openFeatures = open.features.map(({ id }) => id);
    const latestRun = run === null ? null : runFacts(run);
    printAnswer(answers.where, { run: latestRun, inbox: waiting.map(inboxFacts), openFeatures, next }, 0);
    return 0;
  }
  context.answer(wrapped(whereText({ run, waiting, open, none: noRunsText(root) }, paint), columnsOf(process.stdout)));
  if (canAnswer(context) && process.stdout.isTTY === true) await decideHeld(waiting, context, flags);
  return 0;
}
