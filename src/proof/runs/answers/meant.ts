// Which functions a feature changes, and of which it says that they stay, by its own words.
import type { Case } from "../../case.ts";
import type { Meant } from "./calls.ts";
import { saysItStays, sentencesOf } from "./words.ts";

/**
 * The functions that the feature names are those it changes, unless it says that they stay: "format stays as it is", or of all
 * that it changes, "everything else as before".
 */
export function meantBy(feature: Case["feature"]): Meant {
  const sentences = sentencesOf(feature);
  return {
    changes: (name) => sentences.some((each) => hasWord(each, name)),
    keeps: (name, all) =>
      sentences.some(
        (each) => saysItStays(each) && (isOfFunction(each, name) || !all.some((other) => hasWord(each, other))),
      ),
  };
}

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
