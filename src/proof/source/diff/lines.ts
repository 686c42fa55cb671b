// The lines that two texts have in common, in order: patience first, then Myers on the gaps, with a limit on the work.

/** Line `before` of the first text equals line `after` of the second, and so do the `count - 1` lines that follow. */
export type Run = { readonly before: number; readonly after: number; readonly count: number };

/** Lines without their line ends. Joining them with newlines gives the text again. */
export const linesOf = (text: string): readonly string[] => text.split("\n");

/** Beyond this many differing lines, a stretch counts as replaced as a whole. */
const editsMax = 400;

export function commonRuns(before: readonly string[], after: readonly string[]): readonly Run[] {
  const matched = new Int32Array(before.length).fill(-1);
  const [a, b] = numbered(before, after);
  const stretches: Stretch[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  for (let next = stretches.pop(); next !== undefined; next = stretches.pop()) {
    const inner = trimmed(a, b, next, matched);
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue;
    const anchors = uniquelyCommon(a, b, inner);
    if (anchors.length === 0) walkBack(shortest(a, b, inner), inner, matched);
    else stretches.push(...between(inner, anchors, matched));
  }
  return runsOf(matched);
}

type Stretch = { readonly a: number; readonly aEnd: number; readonly b: number; readonly bEnd: number };
type Anchor = { readonly a: number; readonly b: number };

/** Equal lines have equal numbers. */
function numbered(before: readonly string[], after: readonly string[]): readonly [Int32Array, Int32Array] {
  const known = new Map<string, number>();
  const number = (line: string): number => {
    const found = known.get(line) ?? known.size;
    known.set(line, found);
    return found;
  };
  return [Int32Array.from(before, number), Int32Array.from(after, number)];
}

/** Matches equal lines at both ends and returns the rest. */
function trimmed(a: Int32Array, b: Int32Array, of: Stretch, matched: Int32Array): Stretch {
  let { a: aAt, aEnd, b: bAt, bEnd } = of;
  while (aAt < aEnd && bAt < bEnd && a[aAt] === b[bAt]) matched[aAt++] = bAt++;
  while (aAt < aEnd && bAt < bEnd && a[aEnd - 1] === b[bEnd - 1]) matched[--aEnd] = --bEnd;
  return { a: aAt, aEnd, b: bAt, bEnd };
}

/** The longest ordered series of lines that occur once in each stretch. */
function uniquelyCommon(a: Int32Array, b: Int32Array, { a: aAt, aEnd, b: bAt, bEnd }: Stretch): readonly Anchor[] {
  const once = (lines: Int32Array, from: number, to: number): Map<number, number> => {
    const found = new Map<number, number>();
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? -1;
      found.set(line, found.has(line) ? -1 : at);
    }
    return found;
  };
  const inB = once(b, bAt, bEnd);
  const pairs: Anchor[] = [];
  for (const [line, at] of once(a, aAt, aEnd)) {
    const other = inB.get(line) ?? -1;
    if (at >= 0 && other >= 0) pairs.push({ a: at, b: other });
  }
  return increasing(pairs.sort((one, two) => one.a - two.a));
}

function increasing(pairs: readonly Anchor[]): readonly Anchor[] {
  type Pile = { readonly top: Anchor; readonly below: Pile | null };
  const piles: Pile[] = [];
  for (const top of pairs) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.top.b ?? 0) < top.b) low = middle + 1;
      else high = middle;
    }
    piles[low] = { top, below: piles[low - 1] ?? null };
  }
  const series: Anchor[] = [];
  for (let pile = piles.at(-1) ?? null; pile !== null; pile = pile.below) series.push(pile.top);
  return series.reverse();
}

function between(of: Stretch, anchors: readonly Anchor[], matched: Int32Array): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [a, b] = [of.a, of.b];
  for (const anchor of anchors) {
    matched[anchor.a] = anchor.b;
    stretches.push({ a, aEnd: anchor.a, b, bEnd: anchor.b });
    [a, b] = [anchor.a + 1, anchor.b + 1];
  }
  stretches.push({ a, aEnd: of.aEnd, b, bEnd: of.bEnd });
  return stretches;
}

/** The furthest points that each number of edits reaches, and the diagonal on which the last of them arrives. */
type Steps = { readonly steps: readonly Int32Array[]; readonly most: number; readonly arrivedOn: number };

/** Myers' shortest edit script within a stretch. Null: it has too many edits to be worth finding. */
function shortest(a: Int32Array, b: Int32Array, of: Stretch): Steps | null {
  const [rows, columns] = [of.aEnd - of.a, of.bEnd - of.b];
  const most = Math.min(rows + columns, editsMax);
  const steps: Int32Array[] = [];
  let furthest = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits++) {
    steps.push(furthest);
    furthest = furthest.slice();
    for (let k = -edits; k <= edits; k += 2) {
      let x = goesDown(furthest, k, edits, most) ? (furthest[k + 1 + most] ?? 0) : (furthest[k - 1 + most] ?? 0) + 1;
      while (x < rows && x - k < columns && a[of.a + x] === b[of.b + x - k]) x++;
      furthest[k + most] = x;
      if (x >= rows && x - k >= columns) return { steps, most, arrivedOn: k };
    }
  }
  return null;
}

const goesDown = (furthest: Int32Array, k: number, edits: number, most: number): boolean =>
  k === -edits || (k !== edits && (furthest[k - 1 + most] ?? 0) < (furthest[k + 1 + most] ?? 0));

function walkBack(found: Steps | null, of: Stretch, matched: Int32Array): void {
  if (found === null) return;
  const { steps, most } = found;
  let [x, y] = [of.aEnd - of.a, of.bEnd - of.b];
  let k = found.arrivedOn;
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const furthest = steps[edits] ?? new Int32Array();
    const down = goesDown(furthest, k, edits, most);
    const start = edits === 0 ? 0 : down ? (furthest[k + 1 + most] ?? 0) : (furthest[k - 1 + most] ?? 0) + 1;
    while (x > start && y > start - k) matched[of.a + --x] = of.b + --y;
    if (down) y--;
    else x--;
    k += down ? 1 : -1;
  }
}

function runsOf(matched: Int32Array): readonly Run[] {
  const runs: { before: number; after: number; count: number }[] = [];
  matched.forEach((after, before) => {
    const last = runs.at(-1);
    if (after < 0) return;
    if (last !== undefined && last.before + last.count === before && last.after + last.count === after) last.count++;
    else runs.push({ before, after, count: 1 });
  });
  return runs;
}
