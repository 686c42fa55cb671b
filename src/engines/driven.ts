// Drives an open run under its terms, and publishes its items to all subscribers.
import { gateOf } from "../core/gates.ts";
import { next } from "../core/next.ts";
import { Channel } from "./channel.ts";
import type { Item, Terms } from "./engine.ts";
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
  #isAtRest = false;
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
    if (this.#isAtRest) reader.tell({ type: "rest" });
    if (this.#failure !== null) channel.fail(this.#failure.error);
    else this.#readers.add(reader);
    return channel;
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
        this.#isAtRest = true;
        tell({ type: "rest" });
        if (!(await run.stirs(this.#left))) return;
        this.#isAtRest = false;
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
