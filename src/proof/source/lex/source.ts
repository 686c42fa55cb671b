// A text with its tokens, which every other part of this folder works on.
import { extensionOf, isTyped, type Language, languageOfText } from "../language.ts";
import { lexCLike } from "./c-like.ts";
import { lexGo } from "./go.ts";
import { lexJavascript } from "./javascript.ts";
import { lexPython } from "./python.ts";
import { lexRust } from "./rust.ts";
import { lexShell } from "./shell.ts";
import type { Token } from "./token.ts";

export type Source = {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  readonly typed: boolean;
  /** Every token, with comments and newlines. */
  readonly tokens: readonly Token[];
  /** The tokens that are neither. */
  readonly code: readonly Token[];
  /** For each bracket of `code` the index of its partner, otherwise -1. */
  readonly partner: Int32Array;
  /** For each token of `code` the index of the bracket that is open around it, otherwise -1. */
  readonly parent: Int32Array;
};

/** Null: a data file, an unknown language, or a text that is too large. */
export function sourceOf(path: string, text: string): Source | null {
  const language = languageOfText(path, text);
  if (language === null) return null;
  const tokens = lex(language, path, text);
  const code = tokens.filter((token) => token.kind !== "comment" && token.kind !== "newline");
  return { path, text, language, typed: isTyped(path), tokens, code, ...pairs(code) };
}

function lex(language: Language, path: string, text: string): readonly Token[] {
  switch (language) {
    case "javascript":
      // In plain TypeScript `<T>x` is a cast, and there is no JSX.
      return lexJavascript(text, !isTyped(path) || path.endsWith("x"));
    case "python":
      return lexPython(text);
    case "rust":
      return lexRust(text);
    case "go":
      return lexGo(text);
    case "shell":
      return lexShell(text);
    case "c-like":
      return lexCLike(text, extensionOf(path));
  }
}

const openerOf = (close: string): string =>
  close === ")" ? "(" : close === "]" ? "[" : close === "}" ? "{" : close.startsWith("}") ? "`" : "<";

function pairs(code: readonly Token[]): Pick<Source, "partner" | "parent"> {
  const partner = new Int32Array(code.length).fill(-1);
  const parent = new Int32Array(code.length);
  const open: number[] = [];
  const waiting = new Map<string, number>();
  const count = (bracket: string, by: number): void => void waiting.set(bracket, (waiting.get(bracket) ?? 0) + by);
  code.forEach((token, at) => {
    if (token.kind === "close" && (waiting.get(openerOf(token.text)) ?? 0) > 0) {
      // In broken text, brackets that were never closed are skipped.
      for (let found = false; !found; ) {
        const opened = open.pop();
        if (opened === undefined) break;
        const bracket = code[opened]?.text.charAt(0) ?? "";
        count(bracket, -1);
        found = bracket === openerOf(token.text);
        if (found) [partner[opened], partner[at]] = [at, opened];
      }
    }
    parent[at] = open.at(-1) ?? -1;
    if (token.kind !== "open") return;
    count(token.text.charAt(0), 1);
    open.push(at);
  });
  return { partner, parent };
}

/** The bracket that is open before a token, otherwise -1. */
export function openAround(source: Source, index: number): number {
  const before = source.code[index - 1];
  if (before === undefined) return -1;
  return before.kind === "open" ? index - 1 : (source.parent[index - 1] ?? -1);
}

/** The text of a token of `code`; empty outside of it. */
export const textAt = (source: Source, index: number): string => source.code[index]?.text ?? "";

/** The first index of `code` after a bracket and its content; after any other token otherwise. */
export function after(source: Source, index: number): number {
  const partner = source.partner[index] ?? -1;
  return partner > index ? partner + 1 : index + 1;
}

/** A part of `code`: from one index up to another. */
export type Span = { readonly from: number; readonly to: number };

/** The parts between the commas of a bracket. */
export function partsIn(source: Source, open: number): readonly Span[] {
  const close = source.partner[open] ?? -1;
  return close < open ? [] : splitAt(source, { from: open + 1, to: close }, (text) => text === ",");
}

/** Splits a span at some of its tokens, which belong to no part; brackets are skipped as a whole. */
export function splitAt(source: Source, span: Span, cuts: (text: string) => boolean): readonly Span[] {
  const parts: Span[] = [];
  let from = span.from;
  for (let at = span.from; at <= span.to; at = at === span.to ? at + 1 : Math.min(after(source, at), span.to)) {
    if (at < span.to && !cuts(textAt(source, at))) continue;
    if (at > from) parts.push({ from, to: at });
    from = at + 1;
  }
  return parts;
}

/** The index of the first token of `code` at or after an offset. */
export function indexAt(source: Source, offset: number): number {
  let [low, high] = [0, source.code.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((source.code[middle]?.from ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
