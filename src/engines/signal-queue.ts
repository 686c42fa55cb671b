// Signals for a run in progress, in the order in which they came; each is taken once.
import type { SignalFact } from "../runtime/ports.ts";

export interface SignalBox {
  send(fact: SignalFact): void;
  /** Resolves with the next one. Only one call at a time waits. */
  next(): Promise<SignalFact>;
  /** The signal is in the journal now: a crash can no longer lose it. */
  settled(fact: SignalFact): void;
  close(): void;
}

export class SignalQueue implements SignalBox {
  readonly #queue: SignalFact[] = [];
  #waiting: ((fact: SignalFact) => void) | null = null;

  send(fact: SignalFact): void {
    this.#queue.push(fact);
    this.#deliver();
  }

  next(): Promise<SignalFact> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#deliver();
    });
  }

  settled(): void {}

  close(): void {
    this.#waiting = null;
  }

  #deliver(): void {
    const fact = this.#waiting === null ? undefined : this.#queue.shift();
    if (fact === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(fact);
  }
}
