// The loop: perform the next effect, record the result, and only then apply it. Resuming is the same as starting.
import type { Effect } from "../core/effect.ts";
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import { Arrivals } from "./arrivals.ts";
import type { Fact, Result, SignalFact } from "./ports.ts";

export type Engine = {
  perform(effect: Effect, run: Run, cut: AbortSignal): Promise<Result>;
  /** A monotonic clock in milliseconds, so that recording does not count as part of an effect's duration. */
  steady(): number;
  /** Durably records an event and returns the resulting run. */
  record(fact: Fact): Promise<Run>;
  /** Signals from people, timers and triggers; each call takes one. */
  signal(): Promise<SignalFact>;
  /** Whether this effect may start; otherwise the run stays where it is. */
  allows(effect: Effect): boolean;
};

export async function drive(begun: Run, engine: Engine): Promise<Run> {
  let run = begun;
  const arrivals = new Arrivals<Fact>();
  const listen = () => arrivals.expect(engine.signal(), "signal");
  listen();
  for (let effect = next(run); effect !== null && engine.allows(effect); effect = next(run)) {
    const cut = new AbortController();
    // A pause or cancel from before a crash is still pending, so the effect in flight is only wound up.
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
