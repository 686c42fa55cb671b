// Money, tokens, time and counts: reserved before they are spent, settled after, never passed unseen.
import type { Limits } from "./contract.ts";
import type { Cap, Outcome } from "./outcome.ts";
import type { Run, Spend, Ticket } from "./run.ts";
import type { Usage } from "./session.ts";

/** Sums of money are kept to the millionth of a dollar, so that adding up many is exact. */
export const usd = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** The first cap that is reached. Exactly at the cap means stop: never one more. */
export function capReached(run: Run, caps: readonly Cap[]): Outcome | null {
  const { spent, contract } = run;
  for (const cap of caps) {
    const { used, allowed } = counters(spent, contract.limits)[cap];
    if (allowed !== null && used >= allowed) return { kind: "cap", cap, used, allowed };
  }
  return null;
}

function counters(spent: Spend, limits: Limits): Record<Cap, { used: number; allowed: number | null }> {
  const minutes = (ms: number) => Math.round(ms / 600) / 100;
  return {
    cost: { used: spent.costUsd, allowed: limits.costUsdMax },
    tokens: { used: spent.tokens, allowed: limits.tokensMax },
    minutes: {
      used: minutes(spent.activeMs),
      allowed: limits.activeMsMax === null ? null : minutes(limits.activeMsMax),
    },
    "check-minutes": {
      used: minutes(spent.checkMs),
      allowed: limits.checkMsMax === null ? null : minutes(limits.checkMsMax),
    },
    sessions: { used: spent.sessions, allowed: limits.sessionsMax },
    commits: { used: spent.commits, allowed: limits.commitsMax },
    iterations: { used: spent.iterations, allowed: limits.iterationsMax },
  };
}

/** Caps that a session could pass, and caps that an iteration could pass. */
export const sessionCaps: readonly Cap[] = ["cost", "tokens", "minutes", "sessions"];
export const iterationCaps: readonly Cap[] = [...sessionCaps, "check-minutes", "commits", "iterations"];

/** What a session that starts now may cost. */
export function reservation({ spent, contract }: Run): number {
  const { costUsdMax, sessionCostUsdMax } = contract.limits;
  return costUsdMax === null ? sessionCostUsdMax : usd(Math.min(sessionCostUsdMax, costUsdMax - spent.costUsd));
}

/** What a session is charged: what it said it cost, or all that was set aside for it. */
export function charge(ticket: Ticket, usage: Usage): { costUsd: number; estimated: boolean } {
  return usage.costUsd === null
    ? { costUsd: ticket.reservedUsd, estimated: true }
    : { costUsd: usd(usage.costUsd), estimated: false };
}

export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

export function settle(spent: Spend, ticket: Ticket, usage: Usage): Spend {
  const { costUsd, estimated } = charge(ticket, usage);
  return {
    ...spent,
    costUsd: usd(spent.costUsd + costUsd),
    estimated: spent.estimated || estimated,
    tokens: spent.tokens + tokensOf(usage),
  };
}
