// Drives an open run under its terms, and publishes its items to all subscribers.
import { gateOf } from "../core/gates.ts";
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import { Channel } from "./channel.ts";
import type { Changes, Item, Receipt, Terms } from "./engine.ts";
import { type Recorder, resume } from "./resume.ts";
import type { Running } from "./running.ts";

/** A reader that is this far behind misses what agents are seen to do. Events are never left out. */
const behindMax = 1000;

export class Driven {
  readonly run: Running;
  /** Resolves when the run is closed; never rejects. */
  readonly over: Promise<void>;
  readonly #close: () => Promise<void>;
  readonly #readers = new Set<Reader>();
  readonly #left: Promise<void>;
  #leave: () => void = () => undefined;
  /** The run as it came to rest. A signal that changes it ends the rest. */
  #resting: Run | null = null;
  #failure: { readonly error: unknown } | null = null;

  /** `onItem` sees everything that subscribers see. */
  constructor(held: { run: Running; close(): Promise<void> }, terms: Terms, onItem: (item: Item) => void) {
    this.run = held.run;
    this.#close = () => held.close();
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    const tell = (item: Item): void => {
      for (const reader of this.#readers) reader.tell(item);
      onItem(item);
    };
    this.run.watch({
      onEvent: (event, seq) => tell({ type: "event", event, seq }),
      onSign: (seen) => {
        // Most lines of an agent only show that it lives. There can be millions.
        if (seen.sign.sign !== "progress" || seen.sign.note !== undefined) tell({ type: "sign", ...seen });
      },
    });
    this.over = this.#go(terms, tell).then(
      () => this.#end(tell),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The run is no longer attended: it is closed when it rests. */
  leave(): void {
    this.#leave();
  }

  /** `past`: what the subscriber has missed. */
  subscribe(past: readonly Item[]): Channel<Item> {
    const channel: Channel<Item> = new Channel(() => void this.#readers.delete(reader));
    const reader = new Reader(channel);
    for (const item of past) reader.tell(item);
    if (this.#resting === this.run.story.run) reader.tell({ type: "rest" });
    if (this.#failure !== null) channel.fail(this.#failure.error);
    else this.#readers.add(reader);
    return channel;
  }

  /** Resumes the run with a person's changes. `taken` is false if it was closed first. */
  async resume(changes: Changes | undefined): Promise<Pick<Receipt, "taken" | "from" | "changes">> {
    const { run } = this;
    const from = run.seq;
    let taken = true;
    const record: Recorder = async (fact) => {
      const isOnRecord = await run.deliver(fact);
      taken = isOnRecord && taken;
      return isOnRecord;
    };
    const seen = await resume(run, changes, record);
    return { taken, from, changes: seen };
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  async #go({ wait, attended }: Terms, tell: (item: Item) => void): Promise<void> {
    const { run } = this;
    try {
      for (;;) {
        await run.drive({ wait: wait && !run.plan.stopAtLimit });
        if (next(run.story.run) !== null || run.story.run.now.is === "stopped") return;
        // At a gate, an answer can also come by a button on a phone.
        if (!attended && !(wait && run.takesAnswers && gateOf(run.story.run) !== null)) return;
        this.#resting = run.story.run;
        tell({ type: "rest" });
        if (!(await run.stirs(this.#left))) return;
        this.#resting = null;
      }
    } finally {
      await this.#close();
    }
  }

  #end(tell: (item: Item) => void): void {
    tell({ type: "rest" });
    for (const { channel } of [...this.#readers]) channel.end();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    for (const { channel } of [...this.#readers]) channel.fail(error);
  }
}

class Reader {
  readonly channel: Channel<Item>;
  #seq = 0;

  constructor(channel: Channel<Item>) {
    this.channel = channel;
  }

  /** An event is on disk before it is published, so a new reader may have it already. */
  tell(item: Item): void {
    if (item.type === "sign" && this.channel.behind >= behindMax) return;
    if (item.type === "event" && item.seq <= this.#seq) return;
    if (item.type === "event" || item.type === "story") this.#seq = item.seq;
    this.channel.push(item);
  }
}
