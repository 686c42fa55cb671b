// Chooses some of many: evenly spread, never the first few, so that putting well-tested code first does not pay.

/** At most `max` of the items, evenly spread, in their order. */
export function evenly<T>(items: readonly T[], max: number): readonly T[] {
  if (items.length <= max) return items;
  return Array.from({ length: Math.max(0, max) }, (_, index) => {
    const at = Math.floor(((index + 0.5) * items.length) / max);
    return items[at];
  }).filter((item) => item !== undefined);
}

/** One of each list in turn, until all are empty. */
export function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** At most `max` over several files: each file gets its turn before one gets a second. */
export function fairly<T>(perFile: readonly (readonly T[])[], max: number): readonly T[] {
  return interleaved(perFile).slice(0, Math.max(0, max));
}
