// A test file with one literal changed.
import type { Source } from "../lex/source.ts";
import { evenly } from "../mutants/choice.ts";
import { otherValue } from "./literal.ts";

export type Alteration = {
  readonly path: string;
  /** For people: "tests/a.test.js:12 3 becomes 20". */
  readonly what: string;
  readonly text: string;
  readonly line: number;
};

/** One range of a text and its replacement. */
export type Change = { readonly from: number; readonly to: number; readonly line: number; readonly instead: string };

/** Changes of literals, by their indices in `code`. */
export function changesOf(
  source: Source,
  indices: readonly number[],
  other: typeof otherValue = otherValue,
): readonly Change[] {
  return indices.flatMap((index) => {
    const token = source.code[index];
    const instead = token === undefined ? null : other(source, token);
    return token === undefined || instead === null
      ? []
      : [{ from: token.from, to: token.to, line: token.line, instead }];
  });
}

/** At most `max`, evenly spread over the file, each change once. */
export function alterations(
  path: string,
  text: string,
  changes: readonly Change[],
  max: number,
): readonly Alteration[] {
  const once = new Map(changes.map((change) => [change.from, change]));
  const inOrder = [...once.values()].toSorted((a, b) => a.from - b.from);
  return evenly(inOrder, max).map(({ from, to, line, instead }) => ({
    path,
    what: `${path}:${line} ${shown(text.slice(from, to))} becomes ${shown(instead)}`,
    text: text.slice(0, from) + instead + text.slice(to),
    line,
  }));
}

/** The text with all of the changes. */
export function withChanges(text: string, changes: readonly Change[]): string {
  let [made, end] = ["", 0];
  for (const { from, to, instead } of changes.toSorted((a, b) => a.from - b.from)) {
    // Another change has taken this place.
    if (from < end) continue;
    made += text.slice(end, from) + instead;
    end = to;
  }
  return made + text.slice(end);
}

const shownMax = 40;

/** Long and multi-line values are shown by their end, where they are changed. */
function shown(value: string): string {
  const line = value.replace(/\s+/g, " ");
  return line.length <= shownMax ? line : `…${line.slice(-shownMax)}`;
}
