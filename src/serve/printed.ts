// What goes wrong at a request, printed once: anybody can send the same one again, as often as they like.

/** Texts may differ in a name or a number, so not each new one is printed. */
const textsMax = 20;

export class Printed {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (this.#texts.has(text) || this.#texts.size >= textsMax) return;
    this.#texts.add(text);
    process.stderr.write(`${text}\n`);
  }

  /** It works again, so the next trouble is news. */
  clear(): void {
    this.#texts.clear();
  }
}
