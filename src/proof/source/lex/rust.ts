// The lexer of Rust: raw strings, nested comments, and lifetimes that look like the start of a character.
import { type Scanner, type Token, tokensOf } from "./token.ts";

const word = /(?:r#)?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:!(?!=))?/y;
const number =
  /0x[\da-fA-F_]+\w*|0[bo][\d_]+\w*|\d[\d_]*(?:\.\d[\d_]*|\.(?![.\w]))?(?:[eE][+-]?\d[\d_]*)?(?:_?[iuf](?:\d+|size))?/y;
const rawStart = /[bc]?r(#*)"/y;
const character = /b?'(?:\\(?:u\{[^}\n']{0,8}\}|x[\da-fA-F]{2}|[^\n])|[^\\'\n])'/uy;
const lifetime = /'[A-Za-z_]\w*/y;

export const lexRust = (text: string): readonly Token[] => tokensOf(text, step);

function step(scan: Scanner): void {
  const from = scan.at;
  if (/\s/.test(scan.here)) scan.at++;
  else if (scan.sees("//") || (from === 0 && scan.peek(/#!(?!\s*\[)/y) !== "")) {
    scan.skipLine();
    scan.push("comment", from);
  } else if (scan.sees("/*")) {
    scan.skipComment(true);
    scan.push("comment", from);
  } else if (scan.peek(rawStart) !== "") raw(scan);
  else if (scan.here === '"' || scan.sees('b"') || scan.sees('c"')) {
    if (scan.here !== '"') scan.at++;
    scan.skipBlock('"', '"');
    scan.push("string", from);
  } else if (scan.take(character) !== "") scan.push("string", from);
  else if (scan.take(lifetime) !== "") scan.push("punct", from);
  else if (scan.take(number) !== "") scan.push("number", from);
  else if (scan.take(word) !== "") scan.push("word", from);
  else scan.pushPunctuation();
}

function raw(scan: Scanner): void {
  const from = scan.at;
  const start = scan.take(rawStart);
  scan.skipPast(`"${"#".repeat(start.split("#").length - 1)}`);
  scan.push("string", from);
}
