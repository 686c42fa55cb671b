// `e.g. Äpfel -> aepfel`: what goes into the function that the text is about, and what comes out.
import { describes, isMadeOf } from "./prose.ts";
import { corrects } from "./sentences.ts";

export type Pair = { readonly text: string; readonly from: string; readonly to: string };

export const pairsIn = (texts: readonly string[]): readonly Pair[] =>
  texts
    .filter((text) => !corrects.test(text))
    .flatMap((text) => Array.from(text.replace(/^[ \t]*>.*$/gm, "").matchAll(pair)))
    .map(([, text = "", from = "", to = ""]) => ({ text, from, to }))
    .filter(({ from, to }) => isMadeOf(to, from) && !describes.test(to));

const pair =
  /(?:\be\. ?g\.|\bfor (?:example|instance)|\bexamples?:)[,:]?\s+(([^\s"'`,;()<>]+)\s*(?:->|=>|→|\bbecomes\b|\bturns into\b)\s*([^\s"'`,;()<>]*[^\s"'`,;()<>.:]))(?=[.,;)]*(?:\s|$))/giu;
