// Lets a limited number of tasks work at once. The others wait: first come, first served.
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Handed over without becoming free in between, so that a later task never goes first.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Does the work for each, two at once: while one runs a check, the next is prepared. The results are in order. */
export function twoAtOnce<T, R>(list: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<readonly R[]> {
  const turns = new Turns(2);
  return together(list.map((item, at) => turns.take(() => work(item, at))));
}

/** Waits for all of them, also when one fails, so that none is still at work afterwards. */
export async function together<T extends readonly unknown[]>(
  works: { [K in keyof T]: T[K] | Promise<T[K]> },
): Promise<T> {
  const settled = await Promise.allSettled(works);
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
