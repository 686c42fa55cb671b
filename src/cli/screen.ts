// Shows a run while it is driven: a live line in a terminal, plain lines in a pipe. All of it is commentary: stderr.
import { next } from "../core/next.ts";
import type { Item } from "../engines/engine.ts";
import type { Iteration } from "../report/chronicle.ts";
import type { Story } from "../report/story.ts";
import { linesFor, verdictLine } from "./render/events.ts";
import { type Live, liveLine } from "./render/live.ts";
import type { Paint } from "./render/paint.ts";
import { wrapped } from "./render/wrap.ts";

const frameMs = 120;

export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #paint: Paint;
  readonly #live: boolean;
  readonly #quiet: boolean;
  #now: Omit<Live, "frame"> = { effect: null, sinceMs: Date.now(), note: "" };
  #story: Story | null = null;
  #last: Iteration | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { out: NodeJS.WriteStream; paint: Paint; quiet: boolean }) {
    this.#out = options.out;
    this.#paint = options.paint;
    this.#quiet = options.quiet;
    this.#live = options.out.isTTY === true && !options.quiet && process.env["TERM"] !== "dumb";
  }

  show(item: Item, story: Story): void {
    this.#story = story;
    switch (item.type) {
      case "story":
        this.#last = story.chronicle.iterations.at(-1);
        this.#begin(story);
        break;
      case "event": {
        const iteration = story.chronicle.iterations.at(-1);
        this.say(...linesFor(item.event, story, this.#paint), ...verdictLine(this.#last, iteration, this.#paint));
        this.#last = iteration;
        this.#begin(story);
        break;
      }
      case "sign":
        if (item.sign.sign === "progress" && item.sign.note !== undefined) this.#note(item.sign.note);
        if (item.sign.sign === "edit") this.#note(`edits ${item.sign.path}`);
        break;
      default:
    }
  }

  /** Shows what is done now; nothing more if it is the same as before. */
  #begin({ run }: Story): void {
    const effect = next(run);
    if (effect?.key !== this.#now.effect?.key) this.#now = { effect, sinceMs: Date.now(), note: "" };
    if (this.#live && this.#timer === null) {
      this.#timer = setInterval(() => this.#draw(), frameMs);
      this.#timer.unref();
    }
  }

  #note(note: string): void {
    this.#now = { ...this.#now, note };
  }

  say(...lines: readonly string[]): void {
    if (this.#quiet || lines.length === 0) return;
    this.#clear();
    this.#out.write(`${wrapped(lines.join("\n"), this.#out.isTTY === true ? this.#out.columns : undefined)}\n`);
    this.#draw();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#clear();
  }

  #draw(): void {
    if (this.#timer === null || this.#story === null) return;
    const live: Live = { ...this.#now, frame: this.#frame++ };
    this.#out.write(`\r\u001b[2K${this.#paint.dim(liveLine(this.#story, live, Date.now(), this.#out.columns || 80))}`);
  }

  #clear(): void {
    if (this.#timer !== null || this.#live) this.#out.write("\r\u001b[2K");
  }
}
