// Literals of the changed code, old and new, to call its functions with: values at which it may behave differently.
import type { Case } from "../../case.ts";
import type { Asked, Orders } from "./program.ts";

const textsMax = 20;
const numbersMax = 10;
const keysMax = 10;

/** Texts and numbers that the feature or its tests are about are left out: there, another answer is what was asked for. */
export function wordsOf(
  { sides: { base, candidate, changes }, feature }: Case,
  questions: readonly Asked[],
): Pick<Orders, "words" | "avoid" | "skip"> {
  const paths = [...new Set(questions.map(({ path }) => path).filter(Boolean))];
  const old = paths.map((path) => base.text(path) ?? "").join("\n");
  const all = `${old}\n${paths.map((path) => candidate.text(path) ?? "").join("\n")}`;
  const tests = changes.filter(({ isTest }) => isTest).map(({ path }) => candidate.text(path) ?? "");
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const about = feature.kind === "change" ? [asked, ...tests].join("\n") : "";
  const isAbout = (word: string): boolean =>
    new RegExp(`(?<![\\w.])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])`).test(about);
  const unique = (list: readonly string[], max: number): string[] =>
    [...new Set(list)].filter((each) => each !== "" && !isAbout(each)).slice(0, max);
  const quoted = Array.from(all.matchAll(/"([^"\\\n]{1,40})"|'([^'\\\n]{1,40})'/g), ([, one, two]) => one ?? two ?? "");
  const keys = Array.from(old.matchAll(/^\s*["']?([\w-]+)["']?\s*:(?!:)/gm), ([, key = ""]) => key);
  const numbers = Array.from(all.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g), ([number]) => number);
  const options = Array.from(
    old.matchAll(
      /\b(?:opt\w*|setting\w*|config\w*|arg\w*|params?)\??\.([A-Za-z]\w*)|[{,]\s*([A-Za-z]\w*)\s*(?:=[^=>][^,{}]*)?(?=[,}])/g,
    ),
    ([, field, own]) => field ?? own ?? "",
  );
  return {
    words: {
      texts: unique([...quoted.filter((text) => !/^[./]|\.\.|^node:/.test(text)), ...keys], textsMax),
      numbers: unique(numbers, numbersMax).map(Number),
      keys: unique(options, keysMax),
    },
    avoid: feature.kind === "change" ? literalsIn(about) : [],
    skip: Object.keys(families).filter((family) =>
      sentencesOf(feature).some((each) => !saysItStays(each) && families[family]?.test(each) === true),
    ),
  };
}

/** Variants of arguments, and how a feature speaks about them. */
const families: Readonly<Record<string, RegExp>> = {
  empty: /empty|blank|nothing|missing|none|null/i,
  blank: /space|blank|white|trim|newline|\blines?\b|indent|\bpad/i,
  signs: /escape|special|punctuation|symbol|character|html|encod|accent|unicode|comma|quote/i,
  repeated: /duplicate|unique|repeat|twice|several|distinct|double/i,
  letters: /\bcase\b|upper|lower|letter|capital/i,
  long: /long|length|limit|truncat|\bmax|\bcut|short/i,
  digits: /digit|number|decimal/i,
  zero: /zero|\b0\b|empty|default/i,
  fraction: /round|decimal|fraction|float|cent|digit|whole|integer/i,
  large: /large|\bbig|\bmax|limit|overflow|at most|\bcap/i,
  order: /sort|order|revers|first|last/i,
};

export const sentencesOf = ({ name, description, criteria }: Case["feature"]): string[] =>
  [name, description, ...criteria].flatMap((text) => text.split(/[.;](?=\s|$)|\n/));

export const saysItStays = (sentence: string): boolean =>
  /\b(?:stays?|remains?|(?:as|like) (?:before|today|now)|unchanged|as it (?:is|was|did)|still|not (?:be )?change|nothing (?:else|changes)|what (?:it|they) \w+ before)\b/i.test(
    sentence,
  );

const literalsIn = (text: string): string[] =>
  [
    ...new Set(
      Array.from(
        text.matchAll(/"([^"\\\n]{2,40})"|'([^'\\\n]{2,40})'|(?<![\w.])(\d{2,})(?![\w.])/g),
        ([, one, two, three]) => one ?? two ?? three ?? "",
      ),
    ),
  ].slice(0, 60);
