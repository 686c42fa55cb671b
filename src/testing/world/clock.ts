// Time in a simulated world: it passes when something is done, and jumps during a wait.
import type { Clock } from "../../runtime/ports.ts";

/** A clock that only moves when something is done or waited for. */
export class WorldClock implements Clock {
  #now = 1_700_000_000_000;

  /** The time of the world. */
  now(): number {
    return this.#now;
  }

  /** The same, counted from the beginning of the world. */
  steady(): number {
    return this.#now - 1_700_000_000_000;
  }

  /** Something took this long. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Jumps there, unless a signal comes first. */
  async sleepUntil(at: number, signal: AbortSignal): Promise<void> {
    // Pending signals come first.
    await Promise.resolve();
    if (!signal.aborted) this.#now = Math.max(this.#now, at);
  }
}
