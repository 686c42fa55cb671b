// Files that moved: which added file is a deleted one under another path.
import { posix } from "node:path";
import { languageOf } from "../language.ts";

export type Move = { readonly from: string; readonly to: string };
export type MovedFile = { readonly path: string; readonly text: string };

/** The share of lines that two texts must have in common. A moved file changes its imports and little else. */
const sharedMin = 0.6;
/** Or the share of old lines that the new text must contain: it may have been extended. */
const keptMin = 0.8;
/** Beyond this many pairs, only files with the same name are compared. */
const pairsMax = 20_000;

type Pair = Move & { readonly shared: number; readonly sameName: boolean };

/** Each file moves once, the most similar pairs first. */
export function moves(deleted: readonly MovedFile[], added: readonly MovedFile[]): readonly Move[] {
  const known = new Map([...deleted, ...added].map((file) => [file.path, linesIn(file.text)]));
  const onlySameName = deleted.length * added.length > pairsMax;
  const pairs = deleted.flatMap((from) =>
    added.flatMap((to) => {
      const sameName = posix.basename(from.path) === posix.basename(to.path);
      if ((onlySameName && !sameName) || !sameKind(from.path, to.path)) return [];
      const shared = from.text === to.text ? 1 : similarity(known.get(from.path), known.get(to.path));
      const isMoved = shared >= sharedMin || keptOf(known.get(from.path), known.get(to.path)) >= keptMin;
      const enough = from.text.trim() === "" ? sameName && from.text === to.text : isMoved;
      return enough ? [{ from: from.path, to: to.path, shared, sameName }] : [];
    }),
  );
  return assigned(pairs.toSorted(byLikeness));
}

const byLikeness = (a: Pair, b: Pair): number =>
  b.shared - a.shared || Number(b.sameName) - Number(a.sameName) || compare(a.from, b.from) || compare(a.to, b.to);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function assigned(pairs: readonly Pair[]): readonly Move[] {
  const taken = new Set<string>();
  return pairs
    .filter(
      ({ from, to }) =>
        !taken.has(`< ${from}`) && !taken.has(`> ${to}`) && taken.add(`< ${from}`) && taken.add(`> ${to}`),
    )
    .map(({ from, to }) => ({ from, to }))
    .toSorted((a, b) => compare(a.from, b.from));
}

function sameKind(from: string, to: string): boolean {
  const [one, two] = [languageOf(from), languageOf(to)];
  return one === null || two === null ? posix.extname(from) === posix.extname(to) : one === two;
}

/** How often each line occurs in a text; blank lines and lone brackets say nothing. */
function linesIn(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const line of text.split("\n")) {
    const content = line.trim();
    if (/\w/.test(content)) lines.set(content, (lines.get(content) ?? 0) + 1);
  }
  return lines;
}

/** How much of the first text is in the second. Texts of a few lines match too much by chance. */
function keptOf(one: ReadonlyMap<string, number> = new Map(), two: ReadonlyMap<string, number> = new Map()): number {
  let [kept, all] = [0, 0];
  for (const [line, count] of one) {
    kept += Math.min(count, two.get(line) ?? 0);
    all += count;
  }
  return all < 5 ? 0 : kept / all;
}

function similarity(
  one: ReadonlyMap<string, number> = new Map(),
  two: ReadonlyMap<string, number> = new Map(),
): number {
  let [common, all] = [0, 0];
  for (const [line, count] of one) {
    common += Math.min(count, two.get(line) ?? 0);
    all += count;
  }
  for (const count of two.values()) all += count;
  return all === 0 ? 0 : (2 * common) / all;
}
