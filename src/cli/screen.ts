// Shows a run while it is driven: a live line in a terminal, plain lines in a pipe. All of it is commentary: stderr.
import type { Effect } from "../core/effect.ts";
import type { Watcher } from "../engines/local/local-run.ts";
import type { Iteration } from "../runtime/records/chronicle.ts";
import type { Story } from "../runtime/story.ts";
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
  #now: { effect: Effect | null; sinceMs: number; note: string } = { effect: null, sinceMs: Date.now(), note: "" };
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

  watcher(story: Story): Watcher {
    this.#story = story;
    this.#last = story.chronicle.iterations.at(-1);
    if (this.#live) {
      this.#timer = setInterval(() => this.#draw(), frameMs);
      this.#timer.unref();
    }
    return {
      onEffect: (effect) => {
        this.#now = { effect, sinceMs: Date.now(), note: "" };
      },
      onSign: ({ sign }) => {
        if (sign.sign === "progress" && sign.note !== undefined) this.#now.note = sign.note;
        if (sign.sign === "edit") this.#now.note = `edits ${sign.path}`;
      },
      onEvent: (event, told) => {
        this.#story = told;
        const iteration = told.chronicle.iterations.at(-1);
        this.say(...linesFor(event, told, this.#paint), ...verdictLine(this.#last, iteration, this.#paint));
        this.#last = iteration;
      },
    };
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
