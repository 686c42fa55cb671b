// List prices of models, for agents that do not report their cost and for sessions that died before they could.
import type { Usage } from "../core/session.ts";

/** US dollars per million tokens. */
export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };
export type Prices = Readonly<Record<string, Price>>;

// As of 2026-11-15. The table does not follow the providers' changes: `prices` in loop.yaml overrides it.
// If a provider charges more beyond some context size, this is the lower rate: the ledger's caps still apply.
const table: Prices = {
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-sonnet-4-6": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-4-6": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-4-7": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-4-8": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "claude-fable-5": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
  "gpt-5-codex": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
  "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 },
  "gpt-5.4": { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 },
  "gpt-5.4-mini": { input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0.75 },
  "gpt-5.5": { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 5 },
};

/** The price of a model by its name, with or without a date or a context-size suffix; null if unknown. */
export function priceOf(model: string, overrides: Prices = {}): Price | null {
  const plain = model.replace(/\[1m\]$/, "");
  const undated = plain.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  for (const name of [model, plain, undated]) {
    const price = own(overrides, name) ?? own(table, name);
    if (price !== undefined) return price;
  }
  return null;
}

/** For a model without a known price: it must not be taken for nothing. */
export function highestPrice(overrides: Prices = {}): Price {
  const all = Object.values({ ...table, ...overrides });
  const most = (of: keyof Price): number => Math.max(...all.map((price) => price[of]));
  return { input: most("input"), output: most("output"), cacheRead: most("cacheRead"), cacheWrite: most("cacheWrite") };
}

type Tokens = Omit<Usage, "costUsd"> & { readonly cacheWriteHourTokens?: number };
/** A cache that is kept for an hour instead of minutes costs twice its input to write. */
const hourFactor = 2;

export function costOf(tokens: Tokens, price: Price | null): number | null {
  if (price === null) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = tokens;
  const hourMore = cacheWriteHourTokens * Math.max(0, hourFactor * price.input - price.cacheWrite);
  const written = cacheWriteTokens * price.cacheWrite + hourMore;
  const inputUsd = inputTokens * price.input + cacheReadTokens * price.cacheRead + written;
  return (inputUsd + outputTokens * price.output) / 1e6;
}

const own = (prices: Prices, name: string): Price | undefined =>
  Object.hasOwn(prices, name) ? prices[name] : undefined;
