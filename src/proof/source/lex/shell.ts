// The lexer of the shell. A word with its quotes and substitutions is one token, and so is the body of a here-document.
import { Scanner, type Token } from "./token.ts";

const operator = /;;&?|;&|&&|\|\||[0-9]*(?:<<<|<>|>\||>>|[<>]&?)|&>|[|&;]/y;
const hereMark = /[0-9]*<<(-?)[ \t]*(\\?['"]?)([\w.-]+)['"]?/y;
const integer = /^-?\d+$/;
const depthMax = 40;

type HereDocument = { readonly mark: string; readonly tabs: boolean };

export function lexShell(text: string): readonly Token[] {
  const scan = new Scanner(text);
  const waiting: HereDocument[] = [];
  while (!scan.done) {
    if (scan.here === "\n") newline(scan, waiting);
    else if (scan.sees("\\\n")) scan.at += 2;
    else if (/\s/.test(scan.here)) scan.at++;
    else step(scan, waiting);
  }
  return scan.tokens;
}

function step(scan: Scanner, waiting: HereDocument[]): void {
  const from = scan.at;
  if (scan.here === "#") {
    scan.skipLine();
    scan.push("comment", from);
  } else if (!scan.sees("<<<") && scan.peek(hereMark) !== "") hereDocument(scan, waiting);
  else if (scan.here === "(" || scan.here === ")") scan.pushPunctuation();
  else if (scan.take(operator) !== "") scan.push("punct", from);
  else shellWord(scan);
}

function hereDocument(scan: Scanner, waiting: HereDocument[]): void {
  const from = scan.at;
  const found = /<<(-?)[ \t]*\\?['"]?([\w.-]+)/.exec(scan.take(hereMark));
  waiting.push({ mark: found?.[2] ?? "", tabs: found?.[1] === "-" });
  scan.push("punct", from);
}

function newline(scan: Scanner, waiting: HereDocument[]): void {
  const from = scan.at++;
  scan.push("newline", from);
  for (const here of waiting.splice(0)) {
    const start = scan.at;
    while (!scan.done) {
      const line = scan.peek(/[^\n]*/y);
      scan.at = Math.min(scan.at + line.length + 1, scan.text.length);
      if ((here.tabs ? line.replace(/^\t+/, "") : line) === here.mark) break;
    }
    if (scan.at > start) scan.push("text", start);
  }
}

function shellWord(scan: Scanner): void {
  const from = scan.at;
  let quoted = false;
  while (!scan.done && !/[\s;&|<>()]/.test(scan.here)) {
    quoted ||= scan.here === '"' || scan.here === "'";
    skipPiece(scan, 0);
    // `name=(a b)` is one word with an array in it.
    if (scan.here === "(" && scan.text[scan.at - 1] === "=") skipUntil(scan, ")", 1);
  }
  if (scan.at === from) scan.at++;
  const text = scan.text.slice(from, scan.at);
  const kind =
    text === "{" ? "open" : text === "}" ? "close" : quoted ? "string" : integer.test(text) ? "number" : "word";
  scan.push(kind, from);
}

/** One character, or a whole quotation or substitution. Text that nests deeper than real code is read as plain. */
function skipPiece(scan: Scanner, depth: number): void {
  const { here } = scan;
  if (depth > depthMax) scan.at++;
  else if (here === "\\") scan.at += 2;
  else if (here === "'") scan.skipBlock("'", "'", false);
  else if (scan.sees("$'")) {
    scan.at++;
    scan.skipBlock("'", "'");
  } else if (here === '"') skipUntil(scan, '"', depth + 1);
  else if (here === "`") scan.skipBlock("`", "`");
  else if (scan.sees("$(") || scan.sees("${")) {
    const close = scan.sees("$(") ? ")" : "}";
    scan.at++;
    skipUntil(scan, close, depth + 1);
  } else scan.at++;
  scan.at = Math.min(scan.at, scan.text.length);
}

function skipUntil(scan: Scanner, close: string, depth: number): void {
  for (scan.at++; !scan.done && scan.here !== close; ) {
    if (close === '"' && scan.here === "'") scan.at++;
    else if (close === ")" && scan.here === "(" && depth < depthMax) skipUntil(scan, ")", depth + 1);
    else if (close === ")" && scan.peek(/(?<=\s)#/y) !== "") scan.skipLine();
    else skipPiece(scan, depth);
  }
  scan.at = Math.min(scan.at + 1, scan.text.length);
}
