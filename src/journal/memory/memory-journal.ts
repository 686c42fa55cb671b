// A journal in memory, for tests and simulated worlds: the same contract, with a disk that fails and crashes on demand.
import { Bug, UserError } from "../../core/errors.ts";
import { readChain } from "../chain.ts";
import type { Journal, JournalNotice } from "../journal.ts";
import { encodeLine, firstLink, type Link } from "../line.ts";

/** The outcome of one append. `lost` and `kept-unsaid` crash the process: before and after the write. */
export type AppendFate = "written" | "lost" | "kept-unsaid" | "disk-full";
export type MemoryFaults = {
  onAppend?: (seq: number) => AppendFate;
  /** False: the snapshot is not written, as when a crash comes first. */
  onSnapshot?: (seq: number) => boolean;
};

/** The process died here. Only simulated worlds throw and catch it. */
export class MemoryCrash extends Error {
  override readonly name = "MemoryCrash";
}

export type MemoryOpening<Event> = { parse: (json: unknown) => Event; stateVersion: number };

/** Outlives the journals opened on it, like a disk outlives processes. */
export class MemoryDisk<Event, State> {
  readonly #run: string;
  readonly #faults: MemoryFaults;
  readonly #lines: Buffer[] = [];
  #snapshot: { stateVersion: number; link: Link; json: string } | null = null;
  #life = 0;

  constructor(run: string, faults: MemoryFaults = {}) {
    this.#run = run;
    this.#faults = faults;
  }

  /** Kills the process that has the journal open. Unacknowledged events are lost; acknowledged ones are kept. */
  crash(): void {
    this.#life += 1;
  }

  open({ parse, stateVersion }: MemoryOpening<Event>): Journal<Event, State> {
    const life = ++this.#life;
    const saved = this.#snapshot;
    const used = saved?.stateVersion === stateVersion ? saved : null;
    const from = used?.link ?? firstLink(this.#run);
    const chain = readChain(Buffer.concat(this.#lines.slice(from.seq)), from);
    if (chain.flaw !== null) throw new Bug(`memory does not rot: ${chain.flaw.why}`);
    const snapshot = used === null ? null : (JSON.parse(used.json) as State);
    const past = { snapshot, events: chain.events.map(parse), seq: chain.last.seq };
    const notices: JournalNotice[] =
      saved === used ? [] : [{ kind: "snapshot-ignored", text: "The snapshot is of another version." }];
    return this.#journal({ life, stateVersion, past, notices, last: chain.last });
  }

  #journal(start: Start<Event, State>): Journal<Event, State> {
    let { last } = start;
    let ended: Error | null = null;
    let queue: Promise<unknown> = Promise.resolve();
    const alive = () => {
      if (start.life !== this.#life) ended = new MemoryCrash("the process is dead");
      if (ended !== null) throw ended;
    };
    const write = (event: Event): number => {
      alive();
      const line = encodeLine(event, last);
      const fate = this.#faults.onAppend?.(line.link.seq) ?? "written";
      if (fate === "disk-full") ended = diskFull();
      alive();
      if (fate !== "lost") this.#lines.push(line.bytes);
      if (fate !== "written") this.crash();
      alive();
      last = line.link;
      return line.link.seq;
    };
    const save = (json: string) => {
      alive();
      if (this.#faults.onSnapshot?.(last.seq) === false) return;
      this.#snapshot = { stateVersion: start.stateVersion, link: last, json };
    };
    // One at a time and always asynchronous, so that a crash can come between a call and its result.
    const inTurn = <Result>(body: () => Result): Promise<Result> => {
      const result = queue.then(body);
      queue = result.catch(() => undefined);
      return result;
    };
    return {
      past: start.past,
      notices: start.notices,
      append: async (event) => {
        const asGiven = JSON.parse(JSON.stringify(event)) as Event; // Its current value, as a line can hold it.
        return inTurn(() => write(asGiven));
      },
      snapshot: async (state) => {
        const json = JSON.stringify(state); // Now: it may change before its turn comes.
        return inTurn(() => save(json));
      },
      close: () =>
        inTurn(() => {
          ended ??= new Bug("the journal is closed");
        }),
    };
  }
}

type Start<Event, State> = {
  life: number;
  stateVersion: number;
  past: Journal<Event, State>["past"];
  notices: JournalNotice[];
  last: Link;
};

function diskFull(): UserError {
  return new UserError("journal-not-written", {
    what: "The journal could not be written, so the run cannot go on.",
    why: "The disk is full.",
    next: "Make room, then run: loop continue",
  });
}
