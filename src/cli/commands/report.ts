// loop report: what a person reads in the morning.
import { habitIn } from "../../engines/habit.ts";
import { findRun } from "../../engines/watch.ts";
import { writeReportPage } from "../../project/report-page.ts";
import { reportText } from "../../report/markdown/report.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answerOf, codeOf } from "../drive-run.ts";

export async function report(flags: GlobalFlags & { html?: boolean }): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const { story, file } = await engine.read(await findRun(engine, flags.run));
  const { nth, hint } = await habitIn(engine, story);
  if (!context.json && flags.html !== true) {
    context.answer(reportText(story.run, story.chronicle, hint));
    return 0;
  }
  const page = await writeReportPage(context.root, story, file, hint);
  context.answer(
    context.json
      ? `${JSON.stringify({ ...answerOf(story, codeOf(story), nth), report_html: page }, null, 2)}\n`
      : `${page}\n`,
  );
  return 0;
}
