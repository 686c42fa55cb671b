// The source of every choice in a random change: one seed gives the same choices on every machine (mulberry32).

export interface Choices {
  /** An integer from 0 up to, but not including, `count`. */
  below(count: number): number;
  chance(percent: number): boolean;
  /** Undefined when there is nothing to choose from. */
  pick<T>(values: readonly T[]): T | undefined;
  /** One of these, never undefined. */
  one<T>(first: T, ...others: readonly T[]): T;
}

export function seeded(seed: number): Choices {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x2545f491) >>> 0;
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (values) => values[below(values.length)],
    one: (first, ...others) => [first, ...others][below(others.length + 1)] ?? first,
  };
}

/** One of these, with a probability by weight. */
export function weighted<T extends { readonly weight: number }>(choose: Choices, values: readonly T[]): T | undefined {
  let left = choose.below(values.reduce((sum, { weight }) => sum + weight, 0));
  return values.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}
