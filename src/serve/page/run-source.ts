// A run as its page shows it: looked at again and again, and drawn when something has changed.
import { tokensOf } from "../../core/ledger.ts";
import type { Engine, Reading } from "../../engines/engine.ts";
import { habitIn } from "../../engines/habit.ts";
import { followerOf, undoneIn } from "../../engines/overview.ts";
import { lastOf, type PastSessions, pastSessions } from "../../engines/past-sessions.ts";
import { stepOf } from "../../engines/step.ts";
import { everythingWaiting } from "../../engines/waiting.ts";
import { readingIfPossible } from "../../engines/watch.ts";
import { type Overview, overview } from "../../report/overview.ts";
import { runParts } from "../../report/page/pages.ts";
import type { Follower, Live, May, Place, RunView, Waiting } from "../../report/page/view.ts";
import { withSession } from "../../report/page/with-session.ts";
import { proofFiles, readProofs } from "../../report/proof-view.ts";
import type { Undone } from "../../report/taken-back.ts";
import { addressed } from "../../report/words/left.ts";
import type { Drawn, Source } from "./board.ts";
import { type Latest, latestSession } from "./latest-session.ts";
import { SessionTail } from "./session-tail.ts";
import { type Diffs, waitingItem } from "./waiting-items.ts";

const busyMs = 400;
const restingMs = 1_000;
/** How often what is at work is drawn on. */
const drawnMs = 5_000;

export class RunSource implements Source {
  readonly #engine: Engine;
  readonly #place: Place;
  readonly #run: string;
  readonly #diffs: Diffs;
  /** Sessions are read through one reading, which remembers how far it is. */
  #outputs: Reading | null = null;
  #tail: SessionTail | null = null;
  #past: PastSessions | null = null;
  #followedBy: string | null = null;
  #hint: Awaited<ReturnType<typeof habitIn>> | null = null;
  readonly #proofs = new Map<string, string>();
  #overview: Overview | null = null;
  #print = "";
  #view: RunView | null = null;

  constructor(engine: Engine, place: Place, run: string, diffs: Diffs) {
    this.#engine = engine;
    this.#place = place;
    this.#run = run;
    this.#diffs = diffs;
  }

  get view(): RunView | null {
    return this.#view;
  }

  get everyMs(): number {
    return this.#view?.run.state === "running" ? busyMs : restingMs;
  }

  async look(): Promise<boolean> {
    const reading = await this.#engine.read(this.#run);
    const { seq, isDriven, worktree, story } = reading;
    const step = await stepOf(reading.file, story.run);
    const follower = await this.#readFollower(reading);
    const undone = await undoneIn(this.#engine, story);
    const now = isDriven && story.run.now.is !== "stopped" ? Math.floor(Date.now() / drawnMs) * drawnMs : null;
    const print = JSON.stringify([seq, isDriven, worktree ?? null, step, follower, undone, now]);
    const before = print === this.#print ? this.#view : null;
    if (before === null || this.#overview === null)
      this.#overview = await this.#overviewOf(reading, { step, undone, now });
    const run = this.#overview;
    const latest = latestSession(story.run, run);
    const isTailNew = await this.#readTail(reading, latest);
    if (before !== null && !isTailNew) return false;
    const waiting = before?.waiting ?? (await this.#waitingOf(run));
    const live = await this.#liveOf(reading, latest);
    const tail = latest === null || this.#tail === null ? null : this.#tail.shown(latest.title, latest.isOver);
    this.#print = print;
    this.#view = { place: this.#place, run: addressed(withSession(run, live)), seq, live, tail, waiting, follower };
    return true;
  }

  draw(may: May): Drawn {
    const view = this.#view;
    if (view === null) throw new Error("drawn before it was looked at");
    return { ...runParts(view, may), seq: view.seq, tail: view.tail };
  }

  async #overviewOf(
    { story, isDriven, worktree, file }: Reading,
    { step, undone, now }: { readonly step: string | null; readonly undone: Undone; readonly now: number | null },
  ): Promise<Overview> {
    for (const name of proofFiles(story.chronicle).filter((each) => !this.#proofs.has(each))) {
      const text = await file(name);
      if (text !== null) this.#proofs.set(name, text);
    }
    const proofs = readProofs(story.chronicle, { read: (name) => this.#proofs.get(name) ?? null });
    if (story.run.now.is === "stopped") this.#hint ??= await habitIn(this.#engine, story);
    return overview(story, {
      isDriven,
      proofs,
      step,
      undone,
      followedBy: this.#followedBy,
      ...(now === null ? {} : { now }),
      ...(this.#hint === null ? {} : { habit: this.#hint }),
      ...(worktree === undefined ? {} : { worktree }),
    });
  }

  async #readFollower({ story }: Reading): Promise<Follower | null> {
    this.#followedBy ??= await followerOf(this.#engine, story);
    const reading = this.#followedBy === null ? null : await readingIfPossible(this.#engine, this.#followedBy);
    if (reading === null) return null;
    const { run, state, outcome, title } = overview(reading.story, { isDriven: reading.isDriven });
    return { run, state, outcome, title };
  }

  async #waitingOf(run: Overview): Promise<readonly Waiting[]> {
    const found = await everythingWaiting(this.#engine, this.#run);
    return Promise.all(found.map((words) => waitingItem(this.#place, words, run, this.#diffs)));
  }

  async #readTail(reading: Reading, latest: Latest | null): Promise<boolean> {
    if (latest === null) return false;
    if (this.#tail?.session !== latest.session) this.#tail = new SessionTail(latest.session, latest.role);
    this.#outputs ??= reading;
    try {
      return await this.#tail.read(this.#outputs);
    } catch {
      return false; // It has not begun to print, or its files are gone.
    }
  }

  async #liveOf({ story }: Reading, latest: Latest | null): Promise<Live | null> {
    if (latest === null || latest.isOver) return null;
    this.#past ??= await pastSessions(this.#engine, this.#run);
    const { tool = null, words = "", usage = null, contextPercent = null } = this.#tail?.activity ?? {};
    return {
      role: latest.role,
      tool: tool === null ? null : `${tool.name} ${tool.argument}`.trim(),
      words,
      tokens: usage === null ? 0 : tokensOf(usage),
      costUsd: usage === null ? 0 : usage.costUsd,
      contextPercent,
      past: lastOf(this.#past, story, latest.role),
    };
  }
}
