// Functions and methods of Rust.
import { after, type Source, textAt } from "../lex/source.ts";
import { bodiesFound, bracketed, type FoundBody, isEmpty } from "./body.ts";

const modifiers = new Set(["pub", "async", "unsafe", "const", "extern", "default"]);
/** Types of the standard library that have a default for any content. */
const containers = new Set("Option Vec VecDeque HashMap HashSet BTreeMap BTreeSet".split(" "));
const plain = new Set("bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split(" "));

export function rustBodies(source: Source): readonly FoundBody[] {
  const isHeader = (at: number): boolean => textAt(source, at) === "fn" && source.code[at + 1]?.kind === "word";
  return bodiesFound(source, (_, at) => (isHeader(at) ? functionAt(source, at) : null));
}

function functionAt(source: Source, at: number): FoundBody | null {
  const list = textAt(source, at + 2) === "<" ? behindAngles(source, at + 2) : at + 2;
  if (textAt(source, list) !== "(") return null;
  const behind = after(source, list);
  const open = openBrace(source, behind);
  if (open < 0) return null;
  const first = startOf(source, at);
  const constant = source.code.slice(first, at).some((token) => token.text === "const");
  const instead = () => emptied(source, behind, open, constant);
  return bracketed(source, open, {
    name: textAt(source, at + 1),
    anonymous: false,
    start: source.code[first]?.from ?? 0,
    instead,
  });
}

function behindAngles(source: Source, open: number): number {
  let depth = 0;
  for (let at = open; at < source.code.length && at < open + 400; at = after(source, at)) {
    depth += textAt(source, at) === "<" ? 1 : textAt(source, at) === ">" ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return open;
}

/** -1: a declaration in a trait. */
function openBrace(source: Source, from: number): number {
  for (let at = from; at < source.code.length && at < from + 400; at = after(source, at)) {
    const token = source.code[at];
    if (token === undefined || token.text === ";" || token.kind === "close") return -1;
    if (token.text === "{") return (source.partner[at] ?? -1) > at ? at : -1;
  }
  return -1;
}

/** The first modifier or attribute before `fn`. */
function startOf(source: Source, at: number): number {
  let first = at;
  for (;;) {
    const before = textAt(source, first - 1);
    const open = source.partner[first - 1] ?? -1;
    if (modifiers.has(before) || (before.startsWith('"') && textAt(source, first - 2) === "extern")) first--;
    else if (before === ")" && textAt(source, open - 1) === "pub") first = open - 1;
    else if (before === "]" && textAt(source, open - 1) === "#") first = open - 1;
    else return first;
  }
}

/** The old body stays behind a condition that the compiler does not evaluate, so that nothing in it is unused. */
function emptied(source: Source, behind: number, open: number, constant: boolean): string | null {
  if (isEmpty(source, open)) return null;
  const old = source.text.slice(source.code[open]?.to, source.code[source.partner[open] ?? -1]?.from);
  const attributes = /^(?:\s*#!\[[^\]\n]*\])*/.exec(old)?.[0] ?? "";
  const value = resultOf(source, behind, open);
  const early = value === null || (constant && value !== "") ? 'panic!("emptied")' : `return${value};`;
  return `${attributes} if true { ${early} }${old.slice(attributes.length)}`;
}

/** What an emptied function returns; null: no such value is known. */
function resultOf(source: Source, behind: number, open: number): string | null {
  if (textAt(source, behind) !== "->") return "";
  let to = behind + 1;
  while (to < open && textAt(source, to) !== "where") to++;
  const type = source.code.slice(behind + 1, to).map((token) => token.text);
  const result = resultValue(type);
  if (result !== null) return hasDefault(result) ? ` Ok(${defaultOf(result)})` : null;
  return hasDefault(type) ? ` ${defaultOf(type)}`.trimEnd() : null;
}

const defaultOf = (type: readonly string[]): string => (type.join("") === "()" ? "()" : "Default::default()");

/** The first argument of `Result<…>`; null: another type. */
function resultValue(type: readonly string[]): readonly string[] | null {
  const name = type.indexOf("Result");
  if (name < 0 || type[name + 1] !== "<" || type.slice(0, name).some((text) => !/^(?:\w+|::)$/.test(text))) return null;
  let depth = 0;
  const end = type.findIndex((text, at) => {
    depth += /^[<([]$/.test(text) ? 1 : /^[>)\]]$/.test(text) ? -1 : 0;
    return at > name && ((depth === 1 && text === ",") || depth === 0);
  });
  return type.slice(name + 2, end < 0 ? type.length : end);
}

/** Containers with any content; otherwise plain types, references to text, and tuples of them. */
function hasDefault(type: readonly string[]): boolean {
  const name = type.findIndex((text) => /^\w+$/.test(text) && !/^(?:std|collections)$/.test(text));
  if (containers.has(type[name] ?? "") && type[name + 1] === "<") return !type.includes("&") || type[0] !== "&";
  if (type[0] === "&") return /^&(?:'\w+)?str$/.test(type.join(""));
  return type.every((text) => /^[(),]$/.test(text) || (plain.has(text) && text !== "str"));
}
