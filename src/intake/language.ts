// Which language a request is in, as far as the rules can tell. They know English; for others they say so and do not
// refuse.
import { foreignWords, functionWords, type Word } from "./words.ts";

export type Language = {
  /** The rules can read it. */
  readonly isKnown: boolean;
  /** Long enough to be a request at all. */
  readonly isEnough: boolean;
};

/** Counts the small words that every text of a language contains. */
export function languageOf(plain: string, words: readonly Word[], orders: number): Language {
  const some = words.slice(0, 400);
  const foreign = some.filter(({ text }) => foreignWords.has(text)).length;
  const english = some.filter(({ text }) => functionWords.has(text)).length;
  const letters = plain.slice(0, 4000).match(/\p{L}/gu)?.length ?? 0;
  const latin = plain.slice(0, 4000).match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return { isKnown: false, isEnough: letters >= 4 };
  const accented = some.filter(({ text }) => /[^\u0000-\u007f'’]/.test(text)).length;
  const strangers = foreign + accented;
  // A title has few small words. Without a sign of another language it is English.
  const isKnown = strangers <= english + orders;
  return { isKnown, isEnough: some.length >= 4 };
}
