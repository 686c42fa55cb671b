// Splits a stream of server-sent events into the data of each.
import { LineSplitter } from "../host/process/lines.ts";
import { type Json, objectIn } from "./json.ts";

export class Events {
  readonly #lines: LineSplitter;

  constructor(onData: (data: Json) => void) {
    this.#lines = new LineSplitter((line) => {
      if (!line.startsWith("data:")) return;
      const data = objectIn(line.slice("data:".length).trim());
      if (data !== null) onData(data);
    }, 16 << 20);
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }
}
