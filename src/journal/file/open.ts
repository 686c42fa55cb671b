// Opens a journal on disk: reads its past, repairs what a crash or an agent did to it, and takes new events.
import * as fs from "node:fs";
import { resolve } from "node:path";
import { Bug, type UserError } from "../../core/errors.ts";
import { ensureDir, readBytesIfExists, syncDir, writeAtomic } from "../../host/disk.ts";
import { readChain } from "../chain.ts";
import type { Journal, JournalNotice } from "../journal.ts";
import { encodeLine, firstLink, type Link } from "../line.ts";
import { notWritten, orUserError } from "./errors.ts";
import { MirrorDir } from "./mirror-dir.ts";
import { type Found, findPast } from "./past.ts";
import { journalIn, keepBeside, keptAt } from "./paths.ts";
import { releaseReserve, setReserve } from "./reserve.ts";
import type { Settled } from "./settle.ts";
import { writeSnapshot } from "./snapshot-file.ts";
import { TwinFile } from "./twin-file.ts";
import { VaultFile } from "./vault-file.ts";

export type FileJournalOptions<Event> = {
  /** Out of the agent's reach: the authoritative copy. One writer at a time; the caller holds the lock. */
  vaultDir: string;
  /** In the workspace: the twin. */
  mirrorDir: string;
  /** Below this folder the path to the twin may contain no link; otherwise nothing is written. */
  workspaceDir?: string;
  run: string;
  /** Parses an event, or throws a UserError for one that this release does not know. */
  parse: (json: unknown) => Event;
  /** The counterpart of `parse`: what to store for an event, if not the event itself. */
  pack?: (event: Event) => unknown;
  /** Must change whenever this release would misread an earlier release's state. */
  stateVersion: number;
  /** The run starts now: an existing twin cannot be its past, and is set aside. */
  fresh?: boolean;
};

export interface FileJournal<Event, State> extends Journal<Event, State> {
  /** True once the disk was full: the remaining space is for the event that ends the run. */
  readonly reserveSpent: boolean;
}

export function openFileJournal<Event, State>(options: FileJournalOptions<Event>): FileJournal<Event, State> {
  const { vaultDir, mirrorDir, workspaceDir, fresh = false } = options;
  if (resolve(vaultDir) === resolve(mirrorDir)) throw new Bug("a journal and its twin need two folders");
  const mirror = new MirrorDir(mirrorDir, workspaceDir);
  const found: Found<State> = fresh ? nothing(options) : findPast(options, options.stateVersion);
  const chain = found.is === "tail" ? found.chain : found.settled.chain;
  // Parsed before any repair, so that a release that cannot read a journal does not touch it.
  const events = chain.events.map(options.parse);
  const notices: JournalNotice[] = found.is === "tail" ? [] : found.notices;
  return orUserError(notWritten, journalIn(vaultDir), () => {
    ensureDir(vaultDir);
    syncDir(resolve(vaultDir, ".."));
    if (found.is === "whole") carryOut(found.settled, vaultDir, notices);
    const vault = new VaultFile(journalIn(vaultDir));
    const twin = new TwinFile(mirror, vault, vaultDir, notices);
    if (found.is === "tail") twin.adoptByTail(Math.max(0, found.snapshot.offset - tailCompared));
    twin.catchUp(0);
    const snapshot = found.is === "tail" ? found.snapshot.state : null;
    const past = { snapshot, events, seq: chain.last.seq };
    return new OpenJournal({ options, vault, twin, last: chain.last, past, notices });
  });
}

/** How much of the history before a snapshot is compared between the copies: a page, for any length. */
const tailCompared = 4096;

function nothing<State>({ vaultDir, run }: { vaultDir: string; run: string }): Found<State> {
  if ((readBytesIfExists(journalIn(vaultDir))?.length ?? 0) > 0) {
    throw new Bug(`run ${run} is not new: it has a journal at ${vaultDir}`);
  }
  const bytes = Buffer.alloc(0);
  return { is: "whole", settled: { bytes, chain: readChain(bytes, firstLink(run)), how: { is: "kept" } }, notices: [] };
}

function carryOut({ bytes, how }: Settled, vaultDir: string, notices: JournalNotice[]): void {
  const path = journalIn(vaultDir);
  if (how.is === "kept") return;
  if (how.is === "cut") {
    const kept = keptAt(keepBeside(vaultDir, "events.jsonl.torn-", "", how.torn));
    fs.truncateSync(path, bytes.length);
    notices.push({ kind: "torn-tail-dropped", text: `The last line was cut short by a crash and dropped. ${kept}` });
    return;
  }
  const spoiled = how.spoiled !== null && how.spoiled.length > 0 ? how.spoiled : null;
  const kept = spoiled === null ? "" : keptAt(keepBeside(vaultDir, "events.jsonl.damaged-", "", spoiled));
  writeAtomic(path, bytes);
  notices.push({ kind: "vault-restored", text: `The journal was restored from its copy: ${how.why}. ${kept}`.trim() });
}

type Parts<Event, State> = {
  options: FileJournalOptions<Event>;
  vault: VaultFile;
  twin: TwinFile;
  last: Link;
  past: Journal<Event, State>["past"];
  notices: JournalNotice[];
};

class OpenJournal<Event, State> implements FileJournal<Event, State> {
  readonly past: Journal<Event, State>["past"];
  readonly notices: JournalNotice[];
  readonly #options: FileJournalOptions<Event>;
  readonly #vault: VaultFile;
  readonly #twin: TwinFile;
  #last: Link;
  #reserved: boolean;
  #failed: UserError | null = null;
  #closed = false;

  constructor({ options, vault, twin, last, past, notices }: Parts<Event, State>) {
    this.#options = options;
    this.#vault = vault;
    this.#twin = twin;
    this.#last = last;
    this.past = past;
    this.notices = notices;
    this.#reserved = setReserve(options.vaultDir);
  }

  get reserveSpent(): boolean {
    return !this.#reserved;
  }

  // Synchronous: the run has to wait until the event is on disk anyway, and lines cannot overtake each other.
  async append(event: Event): Promise<number> {
    this.#mustBeOpen();
    if (this.#failed !== null) throw this.#failed;
    let line: ReturnType<typeof encodeLine>;
    try {
      line = encodeLine(this.#options.pack?.(event) ?? event, this.#last);
      if (this.#vault.putBackIfMoved()) this.#tellPutBack();
      this.#vault.append(line.bytes, () => this.#release());
    } catch (error) {
      if (error instanceof Bug) throw error;
      this.#failed = notWritten(this.#vault.path, error);
      throw this.#failed;
    }
    this.#last = line.link;
    this.#twin.catchUp(1);
    return line.link.seq;
  }

  async snapshot(state: State): Promise<void> {
    this.#mustBeOpen();
    if (this.#failed !== null) throw this.#failed;
    const { vaultDir, stateVersion } = this.#options;
    this.#twin.sync();
    try {
      writeSnapshot(vaultDir, stateVersion, { state, link: this.#last, offset: this.#vault.length });
    } catch (error) {
      this.notices.push({ kind: "snapshot-ignored", text: `A snapshot could not be written: ${error}` });
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#twin.sync();
    this.#twin.close();
    this.#vault.close();
  }

  #release(): boolean {
    this.#reserved = false;
    return releaseReserve(this.#options.vaultDir);
  }

  #tellPutBack(): void {
    this.notices.push({ kind: "vault-restored", text: `The journal had been moved or removed, and was put back.` });
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new Bug("the journal is closed");
  }
}
