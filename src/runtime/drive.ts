// The loop: what comes next is performed, written down, and only then believed. Resuming is starting.
import type { Effect } from "../core/effect.ts";
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import type { Fact, SignalFact } from "./ports.ts";

export type Engine = {
  perform(effect: Effect, run: Run, cut: AbortSignal): Promise<Fact>;
  /** Writes an event down for good and says what the run is then. */
  record(fact: Fact): Promise<Run>;
  /** What people, timers and triggers send; each call takes one. */
  signal(): Promise<SignalFact>;
  /** May this effect be started, or does the run stay where it is? */
  allows(effect: Effect): boolean;
};

export async function drive(begun: Run, engine: Engine): Promise<Run> {
  let run = begun;
  const nextSignal = () => engine.signal().then((fact) => ({ fact, last: false }));
  let signal = nextSignal();
  for (let effect = next(run); effect !== null && engine.allows(effect); effect = next(run)) {
    const cut = new AbortController();
    // Asked for before a crash, and not yet honoured: the effect that was in flight then is only wound up.
    if (run.asked !== null) cut.abort();
    const result = engine.perform(effect, run, cut.signal).then((fact) => ({ fact, last: true }));
    for (let last = false; !last; ) {
      // A signal that is already there goes first: a cancel must not wait behind a result.
      const event = await Promise.race([signal, result]);
      if (!event.last) signal = nextSignal();
      run = await engine.record(event.fact);
      if (run.asked !== null) cut.abort();
      last = event.last;
    }
  }
  return run;
}
