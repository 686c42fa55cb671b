// The values in code, without its comments: every number, and everything that is written.
import { type Source, sourceOf, textAt } from "./lex/source.ts";

/** For a text that is not code: all of it. */
export function textsIn(path: string, text: string): string {
  const source = sourceOf(path, text);
  return source === null ? text : source.code.map((token) => token.text).join(" ");
}

/** Those inside of strings and patterns as well: `{3,25}` has 25. */
export const numbersIn = (path: string, text: string): ReadonlySet<number> => numbersOf(textsIn(path, text));

export function numbersOf(text: string): ReadonlySet<number> {
  const found = text.match(/(?<![\w.])(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e\d+)?)/gi) ?? [];
  return new Set(found.map((each) => Number(each.replaceAll("_", ""))));
}

/** The lines of a test that do something: without comments, titles and docstrings. For other texts: their lines. */
export function linesOfTest(path: string, text: string): readonly string[] {
  const source = sourceOf(path, text);
  if (source === null) return text.split("\n");
  const lines = new Map<number, string[]>();
  source.code.forEach((token, at) => {
    if (isTitle(source, at) || isAlone(source, at)) return;
    lines.set(token.line, [...(lines.get(token.line) ?? []), token.text]);
  });
  return [...lines.values()].map((tokens) => tokens.join(" "));
}

/** `test("…", …)`, `describe.only("…", …)`, `t.Run("…", …)`. */
function isTitle(source: Source, at: number): boolean {
  const kind = source.code[at]?.kind;
  if ((kind !== "string" && kind !== "text") || textAt(source, at - 1) !== "(") return false;
  const called = textAt(source, at - 2);
  return titled.test(/^(?:only|skip|todo|concurrent|serial)$/.test(called) ? textAt(source, at - 4) : called);
}

const titled = /^(?:test|it|describe|context|suite|specify|subtest|group|Run|subTest)$/;

/** A docstring of Python. */
function isAlone(source: Source, at: number): boolean {
  const [before, token, next] = [source.code[at - 1], source.code[at], source.code[at + 1]];
  if (source.language !== "python" || token?.kind !== "string" || (source.parent[at] ?? -1) >= 0) return false;
  const end = token.line + token.text.split("\n").length - 1;
  return (before === undefined || before.line < token.line) && (next === undefined || next.line > end);
}
