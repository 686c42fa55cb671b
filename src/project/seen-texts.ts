// Texts of files that only we write: read again only when the file is another one than the one that was read.
import { readIfExists } from "../host/disk.ts";
import { stampOf } from "../host/tail.ts";

type Seen = { readonly text: string; readonly stamp: string };

/** A queue of ten thousand features is compared several times an iteration; the few files that this concerns are kept. */
const filesMax = 16;

export class SeenTexts {
  readonly #seen = new Map<string, Seen>();

  read(path: string): string | null {
    const stamp = stampOf(path);
    const seen = this.#seen.get(path);
    if (seen !== undefined && seen.stamp === stamp) {
      // Asked for again: others are forgotten first.
      this.#seen.delete(path);
      this.#seen.set(path, seen);
      return seen.text;
    }
    const text = readIfExists(path);
    this.#keep(path, text, stamp);
    return text;
  }

  /** What was just written is what is there: nobody else writes here. */
  remember(path: string, text: string): void {
    this.#keep(path, text, stampOf(path));
  }

  #keep(path: string, text: string | null, stamp: string | null): void {
    this.#seen.delete(path);
    if (text === null || stamp === null) return;
    this.#seen.set(path, { text, stamp });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > filesMax && oldest !== undefined) this.#seen.delete(oldest);
  }
}
