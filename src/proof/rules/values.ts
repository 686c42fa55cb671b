// Values that the feature's text gives: numbers, options, variables, errors, texts in quotes. A value that neither the
// product nor a changed test has was not built, or not as it was asked for.
import type { Case } from "../case.ts";
import { examplesIn, linesOfTest, numbersIn, numbersOf, textsIn } from "../source/index.ts";
import type { View } from "../view.ts";

const shownMax = 4;

/** What a value has to be found as. `default`: a test may pass the same value. `exit`: another number may be the same. */
type Role = "any" | "default" | "exit" | "time" | "document";
type Value = { readonly shown: string; readonly role: Role; readonly isIn: (found: Found) => boolean };
type Found = { readonly text: string; readonly numbers: ReadonlySet<number> };
/** What one file says, by what it may count for. */
type Place = { readonly of: "product" | "test" | "document"; readonly role: Role; readonly found: Found };

export function valueQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  if (feature.kind !== "change") return [];
  const values = valuesIn([feature.name, feature.description, ...feature.criteria]);
  if (values.length === 0) return [];
  const { base, candidate, classes } = sides;
  const changed = new Map(sides.changes.filter(({ side }) => side !== "ours").map((change) => [change.path, change]));
  const places = candidate.paths
    .filter((path) => changed.has(path) || classes.of(path).kind === "product")
    .flatMap((path) => placesIn(candidate, path, kindOf(sides, path)));
  const old = oldTestsOf(sides, feature);
  const absent = values.filter(
    ({ isIn, role }) =>
      !places.some((place) => counts(place, role) && isIn(place.found)) && (role === "default" || !old.some(isIn)),
  );
  // "10 seconds are too short. Raise it to 30": a value that the change replaced by another one that the feature gives.
  const replaced =
    absent.length === values.length ? [] : [...changed.keys()].map((path) => foundIn(path, base.text(path) ?? ""));
  const missing = absent.filter(({ isIn }) => !replaced.some(isIn)).map(({ shown }) => shown);
  return missing.length === 0
    ? []
    : [
        `The feature says ${missing.slice(0, shownMax).join(", ")}, and neither the product nor its tests do. Build that, with a test that says it.`,
      ];
}

function kindOf({ changes, classes, base }: Case["sides"], path: string): Place["of"] {
  const change = changes.find((each) => each.path === path);
  if (change?.isTest === true || change?.side === "judge") return "test";
  const isDocument = change === undefined ? base.has(path) && classes.of(path).isDocument : change.isDocument;
  return isDocument ? "document" : "product";
}

const foundIn = (path: string, text: string): Found => ({
  text: textsIn(path, text).toLowerCase(),
  numbers: numbersIn(path, text),
});
const foundOf = (lines: readonly string[]): Found => ({
  text: lines.join("\n").toLowerCase(),
  numbers: numbersOf(lines.join("\n")),
});

/** A title, a comment and a limit of time say nothing of what comes out. */
function placesIn(view: View, path: string, of: Place["of"]): readonly Place[] {
  const text = view.text(path) ?? "";
  const lines =
    of === "test" ? linesOfTest(path, text) : textsIn(path, text) === text ? text.split("\n") : linesOfTest(path, text);
  const whole = of === "test" ? foundOf(lines.filter((line) => !timed.test(line))) : foundIn(path, text);
  return [
    { of, role: "any", found: whole },
    { of, role: "exit", found: foundOf(lines.filter((line) => exits.test(line))) },
    ...(of === "test" ? [{ of, role: "time" as const, found: foundOf(lines.filter((line) => timed.test(line))) }] : []),
  ];
}

const timed =
  /\b(?:Date\s*\.\s*now|performance\s*\.\s*now|hrtime|time\s*\.\s*(?:time|monotonic|perf_counter|Since)|perf_counter|monotonic|elapsed|time_?out)\b/i;
const exits = /exit|status|code|return|\$\?/i;

function counts({ of, role: place }: Place, role: Role): boolean {
  switch (role) {
    case "any":
      return place === "any" && of !== "document";
    case "default":
      return place === "any" && of === "product";
    case "exit":
      return place === "exit" && of !== "document";
    case "time":
      return place !== "exit" && of !== "document";
    case "document":
      return place === "any";
  }
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
      return lines.length === 0 ? [] : [foundIn(path, lines.join("\n"))];
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
    .map((sentence) => withoutCalls(sentence).replace(sizeOfTheWork, " ").replace(numberInCode, "$1"));
  const isText = (role: Role) => (value: Omit<Value, "role">) => ({ ...value, role });
  const values = [
    ...sentences.flatMap((sentence) =>
      [...names(sentence), ...quoted(sentence)].map(isText(aboutDocuments.test(sentence) ? "document" : "any")),
    ),
    ...texts
      .flatMap(outcomes)
      .flatMap((cell) => quoted(`is ${cell}`))
      .map(isText("any")),
  ];
  return [...new Map([...values, ...numbers(sentences)].map((value) => [value.shown, value])).values()];
}

const numberInCode = /`(-?\d[\d.,_]*(?:\s?[A-Za-z%]{1,3})?)`/g;
const aboutDocuments = /\bREADME\b|\.(?:md|rst)\b|\bCHANGELOG\b|\bdocument(?:s|ed|ation)?\b/i;

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

const hasText =
  (wanted: string): Value["isIn"] =>
  ({ text }) =>
    text.includes(wanted.toLowerCase());

/** `--json`, `APP_PORT`, `RangeError`, `gateway.send`. */
function names(sentence: string): Omit<Value, "role">[] {
  const whole = Array.from(
    sentence.matchAll(/(?<![\w-])--[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z][a-z]\w*(?:Error|Exception)\b/g),
    ([name]) => ({ shown: name, isIn: hasText(name.replace(/^--/, "")) }),
  );
  const dotted = Array.from(sentence.matchAll(/`[A-Za-z_]\w*\.([A-Za-z_]\w{2,})`/g), ([shown, last = ""]) => ({
    shown: shown.replaceAll("`", ""),
    isIn: hasText(last),
  }));
  return [...whole, ...dotted];
}

/** Texts that are printed or returned as they stand; with a placeholder or an escape they are a pattern. */
function quoted(sentence: string): Omit<Value, "role">[] {
  const said =
    /\b(?:prints?|outputs?|says?|shows?|returns?|answers?|is|are|reads?|with|as|message|text|line|yields?|gives?|becomes?|produces?|equals?|(?:evaluates?|turns) (?:in)?to|results? in)\s+(?:"([^"`]{2,60})"|`([^"`]{2,60})`)/g;
  return Array.from(sentence.matchAll(said), ([, text, code]) => text ?? code ?? "")
    .filter((text) => /[a-z]/i.test(text) && !/[<>…{}%\\$*]|\.\.\.|\b[A-Z]{3,}\b/.test(text))
    .map((text) => ({ shown: `"${text}"`, isIn: hasText(text) }));
}

/** A number, or one with the word that makes it a version, a standard or a reference; a range is found whole. */
const numbersInProse =
  /(?<![^\s($€£])(?:\b(?:RFC|ISO|Node|Python|version|section|issue|line|step|item|phase|chapter|page|level|feature|C|F)\s+)?\d[\d.,_]*(?:\s*(?:to|and|or|-|–|—)\s*\d[\d.,_]*)?(?![\w/:-])/gi;
const smallest = 3;

function numbers(sentences: readonly string[]): Value[] {
  const given = sentences
    .flatMap((sentence) =>
      Array.from(sentence.matchAll(numbersInProse), (match) => ({
        sentence,
        found: match[0],
        rest: sentence.slice(match.index + match[0].length),
        role: roleOf(sentence, match.index),
      })),
    )
    .filter(({ found }) => /^\d/.test(found))
    .map((each) => ({ ...each, shown: /^[\d.,_]*\d/.exec(each.found)?.[0] ?? "" }))
    .map((each) => ({ ...each, value: Number(each.shown.replace(/[,_](?=\d{3})/g, "")) }))
    .filter(({ value }) => Number.isFinite(value));
  const all = given.map(({ value }) => value);
  return given
    .filter(({ value }) => value >= smallest)
    .map(({ shown, value, sentence, rest, role }) => {
      const sums = all.filter((other) => other > 1).flatMap((other) => resultsOf(value, other));
      const ways = role === "exit" ? [value] : [...waysToSay(value, sentence, rest), ...sums];
      return { shown, role, isIn: ({ numbers: there }) => ways.some((way) => there.has(way)) };
    });
}

/** A test may say the result: 550 for 400 plus 150, 700 for 400 plus 150 for each of two. */
const resultsOf = (value: number, other: number): readonly number[] => [
  value * other,
  ...Array.from({ length: 10 }, (_, times) => [value + other * (times + 1), other + value * (times + 1)]).flat(),
];

function roleOf(sentence: string, at: number): Role {
  if (aboutDocuments.test(sentence)) return "document";
  if (
    /\b(?:exits?|ends?)\b(?: \w+)* with (?:the )?(?:exit )?(?:code |status )?$|\bexit (?:code|status)(?: \w+)? $/i.test(
      sentence.slice(0, at),
    )
  )
    return "exit";
  if (/\b(?:takes?|within|faster|time ?outs?|as long as)\b/i.test(sentence)) return "time";
  return /\b(?:by default|defaults?|left out|omitted|not given|not passed)\b/i.test(sentence) ? "default" : "any";
}

/** What has no other unit: 8 is no way to say "80 characters". */
const counted =
  /^\s+(?:characters?|chars?|letters?|words?|digits?|lines?|items?|entries|elements?|rows?|columns?|times)\b/i;
/** What lies beyond it is another way to say it. */
const bounding =
  /\b(?:at (?:most|least)|more|less|fewer|under|above|below|over|up to|until|from|between|within|than|max\w*|min\w*|limit\w*|exceed\w*|beyond|first|last|through|range)\b|[<>≤≥]/i;
const share = /%|\b(?:percent|per cent|rates?|tax|VAT|discounts?|fees?|interest|off)\b/i;
/** A larger unit is in use, too. */
const small =
  /^\s*(?:%|(?:percent|per cent|ms|milliseconds?|cents?|pence|bytes?|[KMG]?i?B|g|grams?|mm|cm|m|meters?|metres?|basis points?|minutes?|seconds?|hours?|days?)\b)/i;

/** In other units, as a percentage, or as the first value that is beyond it. */
function waysToSay(value: number, sentence: string, rest: string): readonly number[] {
  const beyond = [value + 1, value - 1];
  if (counted.test(rest)) return [value, ...beyond];
  const isShare = share.test(sentence);
  return [
    ...[1, 10, 100, 1000, 60, 3600, 60_000, 3_600_000, 86_400, 86_400_000, 1024, 1_048_576].map((unit) => value * unit),
    ...(isShare || small.test(rest) ? [10, 100, 1000, 1024].map((part) => value / part) : []),
    ...(bounding.test(sentence) ? beyond : []),
    ...(isShare ? [(100 + value) / 100, (100 - value) / 100] : []),
  ];
}
