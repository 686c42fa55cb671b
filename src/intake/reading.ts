// A request, read once: its prose apart from what was pasted into it, its words, what it asks to be done, what goes wrong.
import { type Deed, deedsOf } from "./deeds.ts";
import { type FromRequest, findAll } from "./evidence.ts";
import { type Language, languageOf } from "./language.ts";
import { hiding, splitPasted } from "./pasted.ts";
import { strongSymptom, weakSymptom } from "./symptoms.ts";
import { type Word, wordsOf } from "./words.ts";

/** `prose` and `plain` are as long as the text: what is left out of them is blank, so that places stay places. */
export type Reading = {
  readonly text: string;
  /** Without logs, traces and code blocks. */
  readonly prose: string;
  /** Without code in backticks as well: words in there are names, not requests. */
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
