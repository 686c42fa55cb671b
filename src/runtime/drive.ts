// The loop: perform the next effect, record the result, and only then apply it. Resuming is the same as starting.
import type { Effect } from "../core/effect.ts";
import { next } from "../core/next.ts";
import type { Run } from "../core/run.ts";
import type { Fact, Result } from "./ports.ts";
import type { SignalBox } from "./signal-queue.ts";

export type Engine = {
  perform(effect: Effect, run: Run, cut: AbortSignal): Promise<Result>;
  /** A monotonic clock in milliseconds, so that recording does not count as part of an effect's duration. */
  steady(): number;
  /** Durably records an event and returns the resulting run. */
  record(fact: Fact): Promise<Run>;
  /** From people, timers and triggers. Those that come after the last effect stay in it. */
  readonly signals: Pick<SignalBox, "take" | "onArrival">;
  /** Whether this effect may start; otherwise the run stays where it is. */
  allows(effect: Effect): boolean;
};

export async function drive(begun: Run, engine: Engine): Promise<Run> {
  let run = begun;
  for (let effect = next(run); effect !== null && engine.allows(effect); effect = next(run)) {
    const cut = new AbortController();
    // A pause or cancel from before a crash is still pending, so the effect in flight is only wound up.
    if (run.asked !== null) cut.abort();
    const result = new Awaited(answer(effect, run, engine, cut.signal));
    for (let isOver = false; !isOver; ) {
      // Signals go first, so that a cancel never waits behind a result.
      const fact = engine.signals.take() ?? result.take();
      if (fact === undefined) {
        await new Promise<void>((wake) => {
          engine.signals.onArrival(wake);
          result.onArrival(wake);
        });
        continue;
      }
      run = await engine.record(fact);
      if (run.asked !== null) cut.abort();
      isOver = result.isTaken;
    }
  }
  return run;
}

async function answer(effect: Effect, run: Run, engine: Engine, cut: AbortSignal): Promise<Fact> {
  const since = engine.steady();
  const result = await engine.perform(effect, run, cut);
  return { ...result, key: effect.key, tookMs: Math.round(engine.steady() - since) };
}

/**
 * A value that comes once. Used instead of `Promise.race` with a signal that may never come: that would keep every result of the
 * run alive through the one pending promise.
 */
class Awaited<Value> {
  #settled: { readonly value: Value } | { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;
  isTaken = false;

  constructor(coming: Promise<Value>) {
    const settle = (settled: { readonly value: Value } | { readonly error: unknown }): void => {
      this.#settled = settled;
      this.#wake();
    };
    coming.then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    );
  }

  take(): Value | undefined {
    if (this.#settled === null) return undefined;
    if ("error" in this.#settled) throw this.#settled.error;
    this.isTaken = true;
    return this.#settled.value;
  }

  onArrival(wake: () => void): void {
    this.#wake = wake;
    if (this.#settled !== null) wake();
  }
}
