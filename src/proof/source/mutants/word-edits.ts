// Rewritten lines, word by word: an old value that was dropped or replaced next to a requested change is a separate change.
import { commonRuns } from "../diff/lines.ts";

/** A part of a rewritten line: `line` is the new one with this part as it was, in the place of `is`. */
export type WordEdit = { readonly was: string; readonly is: string; readonly line: string };

/**
 * The old parts of a line that its rewriting dropped or replaced, each put back by itself. None where only one part
 * changed: then the line as a whole is the piece.
 */
export function wordEdits(was: string, is: string): readonly WordEdit[] {
  const changed = split(changedParts(was, is));
  if (changed.length < 2) return [];
  let keyEnds = 0;
  return changed.flatMap((part) => {
    const { old, now } = part;
    if (old.text === "" || old.from < keyEnds || isReworded(part) || isMoved(part, changed)) return [];
    if (isOfAnother(was, is, part)) return [];
    const key = droppedKey(was, part, is);
    if (key !== null) keyEnds = old.from + key.length;
    const line =
      key === null
        ? `${is.slice(0, now.gapFrom)}${old.gap}${is.slice(now.gapTo)}`
        : `${is.slice(0, now.from)}${key}, ${is.slice(now.from)}`;
    return brackets(line) === brackets(is)
      ? [{ was: (key ?? old.text).trim(), is: key === null ? now.text.trim() : "", line }]
      : [];
  });
}

const isReworded = ({ old, now }: Part): boolean => isProse(old.text) && (now.text === "" || isProse(now.text));

/** The same words are in another place of the line now. */
function isMoved(part: Part, all: readonly Part[]): boolean {
  const elsewhere = new Set(all.flatMap((other) => (other === part ? [] : wordsIn(other.now.text).map(textOf))));
  return wordsIn(part.old.text).every(({ text }) => elsewhere.has(text));
}

/** The `join` of `args.join(" ")` belongs to `args`: in `options.includes(name)` it would be a line that never was. */
function isOfAnother(was: string, is: string, { old, now }: Part): boolean {
  const [had, has] = [ownerBefore(was, old.from), ownerBefore(is, now.from)];
  return had !== null && had !== has;
}

/** What stands before the dot before this place; null: no dot. */
const ownerBefore = (line: string, at: number): string | null =>
  /([\p{L}\p{N}_$]+|[)\]}"'`])\s*(?:\?\.|\.|->|::)\s*$/u.exec(line.slice(0, at))?.[1] ?? null;

/** A line with other brackets would not even be read. */
const brackets = (line: string): string => [..."()[]{}"].map((bracket) => line.split(bracket).length).join();

/** A place in a line; `gap` includes the spaces around it. */
type Place = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly gap: string;
  readonly gapFrom: number;
  readonly gapTo: number;
};
type Part = { readonly old: Place; readonly now: Place };
type Word = { readonly text: string; readonly from: number; readonly to: number };
const textOf = ({ text }: Word): string => text;

/** A quoted sentence is one word. In other texts in quotes, in patterns and in queries every word counts. */
const word = /"[^"]*"|'[^']*'|`[^`]*`|\d+(?:\.\d+)?|[\p{L}\p{N}_]+|[^\s]/gu;

function wordsIn(line: string): readonly Word[] {
  return [...line.matchAll(word)].flatMap(({ 0: text, index }) => {
    if (text.length < 2 || !/^["'`]/.test(text) || isProse(text))
      return [{ text, from: index, to: index + text.length }];
    const inner = wordsIn(text.slice(1, -1)).map((one) => ({
      text: one.text,
      from: index + 1 + one.from,
      to: index + 1 + one.to,
    }));
    const quote = (at: number): Word => ({ text: line.charAt(at), from: at, to: at + 1 });
    return [quote(index), ...inner, quote(index + text.length - 1)];
  });
}

/** Words with spaces between them, and nothing that belongs to a query or a pattern. */
export const isProse = (text: string): boolean => /\p{L}{2,}[,;:]? \p{L}+/u.test(text) && !/[=<>*^|\\]/.test(text);

function changedParts(was: string, is: string): readonly Part[] {
  const [old, now] = [wordsIn(was), wordsIn(is)];
  const parts: Part[] = [];
  let [oldAt, nowAt] = [0, 0];
  const ends = { before: old.length, after: now.length, count: 0 };
  for (const run of [...commonRuns(old.map(textOf), now.map(textOf)), ends]) {
    if (run.before > oldAt || run.after > nowAt)
      parts.push({ old: placeOf(was, old, oldAt, run.before), now: placeOf(is, now, nowAt, run.after) });
    [oldAt, nowAt] = [run.before + run.count, run.after + run.count];
  }
  return parts;
}

function placeOf(line: string, words: readonly Word[], at: number, end: number): Place {
  const gapFrom = words[at - 1]?.to ?? /^\s*/.exec(line)?.[0].length ?? 0;
  const gapTo = words[end]?.from ?? line.trimEnd().length;
  const [from, to] = at < end ? [words[at]?.from ?? gapFrom, words[end - 1]?.to ?? gapTo] : [gapFrom, gapFrom];
  return { text: line.slice(from, to), from, to, gap: line.slice(gapFrom, gapTo), gapFrom, gapTo };
}

/** `20` that became `10, full = False`: another value, and something new after it. */
function split(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => {
    const { old, now } = part;
    const comma = now.text.indexOf(",");
    if (comma < 1 || old.text.includes(",") || !isValue(old.text) || !isValue(now.text.slice(0, comma))) return [part];
    const first: Place = {
      text: now.text.slice(0, comma),
      from: now.from,
      to: now.from + comma,
      gap: now.text.slice(0, comma),
      gapFrom: now.from,
      gapTo: now.from + comma,
    };
    const rest: Place = { ...now, text: now.text.slice(comma), from: first.to, gapFrom: first.to };
    const nothing: Place = { ...old, text: "", gap: "", from: old.to, gapFrom: old.to };
    return [
      { old: { ...old, gap: old.text, gapFrom: old.from, gapTo: old.to }, now: first },
      { old: nothing, now: rest },
    ];
  });
}

const isValue = (text: string): boolean => /^\s*[-+]?(?:\d[\w.]*|\w+|"[^"]*"|'[^']*')\s*$/.test(text);

/** `mode: 0o600` of an object, or `timeout=5` of a call, in whose place another key stands now. */
function droppedKey(was: string, { old, now }: Part, is: string): string | null {
  if (now.text === "") return null;
  const found = /^(["']?)([\w-]+)\1\s*(:|=(?![=>]))\s*[^,(){}[\]]+/.exec(was.slice(old.from));
  const [pair, , key, sign] = found ?? [];
  if (pair === undefined || key === undefined || new RegExp(`\\b${key}\\b`).test(is)) return null;
  const around = bracketAround(was, old.from);
  const isKey =
    sign === ":" ? around === "{" : around === "(" && !/^\s*(?:async\s+)?(?:def|class|function|fn|func)\b/.test(was);
  return isKey ? pair.trim() : null;
}

function bracketAround(line: string, at: number): string {
  const open: string[] = [];
  for (const char of line.slice(0, at)) {
    if ("([{".includes(char)) open.push(char);
    else if (")]}".includes(char)) open.pop();
  }
  return open.at(-1) ?? "";
}
