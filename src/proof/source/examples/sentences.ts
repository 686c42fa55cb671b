// The sentences of a feature's text that say how it has to be.

/** A text that corrects something also describes the current behaviour, without saying which is which. */
export const corrects = /\b(?:fix(?:es|ed)?|bug|wrong(?:ly)?|instead|currently|regression|broken|crash(?:es)?)\b/i;
/** A sentence that describes the current or an unwanted behaviour. */
const asItWas =
  /\b(?:currently|at present|at the moment|now|today|instead|wrong(?:ly)?|incorrect(?:ly)?|bug|not|never|no longer|before|was|were|used to|old|actual(?:ly)?|expected)\b|n't\b/i;
const conditional = /\b(?:but|after|when|if|unless|until|once|twice|first|second|then)\b/i;
/** As Python's interpreter shows it: the call after `>>>`, the value on the next line. */
const transcript = /^[ \t]*>>>[ \t]*(.+)\n[ \t]*(?!>>>)(\S.*)$/gm;
const fence = /^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;

export type Sentence = { readonly text: string; readonly isConditional: boolean };
export type Block = { readonly language: string; readonly text: string };

/** Quoted lines are data about the task, perhaps of strangers. */
const ownLines = (text: string): string => text.replace(transcript, "$1 is $2").replace(/^[ \t]*>.*$/gm, "");

export const sentencesIn = (texts: readonly string[]): readonly Sentence[] =>
  texts
    .filter((text) => !corrects.test(text))
    .flatMap((text) =>
      ownLines(text)
        .replace(fence, "\n")
        .split(/(?<=[.;!?])\s+|\n+/),
    )
    .filter((text) => !asItWas.test(withoutCode(text)))
    .map((text) => ({ text, isConditional: conditional.test(withoutCode(text)) }));

/** Code blocks, unless the line above speaks of something else than how it has to be. */
export const blocksIn = (texts: readonly string[]): readonly Block[] =>
  texts
    .filter((text) => !corrects.test(text))
    .flatMap((text) => {
      const own = ownLines(text);
      return Array.from(own.matchAll(fence)).flatMap(({ index, 2: language = "", 3: code = "" }) => {
        const above = own.slice(0, index).trimEnd().split("\n").at(-1) ?? "";
        return asItWas.test(withoutCode(above)) ? [] : [{ language: language.toLowerCase(), text: code }];
      });
    });

/** Words of data say nothing about the sentence. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`|"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)/g, "0");
