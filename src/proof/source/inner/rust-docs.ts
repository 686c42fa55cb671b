// Documentation of a Rust file, whose fenced and indented blocks are tests.
import { after, indexAt, openAround, type Source, textAt } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import { type Doc, type DocPlace, type Docs, type Range, wholeLines } from "./range.ts";
import { isOuterDoc } from "./rust-items.ts";

const itemWords = new Set("mod fn struct enum union impl trait use const static type macro_rules!".split(" "));
const modifiers = new Set(["pub", "unsafe", "async", "const", "extern", "default"]);

export function rustDocs(source: Source): Docs {
  const owners = new Owners(source);
  const docs: Doc[] = [];
  for (const group of groupsOf(source)) {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    const owner = isOuterDoc(first) ? owners.of(indexAt(source, last.to)) : "//!";
    docs.push({
      ...wholeLines(source.text, { from: first.from, to: last.to }),
      owner,
      examples: examplesOf(source, group),
    });
  }
  return { docs: innerNumbered(docs), places: placesOf(source) };
}

/** A module's own documentation is numbered, since it has no item to be named after. */
function innerNumbered(docs: readonly Doc[]): readonly Doc[] {
  let count = 0;
  return docs.map((doc) => (doc.owner.startsWith("//!") ? { ...doc, owner: `//! ${count++}` } : doc));
}

const isInnerDoc = (token: Token): boolean => token.kind === "comment" && /^\/\/!|^\/\*!/.test(token.text);

/** Comments of one kind with only whitespace between them. */
function groupsOf(source: Source): readonly (readonly Token[])[] {
  const groups: Token[][] = [];
  for (const token of source.tokens) {
    if (!isOuterDoc(token) && !isInnerDoc(token)) continue;
    const last = groups.at(-1)?.at(-1);
    const joins = last !== undefined && isOuterDoc(last) === isOuterDoc(token);
    if (joins && source.text.slice(last.to, token.from).trim() === "") groups.at(-1)?.push(token);
    else groups.push([token]);
  }
  return groups;
}

/** The lines of a group that are examples, as ranges of whole lines. */
function examplesOf(source: Source, group: readonly Token[]): readonly Range[] {
  const examples: Range[] = [];
  let [fence, prose] = ["", false];
  for (const line of group.flatMap((token) => commentLines(token))) {
    const mark = /^\s*(```|~~~)/.exec(line.text)?.[1] ?? "";
    const indented = fence === "" && mark === "" && !prose && /^(?: {5}|\t)/.test(line.text);
    if (fence !== "" || mark !== "" || indented) examples.push(wholeLines(source.text, line));
    prose = line.text.trim() !== "" && !indented && mark === "" && fence === "";
    if (mark !== "") fence = fence === "" ? mark : fence === mark ? "" : fence;
  }
  return examples;
}

type Line = Range & { readonly text: string };

/** The lines of a comment without their marks. The first and last line of a block comment hold its own marks. */
function commentLines(token: Token): readonly Line[] {
  if (token.text.startsWith("//")) return [{ from: token.from, to: token.to, text: token.text.slice(3) }];
  let from = token.from;
  const lines = token.text.split("\n").map((line) => {
    const at = from;
    from += line.length + 1;
    return { from: at, to: at + line.length, text: line.replace(/^\s*\*?/, "") };
  });
  return lines.slice(1, -1);
}

function placesOf(source: Source): ReadonlyMap<string, DocPlace> {
  const owners = new Owners(source);
  const places = new Map<string, DocPlace>();
  for (let at = 0; at < source.code.length; at++) {
    const start = source.code[at];
    if (start === undefined || !startsItem(source, at)) continue;
    const line = source.text.lastIndexOf("\n", start.from - 1) + 1;
    const indent = source.text.slice(line, start.from);
    if (indent.trim() === "") places.set(owners.of(at), { at: line, indent });
  }
  return places;
}

/** A position after the end of something, with an attribute, a modifier or the keyword of an item. */
function startsItem(source: Source, at: number): boolean {
  const before = textAt(source, at - 1);
  if (before !== "" && !";}{,".includes(before)) return false;
  const text = textAt(source, at);
  return (text === "#" && textAt(source, at + 1) === "[") || modifiers.has(text) || itemWords.has(text);
}

/** Names items by the blocks around them, and numbers those with the same name. */
class Owners {
  private readonly source: Source;
  private readonly seen = new Map<string, number>();

  constructor(source: Source) {
    this.source = source;
  }

  of(index: number): string {
    const scope: string[] = [];
    for (let open = openAround(this.source, index); open >= 0; open = this.source.parent[open] ?? -1) {
      scope.unshift(headerOf(this.source, open));
    }
    const name = [...scope, itemName(this.source, index)].join(" > ");
    const count = this.seen.get(name) ?? 0;
    this.seen.set(name, count + 1);
    return count === 0 ? name : `${name} ${count + 1}`;
  }
}

function itemName(source: Source, index: number): string {
  let at = index;
  while (textAt(source, at) === "#") at = after(source, at + 1);
  while (modifiers.has(textAt(source, at)) && textAt(source, at) !== "") at = after(source, at);
  while (textAt(source, at) === "(") at = after(source, at);
  while (modifiers.has(textAt(source, at))) at = after(source, at);
  if (textAt(source, at) === "impl") return headerFrom(source, at);
  return itemWords.has(textAt(source, at)) ? `${textAt(source, at)} ${textAt(source, at + 1)}` : textAt(source, at);
}

/** The words before a brace: `impl Cart`, `mod a`. */
function headerOf(source: Source, open: number): string {
  let at = open - 1;
  while (at >= 0 && !";{}".includes(textAt(source, at)) && open - at < 40) at--;
  return headerFrom(source, at + 1);
}

function headerFrom(source: Source, from: number): string {
  let to = from;
  while (to < source.code.length && !["{", ";"].includes(textAt(source, to)) && to - from < 40) to++;
  return source.code
    .slice(from, to)
    .map((token) => token.text)
    .join(" ");
}
