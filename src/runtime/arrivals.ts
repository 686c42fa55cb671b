// What comes in while the loop waits, in the order in which it is to be taken.

type Arrival<Value> = { readonly value: Value; readonly is: "signal" | "result" };

/**
 * Instead of `Promise.race` over a signal that nobody may ever send: that would hang every result of the run on the one
 * promise, with all that the result holds.
 */
export class Arrivals<Value> {
  readonly #waiting: Arrival<Value>[] = [];
  #failed: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  /** Takes what a promise gives, once it does. A signal that is already there goes first: a cancel waits behind no result. */
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
