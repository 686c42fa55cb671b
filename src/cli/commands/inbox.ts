// loop inbox: what waits for a person.
import { stripVTControlCharacters } from "node:util";
import { latestRun } from "../../engines/local/list-runs.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { inboxWords } from "../../runtime/records/inbox-words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { run } = readStory(context.root, latestRun(context.root, flags.run));
  const words = inboxWords(run);
  const items = run.inbox.map((item, at) => ({ ...item, rootCause: words[at]?.rootCause ?? "" }));
  if (context.json) context.answer(`${JSON.stringify({ version: 1, inbox: items }, null, 2)}\n`);
  else if (run.inbox.length === 0) context.answer("The inbox is empty.\n");
  else
    context.answer(
      words
        .map(({ about, kind, what, rootCause, supposition, next }) =>
          [
            `${about} (${kind})`,
            indent(plain(what)),
            `  Root cause: ${plain(rootCause)}`,
            ...(supposition === null ? [] : [`  The agent would: ${plain(supposition)}`]),
            `  Next: ${next}\n`,
          ].join("\n"),
        )
        .join("\n"),
    );
  return 0;
}

const plain = (text: string): string => stripVTControlCharacters(text);
const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
