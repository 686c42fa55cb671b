// How far a JavaScript expression reaches, and the name of the function that begins at a token.
import { after, type Source, textAt } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import { afterAngles } from "./typescript.ts";

const joining = new Set(["in", "of", "instanceof", "as", "satisfies"]);
const awaiting = new Set(["await", "typeof", "new", "delete", "void", "yield", "async"]);

/** For each arrow of a file, by its index, where the expression after it ends. */
export function arrowEnds(source: Source): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  // From the last one back, so that an arrow inside an arrow is skipped, not walked again.
  for (let at = source.code.length - 1; at >= 0; at--) {
    if (textAt(source, at) === "=>") ends.set(at, expressionEnd(source, at + 1, ends));
  }
  return ends;
}

/** The index after the expression that begins here: at a comma, closing bracket, semicolon or the end of its line. */
function expressionEnd(source: Source, start: number, known: ReadonlyMap<number, number>): number {
  let questions = 0;
  for (let at = start; at < source.code.length; ) {
    const token = source.code[at];
    if (token === undefined || token.kind === "close" || token.text === "," || token.text === ";") return at;
    if (token.text === "?") questions++;
    if (token.text === ":" && questions-- === 0) return at;
    if (at > start && endsLine(source, at)) return at;
    const generic = source.typed && textAt(source, at + 1) === "<" && token.kind === "word";
    const behind = generic ? afterAngles(source, at + 1) : at;
    at = known.get(at) ?? (generic && textAt(source, behind) === "(" ? behind : after(source, at));
  }
  return source.code.length;
}

/** Whether JavaScript would insert a semicolon before this token. */
function endsLine(source: Source, at: number): boolean {
  const [before, token] = [source.code[at - 1], source.code[at]];
  if (before === undefined || token === undefined || endLineOf(before) >= token.line) return false;
  const goesOn =
    before.kind === "punct"
      ? !/^(?:\+\+|--)$/.test(before.text)
      : awaiting.has(before.text) || joining.has(before.text);
  const joins =
    token.kind === "punct"
      ? !/^(?:\+\+|--|!|~|@|#)$/.test(token.text)
      : token.kind === "open" || joining.has(token.text);
  return !goesOn && !(joins && token.text !== "{");
}

const endLineOf = (token: Token): number => token.line + token.text.split("\n").length - 1;

/** What the value that begins here is bound to: a variable, a property, or the call that receives it. */
export function nameOfValue(source: Source, marks: Uint8Array, start: number): { name: string; anonymous: boolean } {
  let at = start - 1;
  while (textAt(source, at) === "(" && textAt(source, at - 1) === "=") at--;
  const text = textAt(source, at);
  if (text === "=" || text === ":") {
    do at--;
    while (at > 0 && (marks[at] === 1 || /^[:?!]$/.test(textAt(source, at))));
    const name = textAt(source, at).replace(/^["'`](.*)["'`]$/, "$1");
    return { name, anonymous: name === "" };
  }
  if (text === "default") return { name: "default", anonymous: false };
  const open = source.parent[start] ?? -1;
  const callee = textAt(source, open) === "(" ? textAt(source, open - 1) : "";
  return { name: /^[\w$]+$/.test(callee) ? `callback of ${callee}` : "anonymous", anonymous: true };
}
