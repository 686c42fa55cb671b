// Who asked for what, from where, and what became of it: two lines for each action, the first before anything is done.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { statIfExists } from "../host/disk.ts";

export type Asked = {
  readonly who: string;
  readonly from: string;
  readonly action: string;
  readonly workspace?: string;
  readonly run?: string;
};

/** Above this the file is set aside, with one earlier one kept. */
const bytesMax = 16 << 20;

/** What a token may not do is written once in this time: a flood of it must not push other lines out. */
const refusedEveryMs = 60_000;

export class Audit {
  readonly #path: string;
  readonly #refusedAt = new Map<string, number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns what to call with the result. */
  begin(asked: Asked): (result: string) => void {
    const id = randomBytes(6).toString("hex");
    this.#write({ id, ...asked });
    return (result) => this.#write({ id, result });
  }

  refused(asked: Asked): void {
    const key = `${asked.who} ${asked.action}`;
    const now = Date.now();
    if (now - (this.#refusedAt.get(key) ?? Number.NEGATIVE_INFINITY) < refusedEveryMs) return;
    this.#refusedAt.set(key, now);
    this.begin(asked)("refused");
  }

  #write(line: object): void {
    if ((statIfExists(this.#path)?.size ?? 0) > bytesMax) fs.renameSync(this.#path, `${this.#path}.1`);
    const text = `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`;
    fs.appendFileSync(this.#path, text, { mode: 0o600, flush: true });
  }
}
