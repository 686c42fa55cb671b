// Which functions a feature changes, and of which it says that they stay, by its own words.
import type { Case } from "../../case.ts";
import { didPass, type Seen } from "../../seen.ts";
import { testAt } from "../../source/index.ts";
import type { Meant } from "./calls.ts";
import { saysItStays, sentencesOf } from "./words.ts";

/**
 * The functions that the feature names are those it changes, unless it says that they stay: "format stays as it is", or of all
 * that it changes, "everything else as before".
 */
export function meantBy(feature: Case["feature"]): Omit<Meant, "isShown"> {
  const sentences = sentencesOf(feature);
  return {
    changes: (name) => sentences.some((each) => hasWord(each, name)),
    keeps: (name, all) =>
      sentences.some(
        (each) => saysItStays(each) && (isOfFunction(each, name) || !all.some((other) => hasWord(each, other))),
      ),
  };
}

/**
 * Functions that old tests call which failed at the base and pass over the new product: they say how these functions have to
 * answer, also where the feature only says that the tests have to pass.
 */
export function calledByTurned(
  { sides: { base } }: Pick<Case, "sides">,
  before: ReadonlyMap<string, Seen>,
  now: ReadonlyMap<string, Seen>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [check, was] of before) {
    const is = now.get(check);
    for (const [key, { how, file }] of was.tests ?? []) {
      if (how !== "failed" || file === null || is === undefined || !didPass(is, key)) continue;
      const text = base.text(file) ?? "";
      const lines = testAt(file, text, key.split(" > ").at(-1) ?? "");
      const own =
        lines === null
          ? text
          : text
              .split("\n")
              .slice(lines.from - 1, lines.to)
              .join("\n");
      for (const name of own.match(/\w+(?=\()/g) ?? []) found.add(name);
    }
  }
  return found;
}

/** Everything stays: of a refactoring, and of two ways to write the same. */
export const everything: Meant = { changes: () => false, keeps: () => false, isShown: false };

const hasWord = (sentence: string, name: string): boolean => sentence.match(/\w+/g)?.includes(name) === true;

/** In "a given timeout still wins" the word is a value and not the function `timeout`. */
function isOfFunction(sentence: string, name: string): boolean {
  const words = Array.from(sentence.matchAll(/\w+/g));
  return words.some(([word], at) => {
    if (word !== name) return false;
    const isCalled = sentence[(words[at]?.index ?? 0) + word.length] === "(";
    return isCalled || !/^(?:an?|any|each|every|no|given|explicit|custom|own)$/i.test(words[at - 1]?.[0] ?? "");
  });
}
