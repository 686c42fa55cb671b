// Plays a run against arbitrary answers, with signals at arbitrary moments, and keeps everything that happened.
import { apply } from "../../core/apply.ts";
import type { Contract } from "../../core/contract.ts";
import type { Effect } from "../../core/effect.ts";
import type { RunEvent, SignalEvent } from "../../core/event.ts";
import { next } from "../../core/next.ts";
import { begin, type Run } from "../../core/run.ts";
import { Answers } from "./answers.ts";
import { type Choices, chance, pick } from "./random.ts";

/** One event: what the run was, what it had ordered, and what it became. */
export type Step = { readonly before: Run; readonly effect: Effect; readonly event: RunEvent; readonly after: Run };
export type Played = { readonly run: Run; readonly steps: readonly Step[] };

export type PlayOptions = {
  readonly trouble: number;
  /** How often, in a thousand, a signal comes before an answer. */
  readonly signals: number;
  readonly stepsMax: number;
};

export function play(contract: Contract, choose: Choices, options: PlayOptions): Played {
  return playOn(begin(contract), new Answers(choose, options), choose, options);
}

/** Goes on from any state until the run rests or stops. */
export function playOn(from: Run, answers: Answers, choose: Choices, { signals, stepsMax }: PlayOptions): Played {
  const steps: Step[] = [];
  let run = from;
  for (let effect = next(run); effect !== null; effect = next(run)) {
    if (steps.length >= stepsMax) throw new Error(`the run is still ${run.now.is} after ${stepsMax} steps`);
    const event = chance(choose, signals) ? answers.stamp(anySignal(choose, run)) : answers.answer(effect, run);
    const after = apply(run, event);
    steps.push({ before: run, effect, event, after });
    run = after;
  }
  return { run, steps };
}

export function anySignal(choose: Choices, run: Run): SignalEvent {
  const [first] = run.contract.features;
  return pick<SignalEvent>(choose, [
    { type: "noted", about: "test", text: "Something." },
    { type: "pause-requested", by: pick(choose, ["person", "interrupt", "terminate"]) },
    { type: "continued", limits: {}, retry: choose.below(2) === 1 },
    ...(first === undefined
      ? []
      : run.contract.features.map(
          ({ id }) => ({ type: "answered", feature: id, answer: "That.", source: "person" }) as const,
        )),
    { type: "cancel-requested" },
  ]);
}
