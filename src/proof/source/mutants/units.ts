// Splits hunks into pieces that can be taken back one by one: adding several functions is several changes.
import type { FoundBody } from "../bodies/body.ts";
import { type PlacedHunk, placedHunks } from "../diff/hunks.ts";
import { linesOf } from "../diff/lines.ts";
import type { Source } from "../lex/source.ts";
import { type Meaning, meaningOf, piecesIn } from "./meaning.ts";
import { isProse } from "./word-edits.ts";

/** Lines of the new text that can be taken back: `removed` replaces them. */
export type Unit = {
  readonly at: number;
  readonly count: number;
  readonly removed: readonly string[];
  readonly name: string | null;
};

/** The hunks of a change that a test can notice. */
export function meaningfulHunks(path: string, before: string, after: string): readonly PlacedHunk[] {
  const [old, now] = [meaningOf(path, before), meaningOf(path, after)];
  return placedHunks(before, after).filter((hunk) => {
    const was = piecesIn(old, hunk.before, hunk.removed.length);
    const is = piecesIn(now, hunk.at, hunk.added.length);
    return was.length !== is.length || was.some((piece, index) => piece !== is[index]);
  });
}

/**
 * Rewritten old lines, each separately: a changed number next to new code is a separate change. In `data` every line is
 * a value: one that is like no new line has become the next one that is left.
 */
export function rewrittenLines(hunk: PlacedHunk, isData = false): readonly Unit[] {
  const became = new Map<number, number>();
  const isLeft = (index: number): boolean => ![...became.values()].includes(index);
  for (const [at, was] of hunk.removed.entries()) {
    const near = hunk.added
      .map((is, index) => ({ index, likeness: likeness(was, is) }))
      .filter(({ index, likeness }) => likeness >= alike && isLeft(index))
      .toSorted((a, b) => b.likeness - a.likeness)[0];
    if (near !== undefined) became.set(at, near.index);
  }
  for (const [at, was] of isData ? hunk.removed.entries() : []) {
    if (became.has(at) || was.trim() === "") continue;
    const next = hunk.added.findIndex((is, index) => isLeft(index) && is.trim() !== "" && !areProse(was, is));
    if (next >= 0) became.set(at, next);
  }
  return [...became]
    .toSorted(([one], [other]) => one - other)
    .map(([at, index]) => ({ was: hunk.removed[at] ?? "", index }))
    .filter(({ was, index }) => !saysTheSame(was, hunk.added[index] ?? ""))
    .map(({ was, index }) => ({ at: hunk.at + index, count: 1, removed: [was], name: null }));
}

const areProse = (was: string, is: string): boolean => isProse(was) && isProse(is) && sameValues(was, is);

const alike = 0.5;
const wordsOf = (line: string): readonly string[] => line.match(/\w+|[^\s\w]/g) ?? [];

/** The share of words that two lines have in common. */
function likeness(was: string, is: string): number {
  const [old, now] = [wordsOf(was), wordsOf(is)];
  if (!old.some((word) => /\w/.test(word))) return 0;
  const left = [...now];
  const common = old.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / (old.length + now.length);
}

/** Rewording text for people does not change behaviour: quoted sentences with the same placeholders. */
function saysTheSame(was: string, is: string): boolean {
  if (withoutTexts(was) !== withoutTexts(is)) return false;
  const [old, now] = [textsIn(was), textsIn(is)];
  return old.every((text, at) => text === now[at] || areProse(text, now[at] ?? ""));
}

const quoted = /"[^"]*"|'[^']*'|`[^`]*`/g;
const textsIn = (line: string): readonly string[] => line.match(quoted) ?? [];
const withoutTexts = (line: string): string => line.replace(quoted, '""').replace(/\s+/g, "");
const sameValues = (was: string, is: string): boolean => valuesIn(was).join() === valuesIn(is).join();
/** `${name}`, `{name}`, `%02d`, `$name`. */
const valuesIn = (text: string): readonly string[] => text.match(/\$?\{[^}]*\}|%[-+#0-9.]*[a-zA-Z]|\$\w+/g) ?? [];

type Looked = { readonly source: Source | null; readonly bodies: readonly FoundBody[]; readonly meaning: Meaning };

export function unitsOf(hunk: PlacedHunk, { source, bodies, meaning }: Looked): readonly Unit[] {
  const whole = { at: hunk.at, count: hunk.added.length, removed: hunk.removed, name: null };
  if (source === null || hunk.removed.some((line) => line.trim() !== "")) return [whole];
  const functions = outermostIn(bodies, hunk.at, hunk.at + hunk.added.length - 1);
  if (functions.length < 2) return [whole];
  const named = functions.map(({ line, endLine, name }) => ({
    at: line,
    count: endLine - line + 1,
    removed: [],
    name,
  }));
  return [...named, ...restOf(hunk, named, source, meaning)].toSorted((a, b) => a.at - b.at);
}

/** Functions that lie entirely between two lines, share no line with others, and are inside no other such function. */
function outermostIn(bodies: readonly FoundBody[], from: number, to: number): readonly FoundBody[] {
  const found: FoundBody[] = [];
  for (const body of bodies) {
    const after = found.at(-1)?.endLine ?? 0;
    if (body.line >= from && body.endLine <= to && body.line > after) found.push(body);
  }
  return found;
}

/** The lines between the functions, if they mean something and close every bracket that they open. */
function restOf(hunk: PlacedHunk, taken: readonly Unit[], source: Source, meaning: Meaning): readonly Unit[] {
  const rest: Unit[] = [];
  let at = hunk.at;
  for (const next of [...taken, { at: hunk.at + hunk.added.length, count: 0 }]) {
    const count = next.at - at;
    const useful = count > 0 && piecesIn(meaning, at, count).length > 0 && isBalanced(source, at, at + count - 1);
    if (useful) rest.push({ at, count, removed: [], name: null });
    at = next.at + next.count;
  }
  return rest;
}

function isBalanced(source: Source, from: number, to: number): boolean {
  return source.code.every((token, index) => {
    if (token.line < from || token.line > to || (token.kind !== "open" && token.kind !== "close")) return true;
    const partner = source.code[source.partner[index] ?? -1];
    return partner !== undefined && partner.line >= from && partner.line <= to;
  });
}

export function takenBack(text: string, unit: Unit): string {
  const lines = [...linesOf(text)];
  lines.splice(unit.at - 1, unit.count, ...unit.removed);
  return lines.join("\n");
}
