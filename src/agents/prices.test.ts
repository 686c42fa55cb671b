// Prices: by name with or without a date, a person's own table first, and unknown rather than wrong.
import { expect, test } from "vitest";
import { costOf, costOfRequest, highestPrice, priceOf } from "./prices.ts";

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

test.each(["", "claude-sonnet-9", "gpt-5.5-max", "toString", "__proto__"])("%j has none", (model) => {
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

test.each([
  ["claude-sonnet-4-5", 200_000, 6, 22.5],
  ["claude-haiku-5-5", 100_000, 0.5, 2.5],
  ["gpt-5.4", 272_000, 5, 22.5],
  ["gpt-6-astra", 272_000, 20, 75],
])("a request to %s above %i tokens of input costs more, all of it", (model, above, input, output) => {
  const price = priceOf(model);
  const tokens = { inputTokens: 0, outputTokens: 1e6, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const at = (inputTokens: number) => costOfRequest({ ...tokens, inputTokens }, price);
  expect(at(above)).toBeCloseTo((above * (price?.input ?? 0)) / 1e6 + (price?.output ?? 0), 9);
  expect(at(above + 1)).toBeCloseTo(((above + 1) * input) / 1e6 + output, 9);
  // A sum over many requests says nothing about the size of one.
  expect(costOf({ ...tokens, inputTokens: above + 1 }, price)).toBeCloseTo(
    ((above + 1) * (price?.input ?? 0)) / 1e6 + (price?.output ?? 0),
    9,
  );
});

test("a model without a price counts as the dearest of its provider", () => {
  expect(highestPrice("claude-opus-9")).toMatchObject({ input: 15, output: 75 });
  expect(highestPrice("gpt-9")).toMatchObject({ input: 150, output: 600 });
});
