import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "./nearest.ts";

const keys = ["agents", "checks", "limits", "autonomy", "records_dir", "cost_usd", "session_cost_usd"];

describe("nearest", () => {
  test.each([
    { word: "agent", found: "agents" },
    { word: "chekcs", found: "checks" },
    { word: "recordsDir", found: "records_dir" },
    { word: "COST-USD", found: "cost_usd" },
    { word: "limit", found: "limits" },
    { word: "zebra", found: null },
    { word: "", found: null },
    { word: "x".repeat(100_000), found: null },
  ])("$word is nearest to $found", ({ word, found }) => {
    expect(nearest(word, keys)).toBe(found);
  });

  test("a known word is nearest to itself", () => {
    for (const key of keys) expect(nearest(key, keys)).toBe(key);
  });

  test("the distance is zero only for equal words, symmetric, and at most the length of the longer word", () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
