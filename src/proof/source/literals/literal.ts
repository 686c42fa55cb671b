// Another value of the same type: another number, a longer string, the other truth value.
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";

/** `value` is compared and shown; null: the token is not a literal that can be changed safely. */
export function otherValue(source: Source, token: Token): string | null {
  if (token.kind === "number") return otherNumber(source, token.text);
  if (token.kind === "string") return otherString(source, token.text);
  const found = opposites[token.text];
  return token.kind === "word" && found !== undefined && Object.hasOwn(opposites, token.text) ? found : null;
}

const opposites: Readonly<Record<string, string>> = { true: "false", false: "true", True: "False", False: "True" };

const integer = /^(\d[\d_']*)(n|[iuf]\d+|[iu]size|[lLuUmMdDfF]*)$/;
const decimal = /^(\d[\d_]*)(\.\d*\w*)$/;
const hexadecimal = /^(0[xX])([\da-fA-F]+)(n?)$/;

function otherNumber(source: Source, text: string): string | null {
  const hex = hexadecimal.exec(text);
  if (hex !== null) return `${hex[1]}${(BigInt(`0x${hex[2]}`) + 17n).toString(16)}${hex[3]}`;
  const found = integer.exec(text) ?? decimal.exec(text);
  // An old octal number, where a leading zero changes what the digits mean.
  if (found === null || /^0\d/.test(text)) return null;
  const value = BigInt((found[1] ?? "0").replace(/[_']/g, ""));
  return `${value + (isNearBound(source, value) ? -17n : 17n) + furtherOn(source, value)}${found[2]}`;
}

/** A moment 17 milliseconds later is on the same day. Other languages have limits that a literal must not pass. */
const furtherOn = (source: Source, value: bigint): bigint =>
  value > 1_000_000n && (source.language === "javascript" || source.language === "python") ? value / 7n : 0n;

/** A byte holds at most 255, and a compiler would reject a larger literal. */
const isNearBound = (source: Source, value: bigint): boolean =>
  source.language === "rust" && value > 100n && value < 256n;

function otherString(source: Source, text: string): string | null {
  if (isCharacter(source, text))
    return text.includes("'a'") ? text.replace("'a'", "'b'") : text.replace(/'(?:\\.[^']*|[^'])'/s, "'a'");
  const end = /(?:"""|'''|["'`])#*$/.exec(text);
  if (end === null || end.index === 0) return null;
  // A text of several words gets another word, since a test may only count them.
  const more = /[^\s"'`]\s+\S/.test(text.slice(0, end.index)) ? " q17" : "q17";
  return `${text.slice(0, end.index)}${more}${text.slice(end.index)}`;
}

/** One character in single quotes is a separate type in some languages. */
function isCharacter(source: Source, text: string): boolean {
  const has =
    source.language === "rust" ||
    source.language === "go" ||
    (source.language === "c-like" && !source.path.endsWith(".php"));
  return has && /^b?'/.test(text);
}
