// loop report: what a person reads in the morning.
import { latestRun } from "../../engines/local/list-runs.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { reportText } from "../../runtime/records/report.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answerOf, codeOf } from "../drive-run.ts";

export async function report(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const story = readStory(context.root, latestRun(context.root, flags.run));
  context.answer(
    context.json
      ? `${JSON.stringify(answerOf(story, codeOf(story)), null, 2)}\n`
      : reportText(story.run, story.chronicle),
  );
  return 0;
}
