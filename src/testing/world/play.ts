// Plays a run against arbitrary answers, with signals at arbitrary moments, and records everything.
import { apply } from "../../core/apply.ts";
import type { Contract } from "../../core/contract.ts";
import type { Effect } from "../../core/effect.ts";
import type { RunEvent, SignalEvent } from "../../core/event.ts";
import { gateOf } from "../../core/gates.ts";
import type { Limits } from "../../core/limits.ts";
import { next } from "../../core/next.ts";
import { entriesOf } from "../../core/progresses.ts";
import { begin, type Run } from "../../core/run.ts";
import { Answers } from "./answers.ts";
import { type Choices, chance, pick } from "./random.ts";

/** One event: the run before, the effect it had ordered (null while it rests), and the run after. */
export type Step = {
  readonly before: Run;
  readonly effect: Effect | null;
  readonly event: RunEvent;
  readonly after: Run;
};
/** The run at its end, and every step on the way. */
export type Played = { readonly run: Run; readonly steps: readonly Step[] };

/** How rough the play is, and how long it may last. */
export type PlayOptions = {
  readonly trouble: number;
  /** How often, out of a thousand, a signal comes before an answer. */
  readonly signals: number;
  readonly stepsMax: number;
  /** How often it is resumed when it rests. */
  readonly continues?: number;
};

/** Plays a contract from its beginning until the run stops, or rests and is left alone. */
export function play(contract: Contract, choose: Choices, options: PlayOptions): Played {
  return playOn(begin(contract), new Answers(choose, options), choose, options);
}

/** Continues from any state until the run stops, or rests and is left alone. */
export function playOn(from: Run, answers: Answers, choose: Choices, options: PlayOptions): Played {
  const { signals, stepsMax } = options;
  const steps: Step[] = [];
  let run = from;
  let continues = options.continues ?? 0;
  for (let effect = next(run); effect !== null; effect = next(run)) {
    if (steps.length >= stepsMax) throw new Error(`the run is still ${run.now.is} after ${stepsMax} steps`);
    take(chance(choose, signals) ? answers.stamp(anySignal(choose, run)) : answers.answer(effect, run), effect);
    for (; run.now.is === "resting" && continues > 0; continues--) {
      for (const { kind, feature } of run.inbox)
        if (kind === "question" && feature !== null && choose.below(2) === 1)
          take(
            answers.stamp({ type: "answered" as const, feature, answer: "That.", source: "person" as const }),
            next(run),
          );
      for (const decision of decisions(run, choose)) take(answers.stamp(decision), next(run));
      const gate = gateOf(run);
      if (gate !== null) {
        const shown = { gate: gate.name, number: gate.number, tree: gate.tree };
        const answer: SignalEvent =
          choose.below(3) === 2
            ? { type: "rejected", ...shown, reason: `reason ${choose.below(3)}` }
            : { type: "approved", ...shown };
        take(answers.stamp(answer), next(run));
        if (run.now.is !== "resting") break;
      }
      take(answers.stamp({ type: "continued" as const, limits: raised(run), retry: choose.below(2) === 1 }), next(run));
    }
  }
  return { run, steps };

  function take(event: RunEvent, effect: Effect | null): void {
    const after = apply(run, event);
    steps.push({ before: run, effect, event, after });
    run = after;
  }
}

/** A person's decisions about held work: anything that fits, or nothing. */
export function decisions(run: Run, choose: Choices): SignalEvent[] {
  return entriesOf(run.progress).flatMap(([feature, { held }]): SignalEvent[] => {
    if (held === null) return [];
    const about = { feature, tree: held.tree, by: "Pat <pat@example.org>" };
    const yes: SignalEvent = { type: held.why === "unproved" ? "accepted" : "allowed", ...about };
    const no = (reason: string): SignalEvent => ({ type: "turned-down", ...about, reason });
    return pick<SignalEvent[]>(choose, [[yes], [no("Not so.")], [], [no("")], [yes, no("Late.")]]);
  });
}

function raised({ contract: { limits } }: Run): Partial<Limits> {
  const more = (value: number | null, by: number) => (value === null ? null : value + by);
  return {
    costUsdMax: more(limits.costUsdMax, 5),
    iterationsMax: more(limits.iterationsMax, 2),
    sessionsMax: more(limits.sessionsMax, 5),
    commitsMax: more(limits.commitsMax, 1),
  };
}

/** An arbitrary signal, fitting or not. */
export function anySignal(choose: Choices, run: Run): SignalEvent {
  const [first] = run.contract.features;
  return pick<SignalEvent>(choose, [
    { type: "noted", about: "changed", text: "Something." },
    { type: "pause-requested", by: pick(choose, ["person", "interrupt", "terminate"]) },
    { type: "continued", limits: {}, retry: choose.below(2) === 1 },
    ...(first === undefined
      ? []
      : run.contract.features.map(
          ({ id }) => ({ type: "answered", feature: id, answer: "That.", source: "person" }) as const,
        )),
    ...decisions(run, choose),
    { type: "cancel-requested" },
  ]);
}
