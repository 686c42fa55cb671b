// Follows a journal that another process writes: each look reads only the bytes since the last one.
import * as fs from "node:fs";
import { isErrno } from "../../host/disk.ts";
import { readChain } from "../chain.ts";
import { firstLink, type Link } from "../line.ts";
import { journalIn } from "./paths.ts";
import { readRange } from "./vault-file.ts";

/** New lines; `after` is the number of the line before them. */
export type News<Event> = { readonly after: number; readonly events: readonly Event[] };

export class JournalTail<Event> {
  readonly #path: string;
  readonly #first: Link;
  readonly #parse: (json: unknown) => Event;
  #last: Link;
  #offset = 0;

  constructor(vaultDir: string, run: string, parse: (json: unknown) => Event) {
    this.#path = journalIn(vaultDir);
    this.#first = firstLink(run);
    this.#last = this.#first;
    this.#parse = parse;
  }

  /** From the first line again if the file is another one now. Null: only a full read can tell what is in it. */
  read(): News<Event> | null {
    const news = this.#since();
    if (news !== null || this.#offset === 0) return news;
    this.#offset = 0;
    this.#last = this.#first;
    return this.#since();
  }

  #since(): News<Event> | null {
    const bytes = this.#bytes();
    if (bytes === null) return null;
    const { events, last, length, flaw } = readChain(bytes, this.#last);
    // A torn line is still being written.
    if (flaw !== null && flaw.kind !== "torn") return null;
    const news = { after: this.#last.seq, events: events.map(this.#parse) };
    this.#last = last;
    this.#offset += length;
    return news;
  }

  /** Null: it is missing, or shorter than what was read. */
  #bytes(): Buffer | null {
    let fd: number;
    try {
      fd = fs.openSync(this.#path, "r");
    } catch (error) {
      if (isErrno(error, "ENOENT")) return null;
      throw error;
    }
    try {
      const { size } = fs.fstatSync(fd);
      return size < this.#offset ? null : readRange(fd, this.#offset, size);
    } finally {
      fs.closeSync(fd);
    }
  }
}
