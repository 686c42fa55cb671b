// Signals to one process: those sent but not yet taken are lost when it dies.
import type { SignalFact } from "../../runtime/ports.ts";

export class WorldSignals {
  readonly #queue: SignalFact[] = [];
  #waiting: ((fact: SignalFact) => void) | null = null;

  send(fact: SignalFact): void {
    if (this.#waiting === null) this.#queue.push(fact);
    else this.#waiting(fact);
    this.#waiting = null;
  }

  next(): Promise<SignalFact> {
    const fact = this.#queue.shift();
    if (fact !== undefined) return Promise.resolve(fact);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}
