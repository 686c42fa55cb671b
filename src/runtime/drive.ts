// The loop: what comes next is performed, written down, and only then believed. Resuming is starting.
import type { Effect } from "../core/effect.ts";
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import { Arrivals } from "./arrivals.ts";
import type { Fact, Result, SignalFact } from "./ports.ts";

export type Engine = {
  perform(effect: Effect, run: Run, cut: AbortSignal): Promise<Result>;
  /** A steady clock, in milliseconds: an effect takes what it says, whatever is written down meanwhile. */
  steady(): number;
  /** Writes an event down for good and says what the run is then. */
  record(fact: Fact): Promise<Run>;
  /** What people, timers and triggers send; each call takes one. */
  signal(): Promise<SignalFact>;
  /** May this effect be started, or does the run stay where it is? */
  allows(effect: Effect): boolean;
};

export async function drive(begun: Run, engine: Engine): Promise<Run> {
  let run = begun;
  const arrivals = new Arrivals<Fact>();
  const listen = () => arrivals.expect(engine.signal(), "signal");
  listen();
  for (let effect = next(run); effect !== null && engine.allows(effect); effect = next(run)) {
    const cut = new AbortController();
    // Asked for before a crash, and not yet honoured: the effect that was in flight then is only wound up.
    if (run.asked !== null) cut.abort();
    arrivals.expect(answer(effect, run, engine, cut.signal), "result");
    for (let isOver = false; !isOver; ) {
      const { value, is } = await arrivals.next();
      if (is === "signal") listen();
      run = await engine.record(value);
      if (run.asked !== null) cut.abort();
      isOver = is === "result";
    }
  }
  return run;
}

async function answer(effect: Effect, run: Run, engine: Engine, cut: AbortSignal): Promise<Fact> {
  const since = engine.steady();
  const result = await engine.perform(effect, run, cut);
  return { ...result, key: effect.key, tookMs: Math.round(engine.steady() - since) };
}
