// Usage limits: a state, not an error. Who works while an agent has reached its own, and until when to wait.
import { type Role, type Run, type Side, sideOf } from "./run.ts";

const other: Record<Side, Side> = { maker: "checker", checker: "maker" };

const isFree = (run: Run, side: Side, at: number): boolean => run.limitedUntil[side] <= at;

/** The role's own agent, or the other one while that waits for its limit and the contract lets it stand in. */
export function whoWorks(run: Run, role: Role, at: number): Side {
  const own = sideOf(role);
  return run.contract.onLimit === "switch" && !isFree(run, own, at) && isFree(run, other[own], at) ? other[own] : own;
}

/** Notes a limit. The time to wait until, or null when the other agent can go on at once. */
export function limited(run: Run, by: Side, until: number, at: number): { run: Run; waitUntil: number | null } {
  const noted = { ...run, limitedUntil: { ...run.limitedUntil, [by]: until } };
  if (run.contract.onLimit === "wait") return { run: noted, waitUntil: until };
  if (isFree(noted, other[by], at)) return { run: noted, waitUntil: null };
  return { run: noted, waitUntil: Math.min(until, noted.limitedUntil[other[by]]) };
}
