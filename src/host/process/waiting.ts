// Waits in short steps for a process, and wakes at once when it exits or on abort.
import type { Exit } from "./spawn.ts";

export class Waiting {
  /** Null while it runs. */
  exit: Exit | null = null;
  #wake = () => {};
  readonly #signal: AbortSignal;
  readonly #onAbort = () => this.#wake();

  constructor(exited: Promise<Exit>, signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort);
    // One reaction for the whole wait: a race per step would leave one behind each time.
    void exited.then((exit) => {
      this.exit = exit;
      this.#wake();
    });
  }

  async pause(ms: number): Promise<void> {
    if (this.exit !== null || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  over(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}
