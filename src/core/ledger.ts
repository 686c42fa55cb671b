// Money, tokens, time and counts: reserved before they are spent, settled afterwards, never exceeded unnoticed.
import { capped, type LimitName, limitRow, limitsOfTask, usedByTask, written } from "./limits.ts";
import type { Cap, Outcome } from "./outcome.ts";
import type { Run, Spend, Ticket } from "./run.ts";
import type { Usage } from "./session.ts";

/** Amounts are kept to the millionth of a dollar, so that adding up many of them is exact. */
export const usd = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** The first cap that is reached, as people set it: for the task. Exactly at the cap means stop: never one more. */
export function capReached(run: Run, caps: readonly Cap[]): Outcome | null {
  const [limits, spent, open] = [limitsOfTask(run.contract), usedByTask(run), reserved(run)];
  for (const cap of caps) {
    const row = capped.find(({ name }) => name === cap);
    const most = row === undefined ? null : limits[row.limit];
    if (row === undefined || most === null) continue;
    const { limit, counts } = row;
    const used = shown(limit, spent[counts] + (open[counts] ?? 0));
    const allowed = shown(limit, most);
    if (used >= allowed) return { kind: "cap", cap, used, allowed };
  }
  return null;
}

/** A session whose price is known, and is more than what is left, is not begun. */
export function tooDear({ contract, spent }: Run, priceUsd: number | undefined): Outcome | null {
  const { costUsdMax } = limitsOfTask(contract);
  const { costUsd } = usedByTask({ contract, spent });
  if (priceUsd === undefined || costUsdMax === null || usd(costUsd + priceUsd) <= costUsdMax) return null;
  return { kind: "cap", cap: "cost", used: costUsd, allowed: costUsdMax, price: priceUsd };
}

/** In the unit that people write; minutes to the hundredth. */
function shown(limit: LimitName, value: number): number {
  return limitRow(limit).unit === "minutes" ? Math.round((written(limit, value) ?? 0) * 100) / 100 : value;
}

/** Caps that a session could exceed, and caps that an iteration could exceed. */
export const sessionCaps: readonly Cap[] = ["cost", "tokens", "minutes", "sessions"];
export const iterationCaps: readonly Cap[] = [...sessionCaps, "check-minutes", "commits", "iterations"];

/** Reserved for sessions that have begun and are not settled yet; it counts as spent until then. */
function reserved({ now }: Run): { readonly costUsd: number; readonly tokens: number } & Partial<Spend> {
  const ticket = now.is === "in-session" ? now.ticket : null;
  return { costUsd: ticket?.reservedUsd ?? 0, tokens: ticket?.reservedTokens ?? 0 };
}

/** What a session that starts now may use, in money and tokens. Null: no limit. */
export function reservation(run: Run): Pick<Ticket, "reservedUsd" | "reservedTokens"> {
  const { costUsdMax, sessionCostUsdMax, tokensMax } = run.contract.limits;
  const { costUsd, tokens } = reserved(run);
  const left = costUsdMax === null ? sessionCostUsdMax : costUsdMax - run.spent.costUsd - costUsd;
  return {
    reservedUsd: usd(Math.min(sessionCostUsdMax, left)),
    reservedTokens: tokensMax === null ? null : Math.max(0, tokensMax - run.spent.tokens - tokens),
  };
}

/** What an agent of unknown price is taken to spend: $180 an hour, several times what coding agents are seen to. */
export const unknownUsdPerSecond = 0.05;

/** A session that was over at once cannot have cost what one of an hour may. */
export const boundedByTime = (usage: Usage, ms: number): Usage =>
  usage.costUsd === null
    ? {
        ...usage,
        atMostUsd: Math.min(usage.atMostUsd ?? Number.POSITIVE_INFINITY, usd((ms / 1000) * unknownUsdPerSecond)),
      }
    : usage;

/** What a session is charged: its reported cost, or else the most that it can have cost, within its reservation. */
export function charge(ticket: Ticket, usage: Usage): { costUsd: number; estimated: boolean } {
  return usage.costUsd === null
    ? { costUsd: Math.min(ticket.reservedUsd, usage.atMostUsd ?? ticket.reservedUsd), estimated: true }
    : { costUsd: usd(usage.costUsd), estimated: usage.isEstimate === true };
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
