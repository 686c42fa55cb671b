// Values that the feature's text gives: numbers, options, variables, errors, texts in quotes. A value that neither the
// product nor a changed test has was not built, or not as it was asked for.
import type { Case } from "../case.ts";
import { examplesIn, numbersIn, textsIn } from "../source/index.ts";
import type { View } from "../view.ts";

const shownMax = 4;

type Value = { readonly shown: string; readonly isIn: (found: Found) => boolean };
type Found = { readonly text: string; readonly numbers: ReadonlySet<number> };

export function valueQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  if (feature.kind !== "change") return [];
  const values = valuesIn([feature.name, feature.description, ...feature.criteria]);
  if (values.length === 0) return [];
  const { base, candidate, classes } = sides;
  const changed = new Set(sides.changes.filter(({ side }) => side !== "ours").map(({ path }) => path));
  const foundIn = (view: View, path: string): Found => {
    const text = view.text(path) ?? "";
    return { text: textsIn(path, text).toLowerCase(), numbers: numbersIn(path, text) };
  };
  const files = candidate.paths
    .filter((path) => changed.has(path) || classes.of(path).kind === "product")
    .map((path) => foundIn(candidate, path));
  const absent = values.filter(({ isIn }) => ![...files, ...oldTestsOf(sides, feature)].some(isIn));
  // "10 seconds are too short. Raise it to 30": a value that the change replaced by another one that the feature gives.
  const replaced = absent.length === values.length ? [] : [...changed].map((path) => foundIn(base, path));
  const missing = absent.filter(({ isIn }) => !replaced.some(isIn)).map(({ shown }) => shown);
  return missing.length === 0
    ? []
    : [
        `The feature says ${missing.slice(0, shownMax).join(", ")}, and neither the product nor its tests do. Build that, with a test that says it.`,
      ];
}

/** Lines of old tests that call what the feature names: one that was red says already what it has to be. */
function oldTestsOf(
  { base, classes }: Case["sides"],
  { name, description, criteria }: Case["feature"],
): readonly Found[] {
  const called = [name, description, ...criteria].flatMap((text) => text.match(/\w+\((?=[^)])/g) ?? []);
  if (called.length === 0) return [];
  return base.paths
    .filter((path) => classes.of(path).isTest)
    .flatMap((path) => {
      const lines = (base.text(path) ?? "").split("\n").filter((line) => called.some((call) => line.includes(call)));
      const text = lines.join("\n");
      return lines.length === 0 ? [] : [{ text: textsIn(path, text).toLowerCase(), numbers: numbersIn(path, text) }];
    });
}

/** A sentence about how it was tells nothing about how it has to be. */
const asItWas =
  /\b(?:currently|at present|at the moment|today|instead|rather than|wrong(?:ly)?|incorrect(?:ly)?|no longer|used to|was|were|previously|formerly|before|for example|e\.g\.|such as|like|as in|see)\b/i;

export function valuesIn(texts: readonly string[]): readonly Value[] {
  const isData = texts.some((text) => /\b(?:in|of|from|by) (?:the|this) table\b|\btable (?:above|below)\b/i.test(text))
    ? /^\s*>/
    : /^\s*[|>]/;
  const sentences = texts
    .flatMap((text) => text.replace(/^[ \t]*>.*$/gm, "").split(/(?<=[.;!?])\s+|\n+/))
    // Quoted lines are data, and so are rows of a table that the feature does not speak of. Examples are run as they stand.
    .filter((sentence) => !isData.test(sentence) && !asItWas.test(sentence))
    .filter((sentence) => examplesIn([sentence]).length === 0)
    .map((sentence) => withoutCalls(sentence).replace(sizeOfTheWork, " "));
  const values = [
    ...sentences.flatMap((sentence) => [...names(sentence), ...quoted(sentence)]),
    ...texts.flatMap(outcomes).flatMap((cell) => quoted(`is ${cell}`)),
  ];
  return [...new Map([...values, ...numbers(sentences)].map((value) => [value.shown, value])).values()];
}

/** A table with a column of results says what comes out, row by row. */
function outcomes(text: string): string[] {
  const rows = text
    .split("\n")
    .filter((row) => /^\s*\|/.test(row))
    .map((row) =>
      row
        .trim()
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim()),
    );
  const column =
    rows[0]?.findIndex((cell) => /^(?:outputs?|results?|returns?|gives|answers?|expected)\b/i.test(cell)) ?? -1;
  return column < 0 ? [] : rows.slice(1).map((row) => (row[column] ?? "").replace(/^`("[^`]*")`$/, "$1"));
}

/** "at most 50 lines": about the change, and nothing that a product says. */
const sizeOfTheWork =
  /(?:\b(?:at most|no more than|under|below|less than|fewer than|up to|max(?:imum)?(?: of)?|within)|[<≤])\s*\d[\d,]*\s*(?:lines?|LOC|files?|commits?|functions?)\b/gi;

/** What a call shows is an example of its form. */
const withoutCalls = (sentence: string): string => sentence.replace(/[\w.]+\([^()]*(?:\([^()]*\)[^()]*)*\)/g, " ");

const isText =
  (wanted: string): Value["isIn"] =>
  ({ text }) =>
    text.includes(wanted.toLowerCase());

/** `--json`, `APP_PORT`, `RangeError`, `gateway.send`. */
function names(sentence: string): Value[] {
  const whole = Array.from(
    sentence.matchAll(/(?<![\w-])--[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z][a-z]\w*(?:Error|Exception)\b/g),
    ([name]) => ({ shown: name, isIn: isText(name.replace(/^--/, "")) }),
  );
  const dotted = Array.from(sentence.matchAll(/`[A-Za-z_]\w*\.([A-Za-z_]\w{2,})`/g), ([shown, last = ""]) => ({
    shown: shown.replaceAll("`", ""),
    isIn: isText(last),
  }));
  return [...whole, ...dotted];
}

/** Texts that are printed or returned as they stand; with a placeholder or an escape they are a pattern. */
function quoted(sentence: string): Value[] {
  const said =
    /\b(?:prints?|outputs?|says?|shows?|returns?|answers?|is|are|reads?|with|message|text|line|yields?|gives?|becomes?|produces?|equals?|(?:evaluates?|turns) (?:in)?to|results? in)\s+(?:"([^"`]{2,60})"|`([^"`]{2,60})`)/g;
  return Array.from(sentence.matchAll(said), ([, text, code]) => text ?? code ?? "")
    .filter((text) => /[a-z]/i.test(text) && !/[<>…{}%\\$*]|\.\.\.|\b[A-Z]{3,}\b/.test(text))
    .map((text) => ({ shown: `"${text}"`, isIn: isText(text) }));
}

/** A number, or one with the word that makes it a version, a standard or a reference; a range is found whole. */
const numbersInProse =
  /(?<![^\s($€£])(?:\b(?:RFC|ISO|Node|Python|version|section|issue|line|step|item|phase|chapter|page|level|feature|C|F)\s+)?\d[\d.,_]*(?:\s*(?:to|and|or|-|–|—)\s*\d[\d.,_]*)?(?![\w/:-])/gi;
const smallest = 3;

function numbers(sentences: readonly string[]): Value[] {
  const given = sentences
    .flatMap((sentence) =>
      Array.from(sentence.matchAll(numbersInProse), (match) => ({
        found: match[0],
        isCount: counted.test(sentence.slice(match.index + match[0].length)),
      })),
    )
    .filter(({ found }) => /^\d/.test(found))
    .map(({ found, isCount }) => ({ shown: /^[\d.,_]*\d/.exec(found)?.[0] ?? "", isCount }))
    .map(({ shown, isCount }) => ({ shown, isCount, value: Number(shown.replace(/[,_](?=\d{3})/g, "")) }))
    .filter(({ value }) => Number.isFinite(value));
  const all = given.map(({ value }) => value);
  return given
    .filter(({ value }) => value >= smallest)
    .map(({ shown, value, isCount }) => {
      // A test may say the result: 550 for 400 plus 150.
      const ways = [
        ...(isCount ? [value, value + 1, value - 1] : waysToSay(value)),
        ...all.flatMap((other) => [value + other, value * other]),
      ];
      return { shown, isIn: ({ numbers: there }) => ways.some((way) => there.has(way)) };
    });
}

/** What has no other unit: 8 is no way to say "80 characters". */
const counted =
  /^\s+(?:characters?|chars?|letters?|words?|digits?|lines?|items?|entries|elements?|rows?|columns?|times)\b/i;

/** In other units, as a percentage, or as the first value that is beyond it. */
const waysToSay = (value: number): readonly number[] => [
  ...[1, 10, 100, 1000, 60, 3600, 60_000, 3_600_000, 86_400, 86_400_000, 1024, 1_048_576].map((unit) => value * unit),
  ...[10, 100, 1000].map((part) => value / part),
  value + 1,
  value - 1,
  1 + value / 100,
  1 - value / 100,
];
