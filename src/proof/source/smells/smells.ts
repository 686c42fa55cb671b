// Smells: added lines of the product that know about tests. A hint for people and the checker, never a reason to refuse.
import { addedLines } from "../diff/hunks.ts";
import { linesOf } from "../diff/lines.ts";
import { innerTestRanges } from "../inner/splice.ts";
import { sourceOf } from "../lex/source.ts";
import { rules } from "./rules.ts";

export type Smell = { readonly line: number; readonly what: string };

export function smells(path: string, before: string | null, after: string | null): readonly Smell[] {
  if (after === null) return [];
  const code = shippedCode(path, after);
  if (code === null) return [];
  const lines = linesOf(code);
  const isEntry = startedAsProgram(path, after);
  return [...addedLines(before === null ? "" : (shippedCode(path, before) ?? ""), code)].flatMap((line) => {
    const text = (lines[line - 1] ?? "").slice(0, lineMax);
    return rules
      .filter((rule) => !(isEntry && rule.entry === true) && rule.pattern.test(text))
      .map(({ what }) => ({ line, what }));
  });
}

/** Longer lines are generated or minified. */
const lineMax = 1000;

/** The text with comments and tests blanked out, so that lines keep their numbers. Null: not source code. */
function shippedCode(path: string, text: string): string | null {
  const source = sourceOf(path, text);
  if (source === null) return null;
  const hidden = [...source.tokens.filter((token) => token.kind === "comment"), ...innerTestRanges(path, text)];
  let [made, end] = ["", 0];
  for (const { from, to } of hidden.toSorted((a, b) => a.from - b.from)) {
    if (to <= end) continue;
    made += text.slice(end, Math.max(end, from)) + text.slice(Math.max(end, from), to).replace(/[^\n]/g, " ");
    end = to;
  }
  return made + text.slice(end);
}

/** Programs read their arguments, and exit with a code. */
function startedAsProgram(path: string, text: string): boolean {
  return (
    text.startsWith("#!") ||
    /(?:^|\/)(?:bin|cmd|scripts)\//.test(path) ||
    /(?:^|\/)(?:main|cli|__main__|index\.server)\.\w+$/.test(path) ||
    /\.(?:sh|bash|zsh)$/.test(path) ||
    /^package main\b/m.test(text) ||
    /^if __name__ == ["']__main__["']/m.test(text)
  );
}
