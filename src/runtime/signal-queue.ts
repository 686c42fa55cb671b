// Signals for a run, in the order in which they came. One queue for as long as a process has the run open: every part that needs a signal
// takes it from here, so that none is left with a part that has stopped listening.
import type { SignalFact } from "./ports.ts";

export interface SignalBox {
  send(fact: SignalFact): void;
  /** The next one; each is taken once. */
  take(): SignalFact | undefined;
  /** Calls `wake` once there is one to take: now, or when it comes. A later call replaces this one. */
  onArrival(wake: () => void): void;
  /** The signal is in the journal now: a crash can no longer lose it. */
  settled(fact: SignalFact): void;
  close(): void;
}

export class SignalQueue implements SignalBox {
  readonly #waiting: SignalFact[] = [];
  #wake: (() => void) | null = null;

  send(fact: SignalFact): void {
    this.#waiting.push(fact);
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  take(): SignalFact | undefined {
    return this.#waiting.shift();
  }

  onArrival(wake: () => void): void {
    if (this.#waiting.length > 0) wake();
    else this.#wake = wake;
  }

  settled(_fact: SignalFact): void {}

  close(): void {
    this.#wake = null;
  }
}
