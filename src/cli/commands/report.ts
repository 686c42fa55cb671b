// loop report: what a person reads in the morning.
import { overviewOf } from "../../engines/overview.ts";
import { findRun } from "../../engines/watch.ts";
import { writePullRequest } from "../../project/runs/pull-request.ts";
import { writeReportPage } from "../../project/runs/report-page.ts";
import { reportText } from "../../report/markdown/report.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";

export async function report(flags: GlobalFlags & { html?: boolean; pr?: boolean }): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const run = await overviewOf(engine, await findRun(engine, flags.run));
  if (flags.pr === true) {
    const script = writePullRequest(context.root, run);
    if (context.json) printAnswer(answers.pullRequest, { run: run.run, script }, 0);
    else context.answer(`${script}\n`);
    return 0;
  }
  if (!context.json && flags.html !== true) {
    context.verbatim(reportText(run));
    return 0;
  }
  const page = writeReportPage(context.root, run);
  if (context.json) printAnswer(answers.report, { ...runFacts(run), reportHtml: page }, 0);
  else context.answer(`${page}\n`);
  return 0;
}
