// What a session may use, in money or in tokens. It is set aside before a request passes.

export type Ticket = {
  /** What the request has used so far. False: it has to be cut. */
  costs(amount: number): boolean;
  /** The request is over; what it has used counts. */
  settle(): void;
};

export type Reservation = {
  /** Set aside while the request is under way: the most that it may use. */
  readonly held: number;
  /** What the request itself is taken for: above it, an answer is cut when nothing is left. */
  readonly own: number;
};

export class Budget {
  readonly #cap: number | null;
  #spent: number;
  #reserved = 0;

  /** `cap` null: no bound. `spent`: what earlier processes of the session used. */
  constructor(cap: number | null, spent = 0) {
    this.#cap = cap;
    this.#spent = spent;
  }

  /** Null: no bound. */
  get left(): number | null {
    return this.#cap === null ? null : this.#cap - this.#spent - this.#reserved;
  }

  /** Null: nothing is left. A request may begin while anything is: its cost is not known beforehand. */
  reserve({ held, own }: Reservation): Ticket | null {
    if (this.#cap !== null && this.#spent + this.#reserved >= this.#cap) return null;
    this.#reserved += held;
    let used = 0;
    let isOpen = true;
    return {
      costs: (now) => {
        used = Math.max(used, now);
        const others = this.#spent + this.#reserved - held;
        return this.#cap === null || used <= own || others + used < this.#cap;
      },
      settle: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#reserved -= held;
        this.#spent += used;
      },
    };
  }
}
