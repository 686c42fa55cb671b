// What goes wrong, printed once: the same request, or the same look, may fail again and again.
import { machineTrouble } from "../core/errors.ts";

/** Texts may differ in a name or a number, so not each new one is printed. */
const textsMax = 20;

export class Printed {
  /** With those who have met it. */
  readonly #texts = new Map<string, Set<string>>();

  /** `by`: who has met it. */
  add(text: string, by = ""): void {
    const known = this.#texts.get(text);
    known?.add(by);
    if (known !== undefined || this.#texts.size >= textsMax) return;
    this.#texts.set(text, new Set([by]));
    process.stderr.write(`${text}\n`);
  }

  /** It works again for this one. Once it does for all who met it, the next such trouble is news. */
  clear(by = ""): void {
    for (const [text, met] of this.#texts) if (met.delete(by) && met.size === 0) this.#texts.delete(text);
  }
}

/** What a person can fix, in three lines; anything else with its stack. */
export function troubleText(error: unknown): string {
  const trouble = machineTrouble(error);
  if (trouble !== null) return `${trouble.what}\n${trouble.why}\nNext: ${trouble.next}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
