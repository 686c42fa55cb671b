// Signals and results that arrive while the loop waits, in the order in which to handle them.

type Arrival<Value> = { readonly value: Value; readonly is: "signal" | "result" };

/**
 * Used instead of `Promise.race` over a signal that may never come: that would keep every result of the run alive
 * through the one pending promise.
 */
export class Arrivals<Value> {
  readonly #waiting: Arrival<Value>[] = [];
  #failed: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  /**
   * Takes the promise's value once it resolves. A pending signal goes first, so that a cancel never waits behind a
   * result.
   */
  expect(promise: Promise<Value>, is: Arrival<Value>["is"]): void {
    promise.then(
      (value) => {
        if (is === "result") this.#waiting.push({ value, is });
        else this.#waiting.unshift({ value, is });
        this.#wake?.();
      },
      (error: unknown) => {
        this.#failed ??= { error };
        this.#wake?.();
      },
    );
  }

  /** One caller at a time. */
  async next(): Promise<Arrival<Value>> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) return item;
      if (this.#failed !== null) throw this.#failed.error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
