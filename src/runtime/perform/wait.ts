// Waiting for a stated time. Asked again: the time is absolute, so what is left is waited for.
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
