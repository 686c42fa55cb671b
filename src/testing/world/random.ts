// The source of every choice in a simulated world: a seed, or a list of numbers that a test tool can shrink.

/** A source of choices: a seed, or a list of numbers. */
export interface Choices {
  /** An integer from 0 up to, but not including, `count`. */
  below(count: number): number;
}

/** The same seed gives the same choices on every machine (mulberry32). */
export function seeded(seed: number): Choices {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return {
    below(count) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
    },
  };
}

/** Choices from a list; when it is used up, always the first: the quietest possible world. */
export function taped(tape: readonly number[]): Choices {
  let at = 0;
  return { below: (count) => (tape[at++] ?? 0) % count };
}

/** True that often, out of a thousand. */
export const chance = (choose: Choices, perThousand: number): boolean => choose.below(1000) >= 1000 - perThousand;

/** One of the values. */
export function pick<T>(choose: Choices, values: readonly [T, ...T[]]): T {
  return values[choose.below(values.length)] ?? values[0];
}
