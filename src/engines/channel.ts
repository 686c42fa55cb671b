// An asynchronous queue with one reader.

export class Channel<Value> implements AsyncIterableIterator<Value> {
  readonly #values: Value[] = [];
  readonly #onClose: () => void;
  #waiting: { resolve(result: IteratorResult<Value>): void; reject(error: unknown): void } | null = null;
  #end: { readonly error: unknown } | "well" | null = null;

  /** `onClose` is called once: when the values end, or when the reader leaves. */
  constructor(onClose: () => void = () => undefined) {
    this.#onClose = onClose;
  }

  push(value: Value): void {
    if (this.#end !== null) return;
    if (this.#waiting === null) this.#values.push(value);
    else this.#take()?.resolve({ done: false, value });
  }

  /** How many values the reader has not taken yet. */
  get behind(): number {
    return this.#values.length;
  }

  end(): void {
    this.#close("well");
  }

  fail(error: unknown): void {
    this.#close({ error });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Value>> {
    const value = this.#values.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#end === "well") return { done: true, value: undefined };
    if (this.#end !== null) throw this.#end.error;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  async return(): Promise<IteratorResult<Value>> {
    this.#values.length = 0;
    this.#close("well");
    return { done: true, value: undefined };
  }

  #close(end: { readonly error: unknown } | "well"): void {
    if (this.#end !== null) return;
    this.#end = end;
    const waiting = this.#take();
    if (end === "well") waiting?.resolve({ done: true, value: undefined });
    else waiting?.reject(end.error);
    this.#onClose();
  }

  #take() {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}
