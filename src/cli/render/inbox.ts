// What waits for a person, as text: what it is, why, what to do, and the tests in question as they were and as they would be.
import { stripVTControlCharacters } from "node:util";
import type { InboxWords } from "../../runtime/records/inbox-words.ts";

const linesMax = 60;

/** `testsOf`: the diff of the protected tests that a feature rewrote; null: it is not about tests. */
export const inboxText = (
  items: readonly InboxWords[],
  testsOf: (item: InboxWords) => string | null = () => null,
): string => items.map((item) => itemText(item, testsOf(item))).join("\n");

function itemText({ about, kind, what, rootCause, supposition, next }: InboxWords, tests: string | null): string {
  return [
    `${about} (${kind})`,
    indent(plain(what)),
    ...(tests === null
      ? []
      : ["  The tests as they were (-) and as they would be (+):", indent(plain(shortened(tests)))]),
    `  Root cause: ${plain(rootCause)}`,
    ...(supposition === null ? [] : [`  The agent would: ${plain(supposition)}`]),
    `  Next: ${next}\n`,
  ].join("\n");
}

function shortened(text: string): string {
  const lines = text.split("\n");
  if (lines.length <= linesMax) return text;
  return [...lines.slice(0, linesMax), `… (${lines.length - linesMax} more lines)`].join("\n");
}

const plain = (text: string): string => stripVTControlCharacters(text);
const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
