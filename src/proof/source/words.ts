// The words in code: no comments, no strings, and no names that are only set to null.
import { sourceOf } from "./lex/source.ts";

const nothing = /^(?:null|undefined|None|nil)$/;

/** For a text that is not code: every word. */
export function wordsIn(path: string, text: string): ReadonlySet<string> {
  const source = sourceOf(path, text);
  if (source === null) return new Set(text.match(/\w+/g) ?? []);
  const { code } = source;
  const isSetToNothing = (at: number): boolean =>
    code[at + 1]?.text === "=" && nothing.test(code[at + 2]?.text ?? "") && !/^[.([]$/.test(code[at + 3]?.text ?? "");
  return new Set(
    code.filter((token, at) => token.kind === "word" && !isSetToNothing(at)).map(({ text: word }) => word),
  );
}
