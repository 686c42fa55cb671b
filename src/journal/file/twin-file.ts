// The journal's twin in the workspace. An agent can reach it, so each append first checks that it is unchanged.
import * as fs from "node:fs";
import { join } from "node:path";
import { lstatExactly, writeAtomic } from "../../host/disk.ts";
import type { JournalNotice } from "../journal.ts";
import { compareTwin, readTwin } from "./compare-twin.ts";
import type { MirrorDir } from "./mirror-dir.ts";
import { journalIn, keepBeside, keptAt } from "./paths.ts";
import { readRange, type VaultFile, writeAt } from "./vault-file.ts";

type Signature = { ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint };

export class TwinFile {
  readonly #dir: MirrorDir;
  readonly #path: string;
  readonly #vault: VaultFile;
  readonly #vaultDir: string;
  readonly #notices: JournalNotice[];
  #fd: number | null = null;
  #length = 0;
  #left: Signature | null = null;
  #failing = false;
  #unsynced = false;

  constructor(dir: MirrorDir, vault: VaultFile, vaultDir: string, notices: JournalNotice[]) {
    this.#dir = dir;
    this.#path = journalIn(dir.path);
    this.#vault = vault;
    this.#vaultDir = vaultDir;
    this.#notices = notices;
  }

  /** Accepts the twin if size and tail match the vault: the cost of opening must not grow with history. */
  adoptByTail(from: number): void {
    if (!this.#dir.isReal()) return;
    const there = lstatExactly(this.#path);
    if (!there?.isFile() || there.size !== BigInt(this.#vault.length)) return;
    this.#adopt(this.#vault.length);
    const tail = this.#fd === null ? null : readRange(this.#fd, from, this.#vault.length);
    if (!tail?.equals(this.#vault.read(from, this.#vault.length))) this.close();
  }

  /**
   * Updates the twin to the vault, which has just got `newLines` more. A failure is reported once, and is not an error:
   * the vault is authoritative.
   */
  catchUp(newLines: number): void {
    try {
      if (!this.#isAsWeLeftIt()) this.#repair(newLines);
      this.#writeRest();
      if (this.#failing) this.#tell("copy-restored", `The copy at ${this.#path} is whole again.`);
      this.#failing = false;
    } catch (error) {
      this.close();
      if (!this.#failing) this.#tell("copy-not-written", `The copy at ${this.#path} could not be written: ${error}`);
      this.#failing = true;
    }
  }

  /**
   * Synced only now and then: the vault's line is on disk first, so that a power cut costs the twin only some lines at
   * its end, which are restored from the vault.
   */
  sync(): void {
    if (this.#fd === null || !this.#unsynced) return;
    this.#unsynced = false;
    try {
      fs.fdatasyncSync(this.#fd);
    } catch (error) {
      this.close();
      this.#tell("copy-not-written", `The copy at ${this.#path} could not be written: ${error}`);
      this.#failing = true;
    }
  }

  close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
    this.#fd = null;
    this.#left = null;
  }

  #isAsWeLeftIt(): boolean {
    if (this.#left === null || !this.#dir.isReal()) return false;
    const there = lstatExactly(this.#path);
    return there !== undefined && sameSignature(there, this.#left);
  }

  #writeRest(): void {
    if (this.#fd === null) throw new Error("it could not be opened");
    if (this.#length === this.#vault.length) return;
    writeAt(this.#fd, this.#vault.read(this.#length, this.#vault.length), this.#length);
    this.#unsynced = true;
    this.#length = this.#vault.length;
    this.#left = fs.fstatSync(this.#fd, { bigint: true });
  }

  #repair(newLines: number): void {
    this.close();
    this.#dir.ensure();
    const truth = this.#vault.read(0, this.#vault.length);
    const found = readTwin(this.#path, truth.length, this.#vault.ino);
    const state = compareTwin(found, truth);
    // A prefix needs only the rest.
    if (state.is === "start" && this.#adopt(state.length)) {
      const lost = state.linesMissing - newLines;
      if (lost > 0 && !this.#failing) this.#tellRestored(`Lines were missing at its end: ${lost}.`);
      return;
    }
    if (state.is === "altered") this.#setAside(found.is === "file" ? found.bytes : null, state.why);
    writeAtomic(this.#path, truth);
    if (state.is !== "altered" && truth.length > 0 && !this.#failing) this.#tellRestored("It was missing or torn.");
    this.#adopt(truth.length);
  }

  /** The replacement may be anything; if it cannot be read as a file it is moved, never followed. */
  #setAside(bytes: Buffer | null, why: string): void {
    let where: string;
    if (bytes !== null) {
      where = keptAt(keepBeside(this.#vaultDir, "copy-altered-", ".jsonl", bytes));
    } else {
      const aside = join(this.#dir.path, `events.jsonl.altered-${process.hrtime.bigint()}`);
      fs.renameSync(this.#path, aside);
      where = keptAt(aside);
    }
    this.#tell("copy-altered", `The copy at ${this.#path} was altered: ${why}. The vault's journal stands. ${where}`);
  }

  #adopt(length: number): boolean {
    const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    this.#fd = fs.openSync(this.#path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    this.#left = fs.fstatSync(this.#fd, { bigint: true });
    this.#length = length;
    if (this.#left.size === BigInt(length) && this.#left.ino !== this.#vault.ino) return true;
    this.close();
    return false;
  }

  #tellRestored(why: string): void {
    this.#tell("copy-restored", `The copy at ${this.#path} was rebuilt from the vault. ${why}`);
  }

  #tell(kind: JournalNotice["kind"], text: string): void {
    this.#notices.push({ kind, text });
  }
}

const sameSignature = (a: Signature, b: Signature): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
