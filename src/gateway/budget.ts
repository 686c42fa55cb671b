// Money is set aside before a request passes: a budget is exceeded by one request's reservation at most.

export type Ticket = {
  /** What the request has cost so far. False: it has to be cut. */
  costs(usd: number): boolean;
  /** The request is over; its last cost counts. */
  settle(): void;
};

export class Budget {
  readonly #capUsd: number | null;
  #spentUsd: number;
  #reservedUsd = 0;

  /** `capUsd` null: no bound. `spentUsd`: what earlier processes of the session used. */
  constructor(capUsd: number | null, spentUsd = 0) {
    this.#capUsd = capUsd;
    this.#spentUsd = spentUsd;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** Null: nothing is left. A request may begin while anything is: its cost is not known beforehand. */
  reserve(usd: number): Ticket | null {
    if (this.#capUsd !== null && this.#spentUsd + this.#reservedUsd >= this.#capUsd) return null;
    this.#reservedUsd += usd;
    let cost = 0;
    let isOpen = true;
    return {
      costs: (now) => {
        cost = Math.max(cost, now);
        const others = this.#spentUsd + this.#reservedUsd - usd;
        return this.#capUsd === null || others + cost < this.#capUsd + usd;
      },
      settle: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#reservedUsd -= usd;
        this.#spentUsd += cost;
      },
    };
  }
}
