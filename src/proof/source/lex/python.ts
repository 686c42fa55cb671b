// The lexer of Python. A `newline` token ends each logical line, so a statement is the text between two of them.
import { Scanner, type Token } from "./token.ts";

const word = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const number =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?/y;
const stringStart = /(?:[rRbBuUfFtT]{0,2})(?:"""|'''|"|')/y;

export function lexPython(text: string): readonly Token[] {
  const scan = new Scanner(text);
  let depth = 0;
  while (!scan.done) {
    const token = step(scan, depth);
    if (token?.kind === "open") depth++;
    // A bracket that was never opened must not turn the rest of the file into one line.
    if (token?.kind === "close") depth = Math.max(0, depth - 1);
  }
  return scan.tokens;
}

function step(scan: Scanner, depth: number): Token | null {
  const from = scan.at;
  if (scan.here === "\n") return newline(scan, depth);
  if (scan.sees("\\\n")) return skip(scan, 2);
  if (/\s/.test(scan.here)) return skip(scan, 1);
  if (scan.here === "#") {
    scan.skipLine();
    return scan.push("comment", from);
  }
  const start = scan.peek(stringStart);
  if (start !== "") return pythonString(scan, start);
  if (scan.take(number) !== "") return scan.push("number", from);
  if (scan.take(word) !== "") return scan.push("word", from);
  return scan.pushPunctuation();
}

function skip(scan: Scanner, count: number): null {
  scan.at += count;
  return null;
}

function newline(scan: Scanner, depth: number): Token | null {
  const from = scan.at++;
  const last = scan.tokens.findLast((token) => token.kind !== "comment");
  return depth > 0 || last === undefined || last.kind === "newline" ? null : scan.push("newline", from);
}

function pythonString(scan: Scanner, start: string): Token {
  const from = scan.at;
  const quote = start.replace(/^[a-z]*/i, "");
  const prefix = start.slice(0, start.length - quote.length).toLowerCase();
  scan.at += prefix.length;
  if (/[ft]/.test(prefix)) skipFormatted(scan, quote);
  else if (quote.length === 3) scan.skipBlock(quote, quote);
  else scan.skipQuoted(quote);
  return scan.push("string", from);
}

/** Since Python 3.12, the quotes of an f-string may occur again inside its braces. */
function skipFormatted(scan: Scanner, quote: string): void {
  let braces = 0;
  for (scan.at += quote.length; !scan.done; scan.at++) {
    if (braces === 0 && scan.sees(quote)) break;
    if (quote.length === 1 && scan.here === "\n") break;
    if (scan.here === "\\") scan.at++;
    else if (braces === 0 && (scan.sees("{{") || scan.sees("}}"))) scan.at++;
    else if (scan.here === "{") braces++;
    else if (scan.here === "}") braces = Math.max(0, braces - 1);
    else if (braces > 0 && (scan.here === '"' || scan.here === "'")) {
      // Before 3.12 the same quote ends the string, with a brace left open.
      if (scan.sees(quote) && !closesLater(scan)) break;
      scan.skipQuoted(scan.here);
      scan.at--;
    }
  }
  if (scan.sees(quote)) scan.at += quote.length;
  scan.at = Math.min(scan.at, scan.text.length);
}

const upToBrace = /[^\n]{0,500}?\}/y;
const closesLater = (scan: Scanner): boolean => scan.peek(upToBrace) !== "";
