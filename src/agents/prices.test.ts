// Prices: by name with or without a date, a person's own table first, and unknown rather than wrong.
import { expect, test } from "vitest";
import { costOf, priceOf } from "./prices.ts";

const one = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };

test.each([
  ["claude-sonnet-4-5", 3],
  ["claude-sonnet-4-5-20250929", 3],
  ["claude-sonnet-4-5[1m]", 3],
  ["gpt-5.5", 5],
  ["gpt-5.5-2026-04-23", 5],
])("%s has a price", (model, input) => {
  expect(priceOf(model)?.input).toBe(input);
});

test.each(["", "claude-sonnet-9", "gpt-5.5-pro", "toString", "__proto__"])("%j has none", (model) => {
  expect(priceOf(model)).toBeNull();
  expect(
    costOf({ inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 }, priceOf(model)),
  ).toBeNull();
});

test("a person's price takes precedence", () => {
  expect(priceOf("gpt-5.5", { "gpt-5.5": one })).toBe(one);
  expect(priceOf("mine", { mine: one })).toBe(one);
});

test("each kind of token has its own rate", () => {
  const tokens = { inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6 };
  expect(costOf(tokens, one)).toBe(10);
});
