// Finds where an expression or a literal ends, in the middle of a text.

const lengthMax = 600;
const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The index after the bracket that closes the one at `open`; -1: it does not close. */
function afterBracket(text: string, open: number): number {
  const waiting: string[] = [];
  for (let at = open; at < Math.min(text.length, open + lengthMax); at++) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      at = closing(text, at);
      if (at === -1) return -1;
    } else if (char === "`") return -1;
    else if (partners[char] !== undefined) waiting.push(partners[char]);
    else if (/[)\]}]/.test(char)) {
      if (waiting.pop() !== char) return -1;
      if (waiting.length === 0) return at + 1;
    }
  }
  return -1;
}

/** The index of the quote that closes the one at `open`; -1: it does not close in this line. */
function closing(text: string, open: number): number {
  for (let at = open + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[open]) return at;
  }
  return -1;
}

const prefix = /^(?:await\s+)?(?:new\s+|typeof\s+)?/;
const operator = /^\s*(?:\*\*|\/(?!\/)|[-+*%])\s*/;
const plain = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d+(?:\.\d+)?(?![\w.]))/;

/** The index after the expression that begins here: calls, properties, what `[…]` holds, and sums of these; -1: none. */
export function expressionEnd(text: string, from: number): number {
  let at = operandEnd(text, from);
  while (at !== -1) {
    const sign = operator.exec(text.slice(at))?.[0];
    if (sign === undefined) break;
    const next = at + sign.length;
    const value = plain.exec(text.slice(next))?.[0].length;
    const end = value === undefined ? operandEnd(text, next) : next + value;
    if (end === -1 || (value === undefined && !/[)\]]$/.test(text.slice(next, end)))) break;
    at = end;
  }
  return at;
}

function operandEnd(text: string, from: number): number {
  let at = from + (prefix.exec(text.slice(from))?.[0].length ?? 0);
  if (text[at] === "[") at = afterBracket(text, at);
  else {
    const word = /^[A-Za-z_$][\w$]*/.exec(text.slice(at))?.[0];
    if (word === undefined) return -1;
    at += word.length;
  }
  while (at !== -1) {
    if (text[at] === "(" || text[at] === "[") at = afterBracket(text, at);
    else {
      const member = /^\??\.[A-Za-z_$][\w$]*/.exec(text.slice(at))?.[0];
      if (member === undefined) return at;
      at += member.length;
    }
  }
  return -1;
}

const literal =
  /^(?:b?"(?:[^"\\\n]|\\.)*"|b?'(?:[^'\\\n]|\\.)*'|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?n?(?!\w|\.\d)|\b(?:true|false|null|undefined|None|True|False|NaN)\b|-?\bInfinity\b)/;

/** The literal that a text begins with, of any shape. Null: other code. */
export function literalAt(text: string): string | null {
  let at = 0;
  let depth = 0;
  for (let steps = 0; steps < 200; steps++) {
    const space = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    const next = text[at + space] ?? "";
    const key = depth > 0 ? /^(?:[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')\s*:/.exec(text.slice(at + space))?.[0] : undefined;
    const found = key ?? literal.exec(text.slice(at + space))?.[0];
    if (found !== undefined) at += space + found.length;
    else if (/[[{(]/.test(next)) {
      depth += 1;
      at += space + 1;
    } else if (/[\]})]/.test(next) && depth > 0) {
      depth -= 1;
      at += space + 1;
    } else if (next === "," && depth > 0) at += space + 1;
    else return null;
    if (depth === 0) return text.slice(0, at);
  }
  return null;
}

/** A literal, a sum of numbers, an object that is made, or a call: not a word that describes. */
export function isConcrete(text: string): boolean {
  const code = text.trim();
  if (literalAt(code)?.length === code.length) return true;
  if (/^[-+\d\s.*/%()e_]+$/.test(code) && /^\S*\d(?:\s*[-+*/%]{1,2}\s*\S+)*$/.test(code)) return true;
  return expressionEnd(code, 0) === code.length && code.endsWith(")");
}
