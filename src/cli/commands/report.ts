// loop report: what a person reads in the morning.

import { patternOf } from "../../engines/local/pattern.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { writeReportPage } from "../../engines/local/report-page.ts";
import { latestRun } from "../../project/list-runs.ts";
import { reportText } from "../../runtime/records/report.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answerOf, codeOf } from "../drive-run.ts";

export async function report(flags: GlobalFlags & { html?: boolean }): Promise<number> {
  const context = contextOf(flags);
  const run = latestRun(context.root, flags.run);
  const story = readStory(context.root, run);
  if (context.json) {
    const page = writeReportPage(context.root, run, story);
    context.answer(
      `${JSON.stringify({ ...answerOf(story, codeOf(story), patternOf(context.root, story).nth), report_html: page }, null, 2)}\n`,
    );
  } else if (flags.html === true) context.answer(`${writeReportPage(context.root, run, story)}\n`);
  else context.answer(reportText(story.run, story.chronicle, patternOf(context.root, story).hint));
  return 0;
}
