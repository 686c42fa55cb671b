// Inputs of programs: the texts that a test passes to a program that it starts, as arguments, on its standard input, or in a
// file that the test writes first.

import { partsIn, type Source, type Span, sourceOf, textAt } from "../lex/source.ts";
import { evenly } from "../mutants/choice.ts";
import { type Alteration, alterations } from "./alteration.ts";

const starters: Readonly<Record<string, ReadonlySet<string>>> = {
  javascript: new Set("spawn spawnSync execFile execFileSync fork execa execaSync execaNode".split(" ")),
  python: new Set("run check_output check_call call Popen".split(" ")),
};

const writers: Readonly<Record<string, ReadonlySet<string>>> = {
  javascript: new Set(["writeFileSync", "writeFile", "outputFile"]),
  python: new Set(["write_text", "write"]),
};

/** What a list of arguments holds besides data. */
export type NotData = {
  /** Whether a path of the project has this name. */
  readonly isPath: (text: string) => boolean;
  /** Words that the product itself compares with: commands and options. */
  readonly words: ReadonlySet<string>;
};

/**
 * At most `max` texts of a test, each with another input in one place: a longer one, none, a number, and commands that the
 * product knows. An answer that depends on its input is different for one of them.
 */
export function programInputsAltered(path: string, text: string, notData: NotData, max: number): readonly Alteration[] {
  const source = sourceOf(path, text);
  const known = source === null ? undefined : starters[source.language];
  if (source === null || known === undefined) return [];
  const writes = writers[source.language] ?? new Set<string>();
  const wrappers = wrappersIn(text, [...known]);
  if (wrappers.size === 0 && !source.code.some((_, index) => isStarted(source, index, known))) return [];
  const writing = wrappersIn(text, [...writes]);
  const indices = source.code.flatMap((token, index) => {
    if (token.kind !== "word" || textAt(source, index + 1) !== "(") return [];
    const parts = partsIn(source, index + 1);
    const isWrapper = wrappers.has(token.text);
    if (isWrapper || isStarted(source, index, known))
      return parts.flatMap((part) => dataIn(source, part, isWrapper, notData));
    const isWriting = writes.has(token.text) || writing.has(token.text);
    // The last one: with another file name, the test itself may fail.
    return isWriting ? parts.flatMap((part) => textsIn(source, part, { ...notData, words: new Set() })).slice(-1) : [];
  });
  const chosen = evenly([...new Set(indices)], literalsMax);
  const others = [...notData.words].filter((word) => /^[a-z][\w-]*$/.test(word)).slice(0, wordsMax);
  const made = chosen.map((index) => {
    const { from, to, line, text: literal } = source.code[index] as Source["code"][number];
    const inner = literal.slice(1, -1);
    const quote = literal.slice(-1);
    const instead = [`${inner} q17`, "", "7", "19", ...others].filter((other) => other !== inner);
    return instead.flatMap((other) =>
      alterations(path, text, [{ from, to, line, instead: `${quote}${other}${quote}` }], 1),
    );
  });
  // The first of each literal comes before the second of any.
  return Array.from({ length: 4 + wordsMax }, (_, at) => made.flatMap((list) => list.slice(at, at + 1)))
    .flat()
    .slice(0, max);
}

const literalsMax = 4;
const wordsMax = 2;

/** `run` and `call` are words of many things: in Python only those of subprocess start a program. */
const isStarted = (source: Source, index: number, known: ReadonlySet<string>): boolean =>
  known.has(textAt(source, index)) &&
  (source.language === "javascript" ||
    (textAt(source, index - 1) === "." && textAt(source, index - 2) === "subprocess"));

/** Functions of the test in which one of these is called. */
function wrappersIn(text: string, known: readonly string[]): ReadonlySet<string> {
  const called = `(?<![\\w$])(?:${known.join("|")})\\(`;
  const arrows = `(?:const|let|var)\\s+(\\w+)\\s*=\\s*(?:async\\s*)?(?:\\([^()]*\\)|\\w+)\\s*=>\\s*(?:\\{[^}]{0,300}?|[^;{}]{0,80}?)${called}`;
  const functions = `(?:function|def)\\s+(\\w+)\\s*\\([^()]*\\)[^{:]{0,40}[{:][^}]{0,300}?${called}`;
  const promised = `(\\w+)\\s*=\\s*(?:\\w+\\.)?promisify\\((?:\\w+\\.)?(?:${known.join("|")})\\)`;
  return new Set(
    [arrows, functions, promised].flatMap((pattern) =>
      [...text.matchAll(new RegExp(pattern, "g"))].map(([, name]) => name ?? ""),
    ),
  );
}

/** Texts in lists of arguments and of `input`; of a wrapper, its plain arguments as well. */
function dataIn(source: Source, { from, to }: Span, isWrapper: boolean, notData: NotData): number[] {
  const first = source.code[from];
  if (first === undefined) return [];
  const label = /^[:=]$/.test(textAt(source, from + 1)) ? first.text.replace(/["']/g, "") : null;
  if (label !== null) return label === "input" ? textsIn(source, { from: from + 2, to }, notData) : [];
  if (first.text === "{") return partsIn(source, from).flatMap((part) => dataIn(source, part, false, notData));
  if (first.text === "[") return partsIn(source, from).flatMap((part) => textsIn(source, part, notData));
  return isWrapper ? textsIn(source, { from, to }, notData) : [];
}

function textsIn(source: Source, { from, to }: Span, { isPath, words }: NotData): number[] {
  const token = source.code[from];
  if (token === undefined || to - from !== 1 || token.kind !== "string" || !/^["'][^\n]*["']$/.test(token.text))
    return [];
  const inner = token.text.slice(1, -1);
  const isFile = /[\\/]/.test(inner.replace(/\\[nt]/g, "")) || /\.[A-Za-z]\w{0,4}$/.test(inner) || isPath(inner);
  return isFile || inner.startsWith("-") || words.has(inner) || programs.test(inner) ? [] : [from];
}

const programs = /^(?:node|python3?|deno|bun|sh|bash|npx|npm|tsx|utf-?8|pipe|inherit)$/;
