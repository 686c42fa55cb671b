// Inputs: literals that tests pass to the names a change defines. With another input, some test has to turn red.

import { posix } from "node:path";
import { innerTestRanges } from "../inner/splice.ts";
import { after, partsIn, type Source, type Span, sourceOf, splitAt, textAt } from "../lex/source.ts";
import { evenly } from "../mutants/choice.ts";
import { type Alteration, alterations, type Change, changesOf } from "./alteration.ts";
import { literalsIn } from "./leaves.ts";
import { otherValue } from "./literal.ts";
import { changeOf, commandsOf, isPlain } from "./shell-assertions.ts";
import { tableInputs } from "./tables.ts";

/** How many arguments are traced to the variable that they name. */
const tracedMax = 200;

/**
 * At most `max` texts, each with another number in one call, or another string if there are no numbers. `below-zero`:
 * with the number negated, where code has guards and few tests look. `text`: another string, where there are numbers as well.
 */
export function inputsAltered(
  testPath: string,
  testText: string,
  names: readonly string[],
  max: number,
  how: "other" | "below-zero" | "text" = "other",
): readonly Alteration[] {
  const source = sourceOf(testPath, testText);
  if (source === null || names.length === 0) return [];
  if (source.language === "shell")
    return how === "other" ? alterations(testPath, testText, shellInputs(source, names), max) : [];
  const { numbers, texts } = callInputs(source, new Set(names));
  const chosen = how === "text" ? (numbers.length > 0 ? texts : []) : numbers.length > 0 ? numbers : texts;
  const changes = changesOf(source, chosen, how === "below-zero" ? negated : otherValue);
  return alterations(testPath, testText, changes, max);
}

const negated: typeof otherValue = ({ text }, token) =>
  token.kind === "number" && text[token.from - 1] !== "-" ? `-${token.text}` : null;

/**
 * At most `max` texts with an input of another shape: a list emptied or filled, a number for a text, a call left out.
 * Answers about emptiness, counts, membership and types depend on these, and not on numbers.
 */
export function shapesAltered(
  testPath: string,
  testText: string,
  names: readonly string[],
  max: number,
): readonly Alteration[] {
  const known = names.filter((name) => /^\w+$/.test(name));
  if (known.length === 0) return [];
  const called = new RegExp(`(?:[\\w$]+\\.)*\\b(?:${known.join("|")})\\s*\\(`, "g");
  const found = [...testText.matchAll(called)].flatMap((call): Alteration[] => {
    const open = call.index + call[0].length;
    const close = closing(testText, open);
    if (close === null) return [];
    const line = testText.slice(0, open).split("\n").length;
    const made = otherShapes(testText, call.index, open, close);
    return made.map(({ from, to, instead }) => ({
      path: testPath,
      what: `${testPath}:${line} ${testText.slice(from, to).slice(0, 60)} becomes ${instead.slice(0, 60) || "nothing"}`,
      text: testText.slice(0, from) + instead + testText.slice(to),
      line,
    }));
  });
  return evenly(found, max);
}

const argumentsMax = 400;

/** Where the bracket at `open` is closed; null: not nearby. */
function closing(text: string, open: number): number | null {
  let depth = 1;
  for (let at = open; at < text.length && at < open + argumentsMax; at++) {
    if ("([{".includes(text[at] ?? "")) depth += 1;
    else if (")]}".includes(text[at] ?? "")) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

type Reshaped = { readonly from: number; readonly to: number; readonly instead: string };

function otherShapes(text: string, start: number, open: number, close: number): Reshaped[] {
  const given = text.slice(open, close);
  // Never a text for a number: most code simply fails on that.
  const shapes = [
    given.replace(/\[[^[\]]+\]/, "[]"),
    given.replace(/\[\s*\]/, "[0]"),
    given.replace(/^(\s*)(?:"[^"]*"|'[^']*')/, "$10"),
  ].filter((made) => made !== given);
  const isStatement =
    /(?:^|[;{}\n])\s*(?:await\s+)?$/.test(text.slice(Math.max(0, start - 40), start)) &&
    /^\)\s*(?:;|\n|$)/.test(text.slice(close));
  return [
    ...shapes.map((instead) => ({ from: open, to: close, instead })),
    ...(isStatement ? [{ from: start, to: close + 1, instead: "" }] : []),
  ];
}

type Literals = { readonly numbers: readonly number[]; readonly texts: readonly number[] };

function callInputs(source: Source, names: ReadonlySet<string>): Literals {
  const tests = innerTestRanges(source.path, source.text);
  const inTest = (index: number): boolean => {
    const at = source.code[index]?.from ?? 0;
    return (
      tests.length === 0 || source.language === "python" || tests.some((range) => range.from <= at && at < range.to)
    );
  };
  const calls = source.code.flatMap((_, index) =>
    names.has(textAt(source, index)) && inTest(index) ? callAt(source, index) : [],
  );
  const spans = calls.flatMap((open) => partsIn(source, open).map((part) => withoutLabel(source, part)));
  const direct = spans.flatMap((span) => literalsIn(source, span));
  const found = direct.length > 0 ? direct : spans.slice(0, tracedMax).flatMap((span) => boundTo(source, span));
  const indices = found.length > 0 || calls.length === 0 ? found : tableInputs(source);
  const ofKind = (kind: "number" | "string"): readonly number[] =>
    indices.filter((index) => source.code[index]?.kind === kind);
  return { numbers: ofKind("number"), texts: ofKind("string") };
}

/** The bracket of a call, after any type arguments; empty where the name is defined or only mentioned. */
function callAt(source: Source, index: number): readonly number[] {
  if (/^(?:def|fn|func|function|fun|class)$/.test(textAt(source, index - 1))) return [];
  let open = index + 1;
  if (textAt(source, open) === "::" && textAt(source, open + 1) === "<") open = behindAngles(source, open + 1);
  else if (textAt(source, open) === "<") open = behindAngles(source, open);
  // `Cart::new(3)` and `Cart.of(3)` are also calls of what the change defines.
  else if (/^(?:::|\.)$/.test(textAt(source, open)) && textAt(source, open + 2) === "(") open += 2;
  const token = source.code[open];
  return token?.kind === "open" && /^[({]$/.test(token.text) && (token.text === "(" || source.language === "go")
    ? [open]
    : [];
}

function behindAngles(source: Source, open: number): number {
  let depth = 0;
  for (let at = open; at < source.code.length && at < open + 60; at = after(source, at)) {
    depth += textAt(source, at) === "<" ? 1 : textAt(source, at) === ">" ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return open;
}

/** `count=3` and `count: 3` pass a 3. */
function withoutLabel(source: Source, part: Span): Span {
  const isLabel = source.code[part.from]?.kind === "word" && /^[=:]$/.test(textAt(source, part.from + 1));
  return isLabel ? { from: part.from + 2, to: part.to } : part;
}

/** The literals of a variable, if the argument is one: `const input = 5; total(input)`. */
function boundTo(source: Source, { from, to }: Span): readonly number[] {
  const name = source.code[to - 1];
  if (name?.kind !== "word" || to - from > 2) return [];
  for (let at = from - 2; at >= 0; at--) {
    if (textAt(source, at) !== name.text || !/^:?=$/.test(textAt(source, at + 1))) continue;
    const value = splitAt(source, { from: at + 2, to: lineEnd(source, at + 2) }, (text) => text === ";")[0];
    return value === undefined ? [] : literalsIn(source, value);
  }
  return [];
}

function lineEnd(source: Source, from: number): number {
  const line = source.code[from]?.line ?? 0;
  let at = from;
  while (at < source.code.length && (source.code[at]?.line === line || at === from)) at = after(source, at);
  return at;
}

/** Words after a command that is a function or script of the change. */
function shellInputs(source: Source, names: readonly string[]): readonly Change[] {
  const known = new Set(names);
  const words = [...commandsOf(source), ...substituted(source)].flatMap((command) => {
    const at = command.findIndex((word) => known.has(posix.basename(word.text.replace(/["']/g, ""))));
    return at < 0 ? [] : command.slice(at + 1).filter((word) => isPlain(word) && !/^-|=/.test(word.text));
  });
  const changes = words.flatMap((word) => changeOf(word) ?? []);
  const numbers = changes.filter(
    (change) => /\d/.test(source.text.slice(change.from, change.to)) && !change.instead.includes("q17"),
  );
  return numbers.length > 0 ? numbers : changes;
}

/** Commands in `$(…)`, which the lexer keeps as one word. */
function substituted(source: Source): ReturnType<typeof commandsOf> {
  return source.tokens.flatMap((token) =>
    [...token.text.matchAll(/\$\(([^()]*)\)/g)].flatMap((found) => {
      const start = token.from + found.index + 2;
      const inner = sourceOf("inner.sh", found[1] ?? "");
      if (inner === null || token.kind === "comment") return [];
      return commandsOf(inner).map((command) =>
        command.map((word) => ({ ...word, from: word.from + start, to: word.to + start, line: token.line })),
      );
    }),
  );
}
