// The words of a request that may be names in the code: what to look for in the workspace.
import { isContent } from "./deeds.ts";
import { read } from "./reading.ts";

export type NamesWanted = {
  /** Ordinary words: they count where a file or a folder is called so. */
  readonly words: readonly string[];
  /** Spelt as code: they count anywhere in the code. */
  readonly codes: readonly string[];
};

const code =
  /\b(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w{1,60}|[A-Z][a-z0-9]+[A-Z]\w{1,60})\b|`([\w$.]{3,60})(?:\(\))?`/g;
const wordsMax = 24;

export function namesWanted(request: string): NamesWanted {
  const { words, prose } = read(request.slice(0, 4000));
  const codes = [...prose.matchAll(code)].map(([all, quoted]) => quoted ?? all);
  const plain = words.map(({ text }) => text).filter((text) => text.length > 2 && isContent(text));
  return { words: [...new Set(plain)].slice(0, wordsMax), codes: [...new Set(codes)].slice(0, wordsMax) };
}
