// List prices of models, for agents that do not report their cost and for sessions that died before they could.
import type { Usage } from "../core/session.ts";

/** US dollars per million tokens. */
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };
/** `long`: what a whole request costs whose input is above so many tokens. */
export type Price = Rates & { readonly long?: Rates & { readonly above: number } };
export type Prices = Readonly<Record<string, Price>>;

/** Anthropic's cache costs a tenth of the input to read, unless it says otherwise, and a quarter more to write. */
const claude = (input: number, output: number, cacheRead = input / 10): Price => ({
  ...{ input, output, cacheRead },
  cacheWrite: input * 1.25,
});
/** OpenAI's costs nothing to write, in generations before 5.6. */
const gpt = (input: number, output: number, cacheRead = input / 10, cacheWrite = input): Price => ({
  ...{ input, output, cacheRead, cacheWrite },
});
const above = (tokens: number, price: Price, inputFactor = 2, outputFactor = 1.5): Price => ({
  ...price,
  long: {
    above: tokens,
    input: price.input * inputFactor,
    output: price.output * outputFactor,
    cacheRead: price.cacheRead * inputFactor,
    cacheWrite: price.cacheWrite * inputFactor,
  },
});
const gptLong = (input: number, output: number, cacheRead = input / 10, cacheWrite = input): Price =>
  above(272_000, gpt(input, output, cacheRead, cacheWrite));

// As of 2026-11-15. The table does not follow the providers' changes: `prices` in loop.yaml overrides it.
const table: Prices = {
  "claude-3-5-haiku": claude(0.8, 4),
  "claude-3-7-sonnet": claude(3, 15),
  "claude-haiku-4-5": claude(1, 5),
  "claude-haiku-5-5": above(100_000, claude(0.1, 0.5), 5, 5),
  "claude-sonnet-4": above(200_000, claude(3, 15)),
  "claude-sonnet-4-0": above(200_000, claude(3, 15)),
  "claude-sonnet-4-5": above(200_000, claude(3, 15)),
  "claude-sonnet-4-6": claude(3, 15),
  "claude-sonnet-5": claude(2, 10),
  "claude-sonnet-5-5": claude(2, 10, 0.1),
  "claude-opus-4": claude(15, 75),
  "claude-opus-4-0": claude(15, 75),
  "claude-opus-4-1": claude(15, 75),
  "claude-opus-4-5": claude(5, 25),
  "claude-opus-4-6": claude(5, 25),
  "claude-opus-4-7": claude(5, 25),
  "claude-opus-4-8": claude(5, 25),
  "claude-opus-5": claude(5, 25),
  "claude-opus-5-5": claude(4, 20, 0.2),
  "claude-fable-5": claude(10, 50),
  "claude-fable-5-1": claude(10, 50, 0.25),
  "gpt-4o": gpt(2.5, 10, 1.25),
  "gpt-4o-mini": gpt(0.15, 0.6, 0.075),
  "gpt-4.1": gpt(2, 8, 0.5),
  "gpt-4.1-mini": gpt(0.4, 1.6, 0.1),
  "gpt-4.1-nano": gpt(0.1, 0.4, 0.025),
  "gpt-4.5-preview": gpt(75, 150, 37.5),
  o1: gpt(15, 60, 7.5),
  "o1-pro": gpt(150, 600, 150),
  o3: gpt(2, 8, 0.5),
  "o3-mini": gpt(1.1, 4.4, 0.55),
  "o3-pro": gpt(20, 80, 20),
  "o4-mini": gpt(1.1, 4.4, 0.275),
  "gpt-5": gpt(1.25, 10),
  "gpt-5-codex": gpt(1.25, 10),
  "gpt-5-mini": gpt(0.25, 2),
  "gpt-5-nano": gpt(0.05, 0.4),
  "gpt-5-pro": gpt(15, 120, 15),
  "gpt-5.1": gpt(1.25, 10),
  "gpt-5.1-codex": gpt(1.25, 10),
  "gpt-5.1-codex-max": gpt(1.25, 10),
  "gpt-5.1-codex-mini": gpt(0.25, 2),
  "gpt-5.2": gpt(1.75, 14),
  "gpt-5.2-codex": gpt(1.75, 14),
  "gpt-5.2-pro": gpt(21, 168, 21),
  "gpt-5.3-codex": gpt(1.75, 14),
  "gpt-5.4": gptLong(2.5, 15),
  "gpt-5.4-mini": gpt(0.75, 4.5),
  "gpt-5.4-nano": gpt(0.2, 1.25),
  "gpt-5.4-pro": gptLong(30, 180, 30),
  "gpt-5.5": gptLong(5, 30),
  "gpt-5.5-pro": gptLong(30, 180, 30),
  "gpt-5.6": gptLong(5, 30, 0.5, 6.25),
  "gpt-5.6-sol": gptLong(5, 30, 0.5, 6.25),
  "gpt-5.6-terra": gptLong(2, 12, 0.2, 2.5),
  "gpt-5.6-luna": gptLong(0.2, 1.2, 0.02, 0.25),
  "gpt-6-astra": gptLong(10, 50, 1, 12.5),
  "gpt-6-sol": gptLong(2, 10, 0.2, 2.5),
  "gpt-6-luna": gptLong(0.1, 0.5, 0.01, 0.125),
  "gpt-6.1-sol": gptLong(2, 10, 0.1, 2.5),
};

/** The price of a model by its name, with or without a date or a context-size suffix; null if unknown. */
export function priceOf(model: string, overrides: Prices = {}): Price | null {
  for (const name of namesOf(model)) {
    const price = own(overrides, name) ?? own(table, name);
    if (price !== undefined) return price;
  }
  return null;
}

/** The name as it is, and without a context-size suffix and a date. */
export function namesOf(model: string): readonly string[] {
  const plain = model.replace(/\[1m\]$/, "");
  return [model, plain, plain.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "")];
}

/** For a model without a known price: it must not be taken for less than any of its provider's. */
export function highestPrice(model: string, overrides: Prices = {}): Price {
  const all = Object.entries({ ...table, ...overrides })
    .filter(([name]) => !model.startsWith("claude-") || name.startsWith("claude-"))
    .flatMap(([, price]): Rates[] => [price, price.long ?? price]);
  const most = (of: keyof Rates): number => Math.max(...all.map((price) => price[of]));
  return { input: most("input"), output: most("output"), cacheRead: most("cacheRead"), cacheWrite: most("cacheWrite") };
}

type Tokens = Omit<Usage, "costUsd"> & {
  readonly cacheWriteHourTokens?: number;
  readonly webSearches?: number;
  readonly isRegional?: true;
};
/** A cache that is kept for an hour instead of minutes costs twice its input to write. */
const hourFactor = 2;
/** A search of the web by the provider's own tool. */
const searchUsd = 0.01;
/** Answers that are made in one region only. */
const regionFactor = 1.1;

/** `price` counts as it is, whatever the size: these tokens may be those of many requests. */
export function costOf(tokens: Tokens, price: Rates | null): number | null {
  if (price === null) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = tokens;
  const hourMore = cacheWriteHourTokens * Math.max(0, hourFactor * price.input - price.cacheWrite);
  const written = cacheWriteTokens * price.cacheWrite + hourMore;
  const inputUsd = inputTokens * price.input + cacheReadTokens * price.cacheRead + written;
  const factor = tokens.isRegional === true ? regionFactor : 1;
  return ((inputUsd + outputTokens * price.output) / 1e6) * factor + (tokens.webSearches ?? 0) * searchUsd;
}

/** The same for one request, whose price depends on its size. */
export function costOfRequest(tokens: Tokens, price: Price | null): number | null {
  const size = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
  return costOf(tokens, price?.long !== undefined && size > price.long.above ? price.long : price);
}

const own = (prices: Prices, name: string): Price | undefined =>
  Object.hasOwn(prices, name) ? prices[name] : undefined;
