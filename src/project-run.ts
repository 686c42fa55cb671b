// A run that a program has begun or resumed: iterate over it, answer it, pause it, or wait for its end.
import { UserError } from "./core/errors.ts";
import type { RunEvent } from "./core/event.ts";
import { gateOf } from "./core/gates.ts";
import type { Gate } from "./core/outcome.ts";
import { openQuestion } from "./core/said.ts";
import type { Begun, Engine, Landed, Terms } from "./engines/engine.ts";
import { land } from "./engines/landing.ts";
import { overviewOf } from "./engines/overview.ts";
import { watch } from "./engines/watch.ts";
import { type Overview, overview } from "./report/overview.ts";
import type { Story } from "./report/story.ts";
import { endSentence, outcomeOf } from "./report/words/words.ts";
import type { SessionSign, SignalFact } from "./runtime/ports.ts";

/** G1: before anything is built. G2: after an iteration. G3: before the run calls itself done. */
export type OpenGate = {
  readonly name: "G1" | "G2" | "G3";
  readonly why: string;
  readonly tree: string;
  readonly feature: string | null;
  readonly runId: string;
  readonly number: number;
};

/** What an iteration over a run gives. */
export type RunItem =
  /** Something happened, and is recorded. */
  | { readonly type: "event"; readonly event: RunEvent }
  /** What an agent is seen to do. */
  | ({ readonly type: "sign" } & SessionSign)
  /** The run waits for a yes or no. If you ask for the next item without answering, it rests there. */
  | { readonly type: "gate"; readonly gate: OpenGate }
  /** An agent asks. `feature` is null if it is about the whole run. */
  | { readonly type: "question"; readonly feature: string | null; readonly question: string }
  /** The audit of the run `of` found something missing, and another run of the same task continues with it. */
  | { readonly type: "follow-up"; readonly of: Settled; readonly runId: string };

/** A run that is over, or rests: the overview, and whether it succeeded. */
export type Settled = Overview & {
  readonly success: boolean;
  /** Failed attempts and sessions of features that are complete now. */
  readonly recovered: number;
};

/** A run that this program has begun or continued. Iterate over it to see it work and to answer; or await `settled`. */
export class ProjectRun implements AsyncIterable<RunItem> {
  readonly #engine: Engine;
  readonly #terms: Terms;
  #run: string;
  #from: number;
  /** Ends with the iteration; null: none has begun. */
  #iteration: Promise<void> | null = null;
  #isDone = false;
  #isAnswered = false;
  #settled: Promise<Settled> | null = null;

  constructor(engine: Engine, { run, from }: Pick<Begun, "from"> & { readonly run: string }, terms: Terms) {
    this.#engine = engine;
    this.#run = run;
    this.#from = from;
    this.#terms = terms;
  }

  /** Changes when a follow-up begins. */
  get id(): string {
    return this.#run;
  }

  /** Everything that happens, until the run is over, or rests without an answer. Leaving early does not stop it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunItem> {
    let end: () => void = () => undefined;
    this.#iteration = new Promise((resolve) => {
      end = resolve;
    });
    try {
      for (;;) {
        const last = yield* this.#oneRun();
        if (last === null || outcomeOf(last.run)?.kind !== "followup") break;
        const begun = await this.#engine.begin({ follows: this.#run }, this.#terms);
        [this.#run, this.#from] = [begun.run, begun.from];
        yield { type: "follow-up", of: settled(overview(last, { isDriven: false })), runId: begun.run };
      }
      this.#isDone = true;
      await this.#engine.leave(this.#run);
    } finally {
      end();
    }
  }

  /** Returns the story at its end, or at an unanswered rest. */
  async *#oneRun(): AsyncGenerator<RunItem, Story | null> {
    const items = this.#engine.subscribe(this.#run, this.#from);
    let last: Story | null = null;
    try {
      for await (const { item, story } of watch(items)) {
        last = story;
        if (item.type === "event") {
          this.#from = item.seq;
          yield { type: "event", event: item.event };
        }
        if (item.type === "sign") yield item;
        if (item.type !== "rest") continue;
        const open = openItem(story);
        if (open === null) break;
        this.#isAnswered = false;
        yield open;
        if (!this.#isAnswered) break;
      }
      return last;
    } finally {
      await items.return();
    }
  }

  /** Resolves when the run is over, or rests without an answer. If you iterate, that comes first. */
  get settled(): Promise<Settled> {
    this.#settled ??= this.#settle();
    return this.#settled;
  }

  async #settle(): Promise<Settled> {
    while (!this.#isDone) {
      if (this.#iteration !== null) await this.#iteration;
      if (!this.#isDone) for await (const _ of this);
    }
    return settledIn(this.#engine, this.#run);
  }

  /** How it stands now. */
  async status(): Promise<Overview> {
    return overviewOf(this.#engine, this.#run);
  }

  /** Cuts what is under way, keeps it, and rests. */
  async pause(): Promise<void> {
    await this.#engine.send(this.#run, { type: "pause-requested", by: "person" });
  }

  /**
   * Ends the run for good. What it has committed stays; unproved work is taken out of the folder and kept in
   * quarantine, unless `keep` is set.
   */
  async cancel({ keep = false }: { readonly keep?: boolean } = {}): Promise<void> {
    await this.#engine.send(this.#run, { type: "cancel-requested", ...(keep ? {} : { undo: true }) });
  }

  /**
   * Brings what it has committed in its worktree onto the branch that it began on. A success lands by itself if that
   * branch has not moved and the folder has no uncommitted changes. If the branch has moved, each feature is merged and
   * proved again. Throws a UserError if nothing can land; then nothing has changed.
   */
  async land(): Promise<Landed> {
    return land(this.#engine, this.#run);
  }

  /** Says yes at a gate. Throws a UserError if the run does not wait there, or no longer. */
  async approve(gate: OpenGate): Promise<void> {
    await this.#answer({ type: "approved", ...(await this.#openNow(gate)) });
  }

  /** The reason is what the next attempt works from. Throws a UserError without one, or if the run does not wait there. */
  async reject(gate: OpenGate, reason: string): Promise<void> {
    if (typeof reason !== "string" || reason.trim() === "")
      throw new UserError("no-reason", {
        what: "Nothing was rejected.",
        why: "A rejection needs a reason: the next attempt works from it.",
        next: 'run.reject(gate, "why")',
      });
    await this.#answer({ type: "rejected", ...(await this.#openNow(gate)), reason });
  }

  async #openNow(gate: OpenGate): Promise<Pick<Gate, "number" | "tree"> & { gate: Gate["name"] }> {
    const open = gateOf((await this.#engine.read(this.#run)).story.run);
    if (open === null || open.number !== gate?.number || open.name !== gate.name)
      throw new UserError("no-gate", {
        what: "Nothing was answered.",
        why:
          open === null ? "The run does not wait at a gate." : `The run waits at ${open.name}, number ${open.number}.`,
        next: "Answer the gate that the last item of the iteration gave.",
      });
    if (open.tree !== gate.tree)
      throw new UserError("other-tree", {
        what: "Nothing was answered.",
        why: `The gate ${open.name} shows the tree ${open.tree.slice(0, 10)}, and the answer is about ${gate.tree}.`,
        next: "Answer the gate that the last item of the iteration gave.",
      });
    return { gate: open.name, number: open.number, tree: open.tree };
  }

  /** Answers a question of an agent. `feature`: null if it was about the whole run. */
  async answer(feature: string | null, text: string): Promise<void> {
    const asked = openQuestion((await this.#engine.read(this.#run)).story.run, feature);
    if (asked === undefined)
      throw new UserError("no-question", {
        what: "Nothing was answered.",
        why: `No question is open about ${feature ?? "the run"}.`,
        next: "loop inbox",
      });
    await this.#answer({
      type: "answered",
      feature: asked.feature,
      question: asked.question,
      answer: text,
      source: "person",
    });
  }

  async #answer(fact: SignalFact): Promise<void> {
    this.#isAnswered = true;
    await this.#engine.send(this.#run, fact);
  }
}

/** What can be answered now; null: nothing. */
function openItem(story: Story): RunItem | null {
  const gate = gateOf(story.run);
  const outcome = outcomeOf(story.run);
  if (gate !== null && outcome !== null) {
    const { name, number, tree, feature } = gate;
    const why = endSentence(story.run, outcome);
    return { type: "gate", gate: { name, number, why, tree, feature, runId: story.chronicle.run } };
  }
  if (outcome?.kind !== "needs-person") return null;
  const asked = story.run.inbox.find((item) => item.kind === "question");
  return asked === undefined ? null : { type: "question", feature: asked.feature, question: asked.question };
}

export const settledIn = async (engine: Engine, run: string): Promise<Settled> =>
  settled(await overviewOf(engine, run));

const settled = (run: Overview): Settled => ({
  ...run,
  success: run.outcome?.kind === "success",
  recovered: recoveredIn(run),
});

function recoveredIn({ features, iterations }: Overview): number {
  const complete = new Set(features.filter(({ status }) => status === "complete").map(({ id }) => id));
  const mine = iterations.filter(({ feature }) => complete.has(feature));
  const failed = mine.flatMap(({ sessions }) => sessions).filter((session) => session.failed);
  // A session that failed is an error of its own, and the reason of the rework that follows it is the same one.
  const reworked = mine.filter(({ ending, cause }) => ending === "rework" && cause?.kind !== "session");
  return reworked.length + failed.length;
}
