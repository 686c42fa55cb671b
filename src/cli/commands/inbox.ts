// loop inbox: what waits for a person.
import { latestRun } from "../../engines/local/list-runs.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { run } = readStory(context.root, latestRun(context.root, flags.run));
  if (context.json) context.answer(`${JSON.stringify({ version: 1, inbox: run.inbox }, null, 2)}\n`);
  else if (run.inbox.length === 0) context.answer("The inbox is empty.\n");
  else
    context.answer(
      run.inbox
        .map((item) => `${item.feature ?? "run"} (${item.kind})\n${indent(item.text)}\n  Next: ${item.next}\n`)
        .join("\n"),
    );
  return 0;
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
