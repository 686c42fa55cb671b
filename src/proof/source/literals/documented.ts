// Expected values in documentation that is executed: the output below `>>>`, and assertions in Rust's examples.
import { innerTests } from "../inner/inner-tests.ts";
import type { Range } from "../inner/range.ts";
import { sourceOf } from "../lex/source.ts";
import type { Change } from "./alteration.ts";
import { changesOf } from "./alteration.ts";
import { expectedLiterals } from "./assertions.ts";

export function documentedChanges(path: string, text: string): readonly Change[] {
  const inner = innerTests(path, text);
  const lines = (inner?.docs ?? []).flatMap((doc) => doc.examples.flatMap((example) => linesIn(text, example)));
  return lines.flatMap((line) => (path.endsWith(".py") ? outputChange(line) : rustChanges(line)));
}

type Line = { readonly from: number; readonly line: number; readonly text: string };

function linesIn(text: string, { from, to }: Range): readonly Line[] {
  let at = from;
  let line = text.slice(0, from).split("\n").length;
  return text
    .slice(from, to)
    .split("\n")
    .map((content) => {
      const found = { from: at, line: line++, text: content };
      at += content.length + 1;
      return found;
    });
}

/** A line of output with its last number increased by 17, or with text added at its end. */
function outputChange({ from, line, text }: Line): readonly Change[] {
  if (text.trim() === "" || /^\s*(?:>>>|\.\.\.)(?:\s|$)/.test(text) || /^\s*Traceback|<BLANKLINE>|\.\.\.$/.test(text))
    return [];
  const number = [...text.matchAll(/(?<![\w.])\d{1,15}(?![\w.])/g)].at(-1);
  const end = from + text.trimEnd().length;
  if (number === undefined) return [{ from: end, to: end, line, instead: "q17" }];
  const at = from + number.index;
  return [{ from: at, to: at + number[0].length, line, instead: String(Number(number[0]) + 17) }];
}

/** A line of an example, read as code. */
function rustChanges({ from, line, text }: Line): readonly Change[] {
  const mark = /^\s*(?:\/\/[/!]|\*)?\s?/.exec(text)?.[0].length ?? 0;
  const source = sourceOf("example.rs", text.slice(mark));
  if (source === null) return [];
  const shift = from + mark;
  return changesOf(source, expectedLiterals(source)).map((change) => ({
    ...change,
    from: change.from + shift,
    to: change.to + shift,
    line,
  }));
}
