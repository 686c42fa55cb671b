// What people send to a run in progress, from this process (Ctrl-C, the library) or another one (loop pause).
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { isSignalType } from "../../core/event.ts";
import { ensureDir, isErrno, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { SignalFact } from "../../runtime/ports.ts";

const pollMs = 200;
const boxOf = (runDir: string): string => join(runDir, "signals");

/** Leaves a signal for the process that drives the run. */
export function post(runDir: string, fact: SignalFact): void {
  ensureDir(boxOf(runDir));
  const name = `${String(Date.now()).padStart(15, "0")}-${randomBytes(4).toString("hex")}.json`;
  writeAtomic(join(boxOf(runDir), name), JSON.stringify(fact));
}

/** Signals in the order they came; each is taken once, and stays on disk until it is recorded. */
export class Signals {
  readonly #dir: string;
  readonly #files = new Map<SignalFact, string>();
  readonly #taken = new Set<string>();
  readonly #queue: SignalFact[] = [];
  #waiting: ((fact: SignalFact) => void) | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(runDir: string) {
    this.#dir = boxOf(runDir);
    this.#timer = setInterval(() => this.#collect(), pollMs);
    this.#timer.unref();
    this.#collect();
  }

  send(fact: SignalFact): void {
    this.#queue.push(fact);
    this.#deliver();
  }

  next(): Promise<SignalFact> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#deliver();
    });
  }

  /** The signal is in the journal now: a crash can no longer lose it. */
  settled(fact: SignalFact): void {
    const path = this.#files.get(fact);
    if (path === undefined) return;
    this.#files.delete(fact);
    fs.rmSync(path, { force: true });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#waiting = null;
  }

  #deliver(): void {
    const fact = this.#waiting === null ? undefined : this.#queue.shift();
    if (fact === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(fact);
  }

  #collect(): void {
    for (const name of listed(this.#dir)) {
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      const path = join(this.#dir, name);
      const text = readIfExists(path);
      const fact = text === null ? null : parsed(text);
      if (fact === null) this.#setAside(name);
      else {
        this.#files.set(fact, path);
        this.send(fact);
      }
    }
  }

  /** A later version may have sent it, or a person by hand: it is kept, and reported once. */
  #setAside(name: string): void {
    const aside = join(this.#dir, "aside");
    ensureDir(aside);
    fs.renameSync(join(this.#dir, name), join(aside, name));
    const text = `A signal that could not be read was set aside: ${join(aside, name)}`;
    this.send({ type: "noted", about: "signal", text });
  }
}

function listed(dir: string): string[] {
  try {
    return fs
      .readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

/** Null: this version knows no such signal. */
function parsed(text: string): SignalFact | null {
  try {
    const value: unknown = JSON.parse(text);
    const type = typeof value === "object" && value !== null && "type" in value ? value.type : null;
    return typeof type === "string" && isSignalType(type) ? (value as SignalFact) : null;
  } catch {
    return null;
  }
}
