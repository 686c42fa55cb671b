// loop show: everything about one run: its iterations, or its events.
import { overviewOf } from "../../engines/overview.ts";
import { findRun } from "../../engines/watch.ts";
import { runLogText } from "../../report/markdown/run-log.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";

export async function show(named: string | undefined, flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const run = await overviewOf(context.engine, await findRun(context.engine, named ?? flags.run));
  if (context.json) printAnswer(answers.show, runFacts(run), 0);
  else context.answer(runLogText(run));
  return 0;
}
