// Usage limits: a state, not an error. Who works while an agent is rate limited, and how long to wait.
import { type Role, type Run, type Side, sideOf } from "./run.ts";
import type { Failure, UsedWindow } from "./session.ts";

const other: Record<Side, Side> = { maker: "checker", checker: "maker" };

const isFree = (run: Run, side: Side, at: number): boolean => run.limitedUntil[side] <= at;

/** The role's own agent, or the other one while that is rate limited and the contract allows switching. */
export function whoWorks(run: Run, role: Role, at: number): Side {
  const own = sideOf(role);
  return run.contract.onLimit === "switch" && !isFree(run, own, at) && isFree(run, other[own], at) ? other[own] : own;
}

/** The window that the person's limit closes at this moment; null: a session may begin. */
export function closedWindow({ contract, windows }: Run, by: Side, at: number): ClosedWindow | null {
  const { windowPercentMax = null } = contract.limits;
  const window = windows[by];
  if (windowPercentMax === null || window === undefined || window.percent < windowPercentMax) return null;
  // Without a time, only a session can tell.
  return window.until !== null && window.until > at ? { ...window, percentMax: windowPercentMax } : null;
}
export type ClosedWindow = UsedWindow & { readonly percentMax: number };

/** A limit that the person has set: it is waited out like the subscription's own. */
export function windowUsed({ name, percent, until }: UsedWindow, percentMax: number): Failure {
  const text = `${Math.round(percent)} % of the subscription's ${name} window is used, and limits.window_percent is ${percentMax}.`;
  return { class: "limited", text, retryAt: until };
}

/** Notes a limit. `waitUntil` is null if the other agent can take over immediately. */
export function limited(run: Run, by: Side, until: number, at: number): { run: Run; waitUntil: number | null } {
  const noted = { ...run, limitedUntil: { ...run.limitedUntil, [by]: until } };
  if (run.contract.onLimit === "wait") return { run: noted, waitUntil: until };
  if (isFree(noted, other[by], at)) return { run: noted, waitUntil: null };
  return { run: noted, waitUntil: Math.min(until, noted.limitedUntil[other[by]]) };
}
