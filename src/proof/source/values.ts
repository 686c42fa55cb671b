// The values in code, without its comments: every number, and everything that is written.
import { sourceOf } from "./lex/source.ts";

/** For a text that is not code: all of it. */
export function textsIn(path: string, text: string): string {
  const source = sourceOf(path, text);
  return source === null ? text : source.code.map((token) => token.text).join(" ");
}

/** Those inside of strings and patterns as well: `{3,25}` has 25. */
export function numbersIn(path: string, text: string): ReadonlySet<number> {
  const found = textsIn(path, text).match(/(?<![\w.])(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e\d+)?)/gi) ?? [];
  return new Set(found.map((each) => Number(each.replaceAll("_", ""))));
}
