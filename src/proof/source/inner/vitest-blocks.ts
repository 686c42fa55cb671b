// Vitest's tests inside source files: `if (import.meta.vitest) { … }`.
import { type Source, textAt } from "../lex/source.ts";
import { type Range, wholeLines } from "./range.ts";

export function vitestBlocks(source: Source): readonly Range[] {
  const blocks: Range[] = [];
  for (let at = 0; at < source.code.length; at++) {
    const end = blockEnd(source, at);
    if (end === null) continue;
    blocks.push(wholeLines(source.text, { from: source.code[at]?.from ?? 0, to: source.code[end]?.to ?? 0 }));
    at = end;
  }
  return blocks;
}

/** The index of the brace that closes such a block, if one begins here. */
function blockEnd(source: Source, at: number): number | null {
  if (textAt(source, at) !== "if" || textAt(source, at + 1) !== "(" || textAt(source, at - 1) === ".") return null;
  const close = source.partner[at + 1] ?? -1;
  if (close < 0 || !onlyUnderVitest(source, at + 2, close)) return null;
  const end = textAt(source, close + 1) === "{" ? (source.partner[close + 1] ?? -1) : -1;
  // With an `else`, the shipped code depends on it, so it is code.
  return end < 0 || textAt(source, end + 1) === "else" ? null : end;
}

function onlyUnderVitest(source: Source, from: number, to: number): boolean {
  const texts = source.code.slice(from, to).map((token) => token.text);
  const at = texts.findIndex((_, index) => texts.slice(index, index + 5).join("") === "import.meta.vitest");
  if (at < 0 || texts.includes("||") || texts.includes("??") || texts[at - 1] === "!") return false;
  const comparison = texts[at + 5];
  return (
    comparison === undefined || comparison === "&&" || (/^!==?$/.test(comparison) && texts[at + 6] === "undefined")
  );
}
