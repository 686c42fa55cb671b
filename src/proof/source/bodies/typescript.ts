// Which tokens of a TypeScript file are types. They vanish before a test runs, so no test can notice a change in them.
import { after, type Source, textAt } from "../lex/source.ts";

const control = new Set(["if", "for", "while", "switch", "catch", "with", "await", "return", "super"]);
const typePrefixes = new Set(["keyof", "typeof", "readonly", "unique", "infer", "asserts", "new", "abstract"]);
const statementStart = new Set(["", ";", "}", "{", "export", "default", "declare", ")", "]"]);

/** One for each token of `code`: 1 where it is part of a type or of a statement that only declares types. */
export function typeMarks(source: Source): Uint8Array {
  const marks = new Uint8Array(source.code.length);
  if (!source.typed) return marks;
  if (/\.d\.[cm]?ts$/.test(source.path)) return marks.fill(1);
  for (let at = 0; at < source.code.length; at++) {
    const end = typeStatement(source, at) ?? typeBehind(source, at);
    if (end !== null && end > at) {
      marks.fill(1, startOf(source, at), end);
      at = end - 1;
    } else if (textAt(source, at) === "(") markParameters(source, at, marks);
    else if (textAt(source, at) === "class") markFields(source, at, marks);
  }
  return marks;
}

/** `export` and `declare` belong to the statement that follows. */
function startOf(source: Source, at: number): number {
  let start = at;
  while (/^(?:export|declare|default)$/.test(textAt(source, start - 1))) start--;
  return start;
}

/** The end of an interface, a type alias or a declaration that begins here. */
function typeStatement(source: Source, at: number): number | null {
  const [before, text] = [textAt(source, at - 1), textAt(source, at)];
  const newLine = (source.code[at - 1]?.line ?? 0) < (source.code[at]?.line ?? 0);
  if (!statementStart.has(before) && !newLine) return null;
  if (source.code[at + 1]?.kind !== "word") return null;
  if (text === "interface") return behindBrace(source, at + 1);
  if (text === "type") return aliasEnd(source, at);
  const declares = ["namespace", "module", "global"].includes(textAt(source, at + 1));
  return text === "declare" && declares ? behindBrace(source, at + 1) : null;
}

function behindBrace(source: Source, from: number): number | null {
  for (let at = from; at < source.code.length && at < from + 200; at = after(source, at)) {
    if (textAt(source, at) === "{") return after(source, at);
    if (textAt(source, at) === ";") return null;
  }
  return null;
}

function aliasEnd(source: Source, at: number): number | null {
  const equals = textAt(source, at + 2) === "<" ? afterAngles(source, at + 2) : at + 2;
  if (textAt(source, equals) !== "=") return null;
  const end = skipType(source, equals + 1);
  return textAt(source, end) === ";" ? end + 1 : end;
}

/** The end of a type that follows `as`, `satisfies` or the name of a variable. */
function typeBehind(source: Source, at: number): number | null {
  const text = textAt(source, at);
  const before = source.code[at - 1];
  if (
    (text === "as" || text === "satisfies") &&
    before !== undefined &&
    before.kind !== "punct" &&
    before.kind !== "open"
  ) {
    return skipType(source, at + 1);
  }
  const declared = /^(?:const|let|var)$/.test(textAt(source, nameStart(source, at) - 1));
  return text === ":" && declared ? skipType(source, at + 1) : null;
}

/** Where the name or pattern before a token begins. */
function nameStart(source: Source, at: number): number {
  const partner = source.partner[at - 1] ?? -1;
  return partner >= 0 && partner < at - 1 ? partner : at - 1;
}

function markParameters(source: Source, open: number, marks: Uint8Array): void {
  const close = source.partner[open] ?? -1;
  if (close < 0 || !isParameterList(source, open, close)) return;
  for (let at = open + 1; at < close; ) {
    const end = textAt(source, at) === ":" ? skipType(source, at + 1) : after(source, at);
    if (textAt(source, at) === ":") marks.fill(1, at, Math.min(end, close));
    at = Math.max(at + 1, end);
  }
  if (textAt(source, close + 1) === ":") marks.fill(1, close + 1, skipType(source, close + 2));
}

export function isParameterList(source: Source, open: number, close: number): boolean {
  const next = textAt(source, close + 1);
  if (next === "=>") return true;
  if (control.has(textAt(source, open - 1))) return false;
  if (next === "{") return true;
  return next === ":" && /^(?:=>|\{|;)$/.test(textAt(source, skipType(source, close + 2)));
}

/** Fields of a class: `name: T = value`. */
function markFields(source: Source, at: number, marks: Uint8Array): void {
  const end = behindBrace(source, at + 1);
  if (end === null) return;
  const open = source.partner[end - 1] ?? -1;
  let inValue = false;
  for (let index = open + 1; open >= 0 && index < end - 1; ) {
    const text = textAt(source, index);
    const newLine = (source.code[index]?.line ?? 0) > (source.code[index - 1]?.line ?? 0);
    inValue = text === "=" || (inValue && text !== ";" && !newLine);
    const isType = text === ":" && !inValue && textAt(source, index - 1) !== ")";
    const next = isType ? skipType(source, index + 1) : after(source, index);
    if (isType) marks.fill(1, index, next);
    index = Math.max(index + 1, next);
  }
}

/** The index after a type that begins here. */
export function skipType(source: Source, start: number): number {
  let at = skipOperand(source, start);
  for (let operands = 0; operands < 2000; operands++) {
    const text = textAt(source, at);
    // An arrow continues a type only after a parameter list; after any other type it is the function's own.
    const isArrow = text === "=>" && textAt(source, at - 1) === ")";
    if (!isArrow && !/^(?:[|&?:]|is|extends)$/.test(text)) return at;
    // In `a ? b : c` a colon belongs to the type only after its own question mark.
    if ((text === "?" || text === ":") && !isConditional(source, start, at)) return at;
    const next = skipOperand(source, at + 1);
    if (next <= at + 1 && source.code[at + 1] === undefined) return at + 1;
    at = Math.max(next, at + 1);
  }
  return at;
}

function isConditional(source: Source, start: number, at: number): boolean {
  let [conditions, colons] = [0, 0];
  for (let index = start; index < at; index = after(source, index)) {
    if (textAt(source, index) === "extends") conditions++;
    if (textAt(source, index) === ":") colons++;
  }
  return textAt(source, at) === ":" ? colons < conditions : conditions > colons;
}

function skipOperand(source: Source, start: number): number {
  let at = start;
  while (textAt(source, at) === "|" || textAt(source, at) === "&" || typePrefixes.has(textAt(source, at))) at++;
  if (textAt(source, at) === "<") at = afterAngles(source, at);
  const token = source.code[at];
  if (token === undefined || token.kind === "close") return at;
  if (token.text === "-") at++;
  at = after(source, at);
  while (textAt(source, at) === ".") at += 2;
  if (textAt(source, at) === "<") at = afterAngles(source, at);
  while (textAt(source, at) === "[" && source.code[at]?.line === source.code[at - 1]?.line) at = after(source, at);
  return at;
}

/** The index after `<…>`. */
export function afterAngles(source: Source, open: number): number {
  let depth = 0;
  for (let at = open; at < source.code.length && at < open + 400; at = after(source, at)) {
    const text = textAt(source, at);
    depth += text === "<" ? 1 : text === ">" ? -1 : 0;
    if (depth === 0) return at + 1;
    if (text === ";" || source.code[at]?.kind === "close") return open + 1;
  }
  return open + 1;
}
