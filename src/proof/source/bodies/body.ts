// Functions and methods: where their bodies are, and what replaces a body that is emptied.
import type { Source } from "../lex/source.ts";

export type Body = {
  readonly name: string;
  /** Where the header begins and the body ends, from 1. */
  readonly line: number;
  readonly endLine: number;
  /** Offsets of the inside of the body. */
  readonly from: number;
  readonly to: number;
};

/** What a language's finder adds to that. */
export type FoundBody = Body & {
  /** Where the header begins, with decorators and modifiers. */
  readonly start: number;
  /** The first line of the header with its decorators, where the language has them. */
  readonly headLine?: number;
  /** Where the whole function ends. */
  readonly end: number;
  /** A callback without a name. */
  readonly anonymous: boolean;
  /** The text between `from` and `to` when it is emptied. Null: no valid text is known, or it is already empty. */
  readonly instead: () => string | null;
};

export function lineOf(source: Source, offset: number): number {
  let [low, high] = [0, source.tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((source.tokens[middle]?.from ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const token = source.tokens[low - 1];
  const [from, line] = token === undefined ? [0, 1] : [token.from, token.line];
  return line + source.text.slice(from, offset).split("\n").length - 1;
}

/** The bodies of the functions that begin at a token, for every token. */
export const bodiesFound = (
  source: Source,
  functionAt: (source: Source, at: number) => FoundBody | null,
): readonly FoundBody[] => source.code.flatMap((_, at) => functionAt(source, at) ?? []);

/** A body between two brackets of `code`. */
export function bracketed(
  source: Source,
  open: number,
  of: Omit<FoundBody, "from" | "to" | "line" | "endLine" | "end">,
): FoundBody {
  const [first, last] = [source.code[open], source.code[source.partner[open] ?? -1]];
  const [from, end] = [first?.to ?? 0, last?.to ?? 0];
  return { ...of, from, to: last?.from ?? from, end, line: lineOf(source, of.start), endLine: lineOf(source, end) };
}

/** Whether there is nothing but comments between two brackets. */
export const isEmpty = (source: Source, open: number): boolean => (source.partner[open] ?? -1) <= open + 1;
