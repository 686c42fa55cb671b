// What people send to a run in progress, from this process (Ctrl-C, the library) or another one (loop pause).
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { signalFile } from "../../formats/kept/signal-file.ts";
import { ensureDir, isErrno, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { SignalFact } from "../../runtime/ports.ts";
import { SignalQueue } from "../../runtime/signal-queue.ts";

const pollMs = 200;
const boxOf = (runDir: string): string => join(runDir, "signals");

/** Leaves a signal for the process that drives the run. Returns its file, which is gone once it was taken. */
export function post(runDir: string, fact: SignalFact): string {
  ensureDir(boxOf(runDir));
  const name = `${String(Date.now()).padStart(15, "0")}-${randomBytes(4).toString("hex")}.json`;
  const path = join(boxOf(runDir), name);
  writeAtomic(path, JSON.stringify(fact));
  return path;
}

/** False: it was taken. */
export function takeBack(path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

/** What was left before this one and has not been taken either, in order. */
export function leftBefore(path: string): readonly SignalFact[] {
  const names = listed(dirname(path)).filter((name) => name < basename(path));
  return names.flatMap((name) => {
    const text = readIfExists(join(dirname(path), name));
    const kept = text === null ? null : signalFile.parse<SignalFact>(text);
    return kept?.ok === true ? [kept.value] : [];
  });
}

/** Signals from this process, and from files; a file stays until its signal is recorded. */
export class Signals extends SignalQueue {
  readonly #dir: string;
  readonly #files = new Map<SignalFact, string>();
  readonly #taken = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(runDir: string) {
    super();
    this.#dir = boxOf(runDir);
    this.#timer = setInterval(() => this.#collect(), pollMs);
    this.#timer.unref();
    this.#collect();
  }

  override settled(fact: SignalFact): void {
    const path = this.#files.get(fact);
    if (path === undefined) return;
    this.#files.delete(fact);
    fs.rmSync(path, { force: true });
  }

  override close(): void {
    clearInterval(this.#timer);
    super.close();
  }

  #collect(): void {
    for (const name of listed(this.#dir)) {
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      try {
        this.#read(name);
      } catch (error) {
        // One that cannot be read must not end the run.
        this.#setAside(name, error instanceof Error ? error.message : String(error));
      }
    }
  }

  #read(name: string): void {
    const path = join(this.#dir, name);
    const text = readIfExists(path);
    if (text === null) return; // Its sender has taken it back.
    const kept = signalFile.parse<SignalFact>(text);
    if (kept.ok) {
      this.#files.set(kept.value, path);
      this.send(kept.value);
    } else this.#setAside(name, kept.why);
  }

  /** A later version may have sent it, or a person by hand: it is kept, and reported once. */
  #setAside(name: string, why: string): void {
    const aside = join(this.#dir, "aside");
    ensureDir(aside);
    fs.renameSync(join(this.#dir, name), join(aside, name));
    const text = `A signal that could not be read was set aside (${why}): ${join(aside, name)}`;
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
