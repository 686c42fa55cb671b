// The inbox as text: what it is, why, what to do, how to inspect it, and the files in question, old and new.
import { stripVTControlCharacters } from "node:util";
import { shortened as short } from "../../formats/text/shortened.ts";
import type { InboxWords } from "../../report/words/inbox-words.ts";

const linesMax = 60;

/** An item of an earlier run says so. `branch`: shows held work; null: there is none. */
type Shown = InboxWords & {
  readonly runId?: string;
  readonly isLatest?: boolean;
  readonly request?: string;
  readonly branch?: string | null;
};

/** `filesOf`: the diff of the protected files that a feature rewrote; null: not about such files. */
export const inboxText = <T extends Shown>(
  items: readonly T[],
  filesOf: (item: T) => string | null = () => null,
): string => items.map((item) => itemText(item, filesOf(item))).join("\n");

function itemText(item: Shown, files: string | null): string {
  const { about, kind, what, rootCause, supposition, next, branch = null } = item;
  const isEarlier = item.isLatest === false && item.runId !== undefined;
  const from = isEarlier ? `, of run ${item.runId}` : "";
  const [request = ""] = (item.request ?? "").split("\n");
  return [
    `${about} (${kind}${from})`,
    ...(isEarlier && request !== "" ? [`  Asked for: ${plain(short(request, 100))}`] : []),
    indent(plain(what)),
    ...(files === null
      ? []
      : ["  The files as they were (-) and as they would be (+):", indent(plain(shortened(files)))]),
    ...(branch === null ? [] : [`  See all of it: git diff HEAD...${branch}`]),
    ...(rootCause === "" ? [] : [`  Root cause: ${plain(rootCause)}`]),
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
