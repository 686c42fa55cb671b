// Usage limits: a state, not an error. Who works while an agent is rate limited, and how long to wait.
import { type Role, type Run, type Side, sideOf } from "./run.ts";

const other: Record<Side, Side> = { maker: "checker", checker: "maker" };

const isFree = (run: Run, side: Side, at: number): boolean => run.limitedUntil[side] <= at;

/** The role's own agent, or the other one while that is rate limited and the contract allows switching. */
export function whoWorks(run: Run, role: Role, at: number): Side {
  const own = sideOf(role);
  return run.contract.onLimit === "switch" && !isFree(run, own, at) && isFree(run, other[own], at) ? other[own] : own;
}

/** Notes a limit. `waitUntil` is null if the other agent can take over immediately. */
export function limited(run: Run, by: Side, until: number, at: number): { run: Run; waitUntil: number | null } {
  const noted = { ...run, limitedUntil: { ...run.limitedUntil, [by]: until } };
  if (run.contract.onLimit === "wait") return { run: noted, waitUntil: until };
  if (isFree(noted, other[by], at)) return { run: noted, waitUntil: null };
  return { run: noted, waitUntil: Math.min(until, noted.limitedUntil[other[by]]) };
}
