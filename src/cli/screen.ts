// Shows a run while it is driven: a live area in a terminal, plain lines elsewhere. All of it is commentary: stderr.
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import type { Engine, Item } from "../engines/engine.ts";
import { lastOf, type PastSessions, pastSessions } from "../engines/past-sessions.ts";
import { stepOf } from "../engines/step.ts";
import type { Iteration } from "../report/chronicle.ts";
import { noticesOf } from "../report/notices.ts";
import type { Story } from "../report/story.ts";
import { type Activity, deedOf, saw } from "../runtime/activity.ts";
import { LiveArea } from "./live-area.ts";
import { answeredLines, linesFor, resumedLines, row, verdictLine, waitingLines } from "./render/events.ts";
import { deedText, type Live, liveLines } from "./render/live.ts";
import type { Paint } from "./render/paint.ts";
import { wrapped } from "./render/wrap.ts";
import { printable } from "./terminal.ts";
import { type Attract, bell, giveTitleBack, keepTitle, titleOf } from "./terminal-notices.ts";

const frameMs = 120;
/** How many frames there are between two looks at the step. */
const stepFrames = 4;

export type ScreenOptions = {
  readonly out: NodeJS.WriteStream;
  readonly paint: Paint;
  /** `live`: redraws its last lines. `lines`: prints lines only. `quiet`: prints nothing. */
  readonly mode: "live" | "lines" | "quiet";
  /** In `lines`: also what agents are seen to do, a line each. */
  readonly isDetailed?: boolean;
  /** It joins a run that another process drives: what it does now began with the last event. */
  readonly joins?: boolean;
  /** In `live`: whether the terminal's bell and title are used. */
  readonly attract?: Attract;
};

export class Screen {
  readonly #options: ScreenOptions;
  readonly #area: LiveArea;
  #effect: Live["effect"] = null;
  #sinceMs = Date.now();
  #activity: Activity | null = null;
  #past: PastSessions = [];
  #step: string | null = null;
  #readStep: ((run: Run) => Promise<string | null>) | null = null;
  #isDetailed = false;
  #story: Story | null = null;
  #last: Iteration | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | null = null;
  #title = "";
  /** What was told; null: not yet known what holds already. */
  #told: Set<string> | null = null;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#area = new LiveArea(options.out, (line) => options.paint.dim(line));
  }

  show(item: Item, story: Story): void {
    const before = this.#story;
    this.#story = story;
    switch (item.type) {
      case "story":
        this.#last = story.chronicle.iterations.at(-1);
        if (this.#options.joins !== true) this.say(...resumedLines(story, this.#options.paint));
        // A live area shows it all the time.
        if (this.#options.mode === "lines") this.say(...waitingLines(story.run.now, this.#options.paint));
        this.#told = new Set(noticesOf(story.run, new Set(), Date.now()).map(({ key }) => key));
        this.#begin(story, this.#options.joins === true ? story.chronicle.lastAt : Date.now());
        break;
      case "event": {
        const { paint } = this.#options;
        const iteration = story.chronicle.iterations.at(-1);
        // First, so that a session that has ended and is paid for is not added to the sum once more.
        this.#begin(story, item.event.at);
        this.say(
          ...linesFor(item.event, story, paint),
          ...answeredLines(before?.run ?? null, story.run, paint),
          ...verdictLine(this.#last, iteration, paint),
        );
        this.#last = iteration;
        this.#ring(story);
        break;
      }
      case "sign": {
        const deed =
          this.#options.isDetailed === true ? deedOf({ tool: this.#activity?.tool ?? null }, item.sign) : null;
        if (deed !== null && deed.is !== "compacted") this.say(row(item.role, deedText(deed)));
        this.#activity = saw(this.#activity, item);
        break;
      }
      default:
    }
  }

  /** The bell, once for each thing that a person may wait for. */
  #ring({ run }: Story): void {
    if (this.#options.mode !== "live" || this.#told === null) return;
    const notices = noticesOf(run, this.#told, Date.now());
    for (const { key } of notices) this.#told.add(key);
    if (notices.length > 0 && this.#options.attract?.bell === true) this.#options.out.write(bell);
    const title = notices.at(-1)?.title;
    if (title !== undefined) this.#entitle(title);
  }

  #entitle(text: string): void {
    const { mode, out, attract } = this.#options;
    if (mode !== "live" || attract?.title !== true || text === this.#title) return;
    out.write(`${this.#title === "" ? keepTitle : ""}${titleOf(`loop: ${text}`)}`);
    this.#title = text;
  }

  /** How long earlier sessions took, once that is known. */
  expect(past: PastSessions): void {
    this.#past = past;
  }

  /** How to find out which run of a proof is going on. */
  askSteps(read: (run: Run) => Promise<string | null>): void {
    this.#readStep = read;
  }

  async #lookAtStep({ run }: Story): Promise<void> {
    if (this.#frame % stepFrames !== 0) return;
    this.#step = (await this.#readStep?.(run).catch(() => null)) ?? null;
  }

  /** `v`: more or less about what the agent does. */
  take(key: string): void {
    if (key !== "v") return;
    this.#isDetailed = !this.#isDetailed;
    this.#draw();
  }

  /** Until the next frame. */
  hide(): void {
    this.#area.clear();
  }

  /** Shows what is done now; nothing more if it is the same as before. */
  #begin({ run }: Story, sinceMs: number): void {
    const effect = next(run);
    if (effect?.key !== this.#effect?.key) {
      this.#effect = effect;
      this.#sinceMs = sinceMs;
      if (effect?.do === "run-session") this.#entitle(`${effect.work?.feature ?? "run"} ${effect.role}`);
    }
    if (this.#options.mode === "live" && this.#timer === null) {
      this.#timer = setInterval(() => this.#draw(), frameMs);
      this.#timer.unref();
    }
  }

  say(...lines: readonly string[]): void {
    const { mode, out } = this.#options;
    if (mode === "quiet" || lines.length === 0) return;
    this.#area.clear();
    const text = printable(lines.join("\n"));
    out.write(`${wrapped(text, out.isTTY === true ? out.columns : undefined)}\n`);
    this.#draw();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#area.clear();
  }

  /** For good: the terminal gets its title back. */
  end(): void {
    this.close();
    if (this.#title !== "") this.#options.out.write(giveTitleBack);
    this.#title = "";
  }

  #draw(): void {
    const [story, effect] = [this.#story, this.#effect];
    if (this.#timer === null || story === null) return;
    const { columns, rows } = this.#options.out;
    const session = effect?.do === "run-session" ? effect : null;
    void this.#lookAtStep(story);
    const live: Live = {
      effect,
      sinceMs: this.#sinceMs,
      activity: this.#activity?.session === session?.session ? this.#activity : null,
      past: session === null ? [] : lastOf(this.#past, story, session.role),
      isDetailed: this.#isDetailed,
      step: this.#step,
      frame: this.#frame++,
    };
    this.#area.draw(liveLines(story, live, Date.now(), { columns: columns || 80, rows: rows || 24 }));
  }
}

/** Gives the screen what the items of a run do not say. Without it, less is shown. */
export function informed(screen: Screen, engine: Engine, run: string): void {
  pastSessions(engine, run).then(
    (past) => screen.expect(past),
    () => undefined,
  );
  engine.read(run).then(
    ({ file }) => screen.askSteps((state) => stepOf(file, state)),
    () => undefined,
  );
}
