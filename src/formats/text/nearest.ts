// The known word that a person most likely meant, for error messages.

// A longer word is no typo, and the cost is the product of both lengths.
const lengthMax = 64;

/** The known word nearest to `word` by edit distance, or null when none is close enough. */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length === 0 || word.length > lengthMax) return null;
  const meant = plain(word);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    if (candidate.length > lengthMax) continue;
    const distance = editDistance(meant, plain(candidate));
    if (distance > tolerance(meant, candidate)) continue;
    // Of two that are equally near, the one that is whole in what was typed.
    if (distance < least || (distance === least && meant.startsWith(plain(candidate))))
      [best, least] = [candidate, distance];
  }
  return best;
}

// People mix up case, dashes and underscores most, so they are ignored.
const plain = (word: string): string => word.toLowerCase().replace(/[-_ ]/g, "");

const tolerance = (word: string, candidate: string): number =>
  Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));

/** Insertions, deletions, replacements, and swaps of neighbors. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let distance = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
