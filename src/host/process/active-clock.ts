// Time that a process could use. Time when the machine sleeps or this process is stopped does not count.

/** A longer gap between two looks means that this process was not running in between. */
const lateMs = 10_000;

/** `now` is monotonic; it stands still on a suspended machine, but not while only this process is stopped. */
export class ActiveClock {
  #last: number;
  #active = 0;

  constructor(now: number) {
    this.#last = now;
  }

  /** Call it often; returns the active milliseconds so far. */
  look(now: number): number {
    const passed = now - this.#last;
    this.#last = now;
    if (passed > 0) this.#active += passed > lateMs ? 0 : passed;
    return this.#active;
  }
}
