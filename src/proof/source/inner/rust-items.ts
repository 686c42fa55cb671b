// Items of a Rust file that exist only under test: `#[cfg(test)] mod x { … }`, `#[test] fn …`, and their helpers.
import { after, partsIn, type Source, textAt } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import { type Range, wholeLines } from "./range.ts";

const testAttributes = new Set([
  "test",
  "bench",
  "rstest",
  "test_case",
  "wasm_bindgen_test",
  "quickcheck",
  "should_panic",
]);
/** Real conditions do not nest deeper, and hostile text must not exhaust the stack. */
const depthMax = 20;
/** Items that end with a semicolon even though a brace may come before it. */
const endingInSemicolon = new Set(["use", "static", "type", "let"]);
const itemWords = new Set(
  "mod fn struct enum union impl trait use const static type extern unsafe async pub let default".split(" "),
);

export function rustItems(source: Source): readonly Range[] {
  const items: Range[] = [];
  for (let at = 0; at < source.code.length; at++) {
    const end = attributed(source, at) ?? macroWithTests(source, at);
    if (end === null) continue;
    const from = withDocs(source, source.code[at]?.from ?? 0);
    items.push(wholeLines(source.text, { from, to: source.code[end]?.to ?? 0 }));
    at = end;
  }
  return items;
}

/** The index of the last token of a test item, if its first attribute is here. */
function attributed(source: Source, start: number): number | null {
  let [at, forTests] = [start, false];
  while (textAt(source, at) === "#" && textAt(source, at + 1) === "[") {
    forTests ||= isForTests(source, at + 2, source.partner[at + 1] ?? -1);
    at = after(source, at + 1);
  }
  return forTests ? itemEnd(source, at) : null;
}

function isForTests(source: Source, from: number, close: number): boolean {
  if (close < 0) return false;
  let at = from;
  while (textAt(source, at + 1) === "::") at += 2;
  const name = textAt(source, at);
  return testAttributes.has(name) || (name === "cfg" && impliesTest(source, at + 2, close - 1));
}

/** Whether a condition of `cfg` can only hold under test: `test`, `all(test, …)`, `any(test, all(test, …))`. */
function impliesTest(source: Source, from: number, to: number, depth = 0): boolean {
  if (depth > depthMax) return false;
  const name = textAt(source, from);
  const inner = textAt(source, from + 1) === "(";
  if (!inner) return name === "test" && from + 1 >= to;
  const parts = partsIn(source, from + 1);
  if (name === "all") return parts.some((part) => impliesTest(source, part.from, part.to, depth + 1));
  return (
    name === "any" && parts.length > 0 && parts.every((part) => impliesTest(source, part.from, part.to, depth + 1))
  );
}

/** Null: not an item but a field, a match arm or an expression. */
function itemEnd(source: Source, start: number): number | null {
  const first = textAt(source, start);
  if (!itemWords.has(first) && !first.endsWith("!")) return null;
  let toSemicolon = false;
  for (let at = start; at < source.code.length; at = after(source, at)) {
    const token = source.code[at];
    if (token === undefined || token.kind === "close") return null;
    toSemicolon ||= endingInSemicolon.has(token.text);
    toSemicolon ||= token.text === "const" && !/^(?:fn|unsafe|async|extern)$/.test(textAt(source, at + 1));
    if (token.text === ";") return at;
    if (token.text === "{" && !toSemicolon) return closeOf(source, at);
  }
  return null;
}

/** Null: broken text in which the bracket is never closed. */
function closeOf(source: Source, open: number): number | null {
  const close = source.partner[open] ?? -1;
  return close < 0 ? null : close;
}

/** `proptest! { #[test] fn … }`. */
function macroWithTests(source: Source, at: number): number | null {
  const name = textAt(source, at);
  const open = source.code[at + 1];
  if (!name.endsWith("!") || name === "macro_rules!" || open?.kind !== "open") return null;
  if (!["", ";", "}", "{", "]"].includes(textAt(source, at - 1))) return null;
  const close = source.partner[at + 1] ?? -1;
  const isTest = (index: number): boolean => textAt(source, index) === "test" && textAt(source, index - 2) === "#";
  if (!source.code.slice(at + 2, Math.max(at + 2, close)).some((_, index) => isTest(at + 2 + index))) return null;
  return textAt(source, close + 1) === ";" ? close + 1 : close;
}

/** Documentation above an item belongs to it; left alone it would not compile. */
function withDocs(source: Source, offset: number): number {
  let from = offset;
  for (let at = tokensBefore(source, offset) - 1; at >= 0; at--) {
    const token = source.tokens[at];
    if (token === undefined || !isOuterDoc(token) || source.text.slice(token.to, from).trim() !== "") break;
    from = token.from;
  }
  return from;
}

/** `///` or a block comment that begins with two stars. */
export const isOuterDoc = (token: Token): boolean =>
  token.kind === "comment" && /^\/\/\/(?!\/)|^\/\*\*(?![*/])/.test(token.text);

function tokensBefore(source: Source, offset: number): number {
  let [low, high] = [0, source.tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((source.tokens[middle]?.from ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
