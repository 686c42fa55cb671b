// The bodies of requests, in the loop's own memory: bounded each, and all together.
import type { IncomingMessage } from "node:http";

const bytesMax = 64 << 20;
const togetherMax = 256 << 20;

export class Bodies {
  #held = 0;

  /** `use` gets the body; null: it is too large, or the client has left. It counts until `use` is done. */
  async read<T>(request: IncomingMessage, use: (body: Buffer | null) => T | Promise<T>): Promise<T> {
    const pieces: Buffer[] = [];
    let size = 0;
    const isWithin = (): boolean => size <= bytesMax && this.#held <= togetherMax;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        size += piece.length;
        this.#held += piece.length;
        if (!isWithin()) break;
        pieces.push(piece);
      }
    } catch {
      // The client has left: the request is not complete.
    }
    try {
      return await use(isWithin() && request.complete ? Buffer.concat(pieces) : null);
    } finally {
      this.#held -= size;
    }
  }
}
