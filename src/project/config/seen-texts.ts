// Caches texts of files that only we write: a file is read again only if it was replaced.
import { readIfExists } from "../../host/disk.ts";
import { stampOf } from "../../host/tail.ts";

type Seen = { readonly text: string; readonly stamp: string };

/** A queue of ten thousand features is compared several times per iteration; only a few files need this. */
const filesMax = 16;

export class SeenTexts {
  readonly #seen = new Map<string, Seen>();

  read(path: string): string | null {
    const stamp = stampOf(path);
    const seen = this.#seen.get(path);
    if (seen !== undefined && seen.stamp === stamp) {
      // Recently used: others are evicted first.
      this.#seen.delete(path);
      this.#seen.set(path, seen);
      return seen.text;
    }
    const text = readIfExists(path);
    this.#keep(path, text, stamp);
    return text;
  }

  /** The text just written is the file's content, since no other process writes here. */
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
