// Splits bytes into lines, in bounded memory.

const lineBytesMax = 1 << 20;

export type OnLine = (text: string, cut: boolean) => void;

/** Splits at "\n". For a line past the bound only the beginning is emitted; the rest is dropped. */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #size = 0;
  #dropping = false;

  constructor(onLine: OnLine, bytesMax = lineBytesMax) {
    this.#onLine = onLine;
    this.#bytesMax = bytesMax;
  }

  /** The chunk may be reused by the caller afterwards. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, end), true);
      this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from), false);
  }

  /** Emits the text after the last line end. */
  end(): void {
    if (this.#size > 0) this.#finish();
    this.#dropping = false;
  }

  #take(bytes: Buffer, borrowed: boolean): void {
    if (this.#dropping) return;
    const room = this.#bytesMax - this.#size;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    // The rest of a line may arrive much later, when the chunk has been reused.
    this.#parts.push(borrowed ? kept : Buffer.from(kept));
    this.#size += kept.length;
    if (bytes.length <= room) return;
    this.#emit(true);
    this.#dropping = true;
  }

  #finish(): void {
    if (!this.#dropping) this.#emit(false);
    this.#dropping = false;
  }

  #emit(cut: boolean): void {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    const end = bytes[bytes.length - 1] === 13 && !cut ? bytes.length - 1 : bytes.length;
    this.#onLine(bytes.toString("utf8", 0, end), cut); // Invalid bytes become U+FFFD.
  }
}
