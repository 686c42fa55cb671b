// Waits until a stated time. On retry: the time is absolute, so only the rest is waited for.
import type { Effect } from "../../core/effect.ts";
import type { Ports, Result } from "../ports.ts";

export async function wait(
  { until }: Extract<Effect, { do: "wait" }>,
  { clock }: Ports,
  cut: AbortSignal,
): Promise<Result> {
  await clock.sleepUntil(until, cut);
  return cut.aborted ? { type: "cut", usage: null } : { type: "woke" };
}
