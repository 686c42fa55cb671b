// Time that a process could use. While the machine sleeps or we are stopped, nobody works, and it does not count.

/** A look that comes later than this after the one before means that we were not running in between. */
const lateMs = 10_000;

/** `now` is monotonic; it stands still in a suspended machine, but not while we alone are stopped. */
export class ActiveClock {
  #last: number;
  #active = 0;

  constructor(now: number) {
    this.#last = now;
  }

  /** To be called often; gives back the active milliseconds so far. */
  look(now: number): number {
    const passed = now - this.#last;
    this.#last = now;
    if (passed > 0) this.#active += passed > lateMs ? 0 : passed;
    return this.#active;
  }
}
