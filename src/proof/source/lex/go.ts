// The lexer of Go.
import { type Scanner, type Token, tokensOf } from "./token.ts";

const word = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const number =
  /0[xX][\da-fA-F_.]+(?:[pP][+-]?\d+)?i?|0[bBoO][\d_]+i?|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?i?/y;

export const lexGo = (text: string): readonly Token[] => tokensOf(text, step);

function step(scan: Scanner): void {
  const from = scan.at;
  if (/\s/.test(scan.here)) scan.at++;
  else if (scan.sees("//")) {
    scan.skipLine();
    scan.push("comment", from);
  } else if (scan.sees("/*")) {
    scan.skipComment(false);
    scan.push("comment", from);
  } else if (scan.here === "`") {
    scan.skipBlock("`", "`", false);
    scan.push("string", from);
  } else if (scan.here === '"' || scan.here === "'") {
    scan.skipQuoted(scan.here);
    scan.push("string", from);
  } else if (scan.take(number) !== "") scan.push("number", from);
  else if (scan.take(word) !== "") scan.push("word", from);
  else scan.pushPunctuation();
}
