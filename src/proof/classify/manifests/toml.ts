// Finds where the tables, keys and values of TOML begin and end. Strict: it rejects what TOML forbids and what could be
// read in two ways, because an agent writes one of the two texts that are mixed.
import type { Entry, Section } from "./sections.ts";

/** Null: not TOML. */
export function scanToml(text: string): readonly Section[] | null {
  // TOML forbids these everywhere; parsers differ in what they make of a lone carriage return.
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)/.test(text)) return null;
  try {
    return sectionsOf(text);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

type Open = {
  readonly path: readonly string[];
  readonly start: number;
  readonly body: number;
  readonly entries: Entry[];
};

function sectionsOf(text: string): readonly Section[] {
  const done: Section[] = [];
  let open: Open = { path: [], start: 0, body: 0, entries: [] };
  for (let at = 0; at < text.length; ) {
    const first = blanks(text, at);
    if (text[first] === "[") {
      done.push({ ...open, end: at });
      const heading = readHeading(text, first);
      open = { path: heading.path, start: at, body: heading.end, entries: [] };
      at = heading.end;
    } else if (isLineEnd(text, first)) at = lineEnd(text, first);
    else {
      const entry = readEntry(text, at, open.path);
      open.entries.push(entry);
      at = entry.end;
    }
  }
  return [...done, { ...open, end: text.length }];
}

function readHeading(text: string, at: number): { readonly path: readonly string[]; readonly end: number } {
  const brackets = text.startsWith("[[", at) ? 2 : 1;
  const key = readKey(text, at + brackets);
  if (!text.startsWith("]".repeat(brackets), key.end)) throw new Unreadable();
  return { path: key.path, end: lineEnd(text, key.end + brackets) };
}

function readEntry(text: string, start: number, section: readonly string[]): Entry {
  const key = readKey(text, start);
  if (text[key.end] !== "=") throw new Unreadable();
  const from = blanks(text, key.end + 1);
  const to = valueEnd(text, from, 0);
  return { path: [...section, ...key.path], start, end: lineEnd(text, to), value: text.slice(from, to) };
}

/** A dotted key, up to the character after it and the blanks that follow. */
function readKey(text: string, start: number): { readonly path: readonly string[]; readonly end: number } {
  const path: string[] = [];
  for (let at = blanks(text, start); ; ) {
    const found = matchAt(/[A-Za-z0-9_-]+|"[^"\\\n]*"|'[^'\n]*'/y, text, at); // A key with an escape could hide its name.
    path.push(/^["']/.test(found) ? found.slice(1, -1) : found);
    const end = blanks(text, at + found.length);
    if (text[end] !== ".") return { path, end };
    at = blanks(text, end + 1);
  }
}

const depthMax = 40;

function valueEnd(text: string, at: number, depth: number): number {
  if (depth > depthMax) throw new Unreadable();
  if (text.startsWith('"""', at)) return at + matchAt(/"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}/y, text, at).length;
  if (text.startsWith("'''", at)) return at + matchAt(/'''(?:[^']|'{1,2}(?!'))*'{3,5}/y, text, at).length;
  if (text[at] === '"') return at + matchAt(/"(?:[^"\\\n]|\\[^\n])*"/y, text, at).length;
  if (text[at] === "'") return at + matchAt(/'[^'\n]*'/y, text, at).length;
  if (text[at] === "[") return listEnd(text, at, depth);
  if (text[at] === "{") return inlineTableEnd(text, at, depth);
  return at + matchAt(/[\w+.:-]+(?: \d\d:[\d:.Z+-]+)?/y, text, at).length;
}

function listEnd(text: string, start: number, depth: number): number {
  for (let at = gap(text, start + 1); ; ) {
    if (text[at] === "]") return at + 1;
    at = gap(text, valueEnd(text, at, depth + 1));
    if (text[at] === ",") at = gap(text, at + 1);
    else if (text[at] !== "]") throw new Unreadable();
  }
}

function inlineTableEnd(text: string, start: number, depth: number): number {
  for (let at = blanks(text, start + 1); ; ) {
    if (text[at] === "}") return at + 1;
    const key = readKey(text, at);
    if (text[key.end] !== "=") throw new Unreadable();
    at = blanks(text, valueEnd(text, blanks(text, key.end + 1), depth + 1));
    if (text[at] === ",") at = blanks(text, at + 1);
    else if (text[at] !== "}") throw new Unreadable();
  }
}

/** Blanks, newlines and comments, which may come between the values of a list. */
function gap(text: string, start: number): number {
  for (let at = start; ; ) {
    const next = blanks(text, at);
    if (next >= text.length || !isLineEnd(text, next)) return next;
    at = lineEnd(text, next);
  }
}

function blanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

const isLineEnd = (text: string, at: number): boolean => at >= text.length || /[#\n\r]/.test(text[at] ?? "");

/** After the newline; only blanks and a comment may come before it. */
function lineEnd(text: string, start: number): number {
  const at = blanks(text, start);
  if (!isLineEnd(text, at)) throw new Unreadable();
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  if (found === undefined) throw new Unreadable();
  return found;
}

/** The text of the value at a key; null where there is none. */
export function tomlValue(sections: readonly Section[] | null, path: readonly string[]): string | null {
  const entries = (sections ?? []).flatMap((section) => section.entries);
  const same = (entry: Entry): boolean =>
    entry.path.length === path.length && entry.path.every((key, at) => key === path[at]);
  return entries.find(same)?.value ?? null;
}

/** The plain strings in a value: all of a list's. */
export const tomlStrings = (value: string | null): readonly string[] =>
  Array.from((value ?? "").matchAll(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g), (match) => match[1] ?? match[2] ?? "");

/** The last parts of keys directly below a path. */
export function tomlKeys(sections: readonly Section[] | null, path: readonly string[]): readonly string[] {
  const below = (sections ?? [])
    .flatMap((section) => [section.path, ...section.entries.map((entry) => entry.path)])
    .filter((found) => found.length > path.length && path.every((key, at) => found[at] === key));
  return [...new Set(below.map((found) => found[path.length] ?? ""))];
}
