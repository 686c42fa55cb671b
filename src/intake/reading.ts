// A request, parsed once: its prose apart from pasted text, its words, its deeds, its symptoms.
import { type Deed, deedsOf } from "./deeds.ts";
import { type FromRequest, findAll } from "./evidence.ts";
import { type Language, languageOf } from "./language.ts";
import { hiding, splitPasted } from "./pasted.ts";
import { strongSymptom, weakSymptom } from "./symptoms.ts";
import { type Word, wordsOf } from "./words.ts";

/** `prose` and `plain` have the length of the text: omitted parts are blank, so that positions stay valid. */
export type Reading = {
  readonly text: string;
  /** Without logs, traces and code blocks. */
  readonly prose: string;
  /** Also without code in backticks: words in there are names, not requests. */
  readonly plain: string;
  readonly pasted: string;
  readonly words: readonly Word[];
  readonly deeds: readonly Deed[];
  /** A pasted error, an observed failure, and a mere complaint. */
  readonly trace: readonly FromRequest[];
  readonly symptoms: readonly FromRequest[];
  readonly complaints: readonly FromRequest[];
  readonly language: Language;
};

const codeSpan = /`[^`\n]{1,200}`/g;

export function read(text: string): Reading {
  const { prose, pasted, trace } = splitPasted(text);
  const plain = hiding(prose, codeSpan);
  const words = wordsOf(plain);
  const deeds = deedsOf(plain, words);
  return {
    text,
    prose,
    plain,
    pasted,
    words,
    deeds,
    trace,
    symptoms: findAll(strongSymptom, plain, text),
    complaints: findAll(weakSymptom, plain, text),
    language: languageOf(plain, words, deeds.length),
  };
}
