// Functions, arrows and methods of JavaScript and TypeScript.
import { after, type Source, textAt } from "../lex/source.ts";
import { bracketed, type FoundBody, isEmpty, lineOf } from "./body.ts";
import { arrowEnds, nameOfValue } from "./javascript-values.ts";
import { afterAngles, skipType, typeMarks } from "./typescript.ts";

const notMethods = new Set("if for while switch catch with await return function super typeof new".split(" "));
const modifiers = new Set(
  "static async get set public private protected override readonly export default abstract * declare".split(" "),
);

export function javascriptBodies(source: Source): readonly FoundBody[] {
  const marks = typeMarks(source);
  const ends = arrowEnds(source);
  const found: FoundBody[] = [];
  for (let at = 0; at < source.code.length; at++) {
    if (marks[at] === 1) continue;
    const text = textAt(source, at);
    const body =
      text === "function"
        ? functionAt(source, marks, at)
        : text === "=>"
          ? arrowAt(source, marks, at, ends.get(at) ?? at)
          : methodAt(source, at);
    if (body !== null) found.push(body);
  }
  return found;
}

/** The brace that opens the body after a parameter list; -1: there is none. */
function bodyOf(source: Source, list: number): number {
  const close = source.partner[list] ?? -1;
  if (textAt(source, list) !== "(" || close < 0) return -1;
  const at = textAt(source, close + 1) === ":" && source.typed ? skipType(source, close + 2) : close + 1;
  return textAt(source, at) === "{" && (source.partner[at] ?? -1) > at ? at : -1;
}

function functionAt(source: Source, marks: Uint8Array, at: number): FoundBody | null {
  let list = textAt(source, at + 1) === "*" ? at + 2 : at + 1;
  const own = source.code[list]?.kind === "word" ? textAt(source, list++) : null;
  if (textAt(source, list) === "<") list = afterAngles(source, list);
  const open = bodyOf(source, list);
  if (open < 0) return null;
  const first = startOf(source, at);
  const named = own === null ? nameOfValue(source, marks, first) : { name: own, anonymous: false };
  const instead = () => emptiedBlock(source, open, "function");
  return bracketed(source, open, { ...named, start: source.code[first]?.from ?? 0, instead });
}

function arrowAt(source: Source, marks: Uint8Array, at: number, end: number): FoundBody | null {
  const list = parametersBefore(source, marks, at);
  const generic = textAt(source, list - 1) === ">" ? anglesBefore(source, list - 1) : list;
  const first = textAt(source, generic - 1) === "async" ? generic - 1 : generic;
  const named = nameOfValue(source, marks, first);
  const start = source.code[first]?.from ?? 0;
  if (textAt(source, at + 1) === "{" && (source.partner[at + 1] ?? -1) > at) {
    const instead = () => emptiedBlock(source, at + 1, "function");
    return bracketed(source, at + 1, { ...named, start, instead });
  }
  const [from, to] = [source.code[at + 1]?.from, source.code[end - 1]?.to];
  if (from === undefined || to === undefined || to <= from) return null;
  const instead = () => emptiedValue(source, source.text.slice(from, to));
  return { ...named, start, from, to, end: to, line: lineOf(source, start), endLine: lineOf(source, to), instead };
}

/** The first token of an arrow's parameters, before an optional return type. */
function parametersBefore(source: Source, marks: Uint8Array, at: number): number {
  let last = at - 1;
  while (last > 0 && marks[last] === 1) last--;
  const open = source.partner[last] ?? -1;
  return open >= 0 && open < last ? open : last;
}

/** The `<` that a `>` belongs to. */
function anglesBefore(source: Source, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0 && at > close - 100; at--) {
    depth += textAt(source, at) === ">" ? 1 : textAt(source, at) === "<" ? -1 : 0;
    if (depth === 0) return at;
  }
  return close;
}

type Kind = "function" | "constructor" | "setter";

function methodAt(source: Source, at: number): FoundBody | null {
  const token = source.code[at];
  const isName = token?.kind === "word" || token?.kind === "string" || token?.text === "]";
  if (token === undefined || !isName || notMethods.has(token.text)) return null;
  const list = textAt(source, at + 1) === "<" ? afterAngles(source, at + 1) : at + 1;
  const open = bodyOf(source, list);
  const around = source.parent[at] ?? -1;
  if (open < 0 || textAt(source, around) !== "{") return null;
  const first = startOf(source, token.text === "]" ? (source.partner[at] ?? at) : at);
  if (/^(?:\.|\?\.|function)$/.test(textAt(source, first - 1)) || textAt(source, at - 1) === "function") return null;
  const name =
    token.text === "]" ? source.text.slice(source.code[source.partner[at] ?? at]?.from, token.to) : token.text;
  const kind: Kind = name === "constructor" ? "constructor" : textAt(source, at - 1) === "set" ? "setter" : "function";
  const instead = () => emptiedBlock(source, open, kind);
  return bracketed(source, open, { name, anonymous: false, start: source.code[first]?.from ?? 0, instead });
}

/** The first of the modifiers before a token. */
function startOf(source: Source, at: number): number {
  let first = at;
  while (modifiers.has(textAt(source, first - 1))) first--;
  return first;
}

function emptiedBlock(source: Source, open: number, kind: Kind): string | null {
  if (isEmpty(source, open)) return null;
  const [first, close] = [source.code[open], source.partner[open] ?? -1];
  const old = source.text.slice(first?.to, source.code[close]?.from);
  if (kind === "constructor") return source.typed ? null : emptiedConstructor(source, open, old);
  if (!source.typed) return "";
  // The old body stays, so that a compiler finds no unused name or missing return, and cannot see that it is dead.
  const value = kind === "setter" ? "" : " undefined as never";
  const directives = /^(?:\s*(?:"use [\w ]+"|'use [\w ]+');?)*/.exec(old)?.[0] ?? "";
  return `${directives} if (Boolean(1)) return${value};${old.slice(directives.length)}`;
}

function emptiedValue(source: Source, old: string): string | null {
  if (/^\(?(?:undefined|void 0)\)?$/.test(old)) return null;
  return source.typed ? `(Boolean(1) ? (undefined as never) : (${old}))` : "undefined";
}

/** A derived class cannot be constructed without calling `super`. */
function emptiedConstructor(source: Source, open: number, old: string): string | null {
  const close = source.partner[open] ?? -1;
  for (let at = open + 1; at < close; at = after(source, at)) {
    if (textAt(source, at) !== "super" || textAt(source, at + 1) !== "(") continue;
    const call = source.text.slice(source.code[at]?.from, source.code[source.partner[at + 1] ?? -1]?.to);
    return old.replace(/[\s;]/g, "") === call.replace(/[\s;]/g, "") ? null : ` ${call}; `;
  }
  return "";
}
