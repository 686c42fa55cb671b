// What a person can say to a run. An answer names what was shown; if another answer came first, it is refused.
import { UserError } from "../core/errors.ts";
import { gateOf } from "../core/gates.ts";
import type { Gate } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { openQuestion } from "../core/said.ts";
import type { Engine, Receipt } from "../engines/engine.ts";
import { answeredAlready, answerOnRecord, refuseSecond, type Shown, subjectId } from "../engines/first-answer.ts";
import { type Decision, decisionOn, heldIn } from "../engines/held-work.ts";
import type { SignalFact } from "../runtime/ports.ts";

export type AtGate = { readonly gate: Gate["name"]; readonly number: number; readonly tree: string };

export function approval(run: Run, shown: AtGate): SignalFact {
  return { type: "approved", ...openGate(run, shown) };
}

export function rejection(run: Run, shown: AtGate, reason: string): SignalFact {
  return { type: "rejected", ...openGate(run, shown), reason };
}

function openGate(
  run: Run,
  { gate, number, tree }: AtGate,
): { gate: Gate["name"]; number: number; tree: Gate["tree"] } {
  const open = gateOf(run);
  if (open === null || open.name !== gate || open.number !== number || open.tree !== tree)
    throw answeredAlready(open === null ? "The run does not wait at a gate." : "The run waits at another gate now.");
  return { gate, number, tree: open.tree };
}

export function decision(run: Run, feature: string, tree: string, by: string, how: Decision): SignalFact {
  const held = heldIn(run, feature);
  if (held !== null && held.tree !== tree) throw answeredAlready(`Other work on ${feature} waits now.`);
  return decisionOn(run, feature, by, how);
}

type Answering = { readonly feature: string | null; readonly question?: string | undefined; readonly answer: string };

export function answerTo(run: Run, { feature, question: shown, answer }: Answering): SignalFact {
  const asked = openQuestion(run, feature);
  if (asked === undefined) throw answeredAlready(`No question is open about ${feature ?? "the run"}.`);
  const { question } = asked;
  if (shown !== undefined && shown !== subjectId(asked))
    throw answeredAlready(`Another question is open now: ${question.slice(0, 200)}`);
  return { type: "answered", feature: asked.feature, question, answer, source: "person" };
}

/** One answer at a time for each run: the second sees what the first has done. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(act, act);
    const done = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === done) this.#last.delete(key);
      });
    this.#last.set(key, done);
    return turn;
  }
}

/** What was shown to the person, as their answer names it. */
export type About = Shown | { readonly feature: string | null; readonly question?: string | undefined };

/** Sends the answer that `make` finds for the run as it is now. If an answer from elsewhere came first, throws with what it said. */
export async function send(
  engine: Engine,
  run: string,
  about: About,
  make: (run: Run) => SignalFact,
): Promise<Receipt> {
  const before = await engine.read(run);
  const fact = await answerFor(before.story.run, make, () => saidFirst(engine, run, before.story.run, about));
  const receipt = await engine.send(run, fact);
  await refuseSecond(engine, run, before.seq, fact, receipt);
  return receipt;
}

async function answerFor(
  run: Run,
  make: (run: Run) => SignalFact,
  saidFirst: () => Promise<string | null>,
): Promise<SignalFact> {
  try {
    return make(run);
  } catch (error) {
    const first = error instanceof UserError ? await saidFirst() : null;
    throw first === null ? error : answeredAlready(first);
  }
}

/** Null: no answer about it is on record. */
async function saidFirst(engine: Engine, run: string, { decisions }: Run, about: About): Promise<string | null> {
  if ("tree" in about) return answerOnRecord(engine, run, subjectId(about));
  const named = about.question ?? decisions.findLast(({ feature }) => feature === about.feature);
  if (named === undefined) return null;
  return answerOnRecord(engine, run, typeof named === "string" ? named : subjectId(named));
}
