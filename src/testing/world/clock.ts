// Time in a simulated world: it passes when something is done, and jumps during a wait.
import type { Clock } from "../../runtime/ports.ts";

export class WorldClock implements Clock {
  #now = 1_700_000_000_000;

  now(): number {
    return this.#now;
  }

  steady(): number {
    return this.#now - 1_700_000_000_000;
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  async sleepUntil(at: number, signal: AbortSignal): Promise<void> {
    // Pending signals come first.
    await Promise.resolve();
    if (!signal.aborted) this.#now = Math.max(this.#now, at);
  }
}
