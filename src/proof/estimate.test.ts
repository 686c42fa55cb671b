// Estimates of how long a proof takes.
import { expect, test } from "vitest";
import { estimateProof } from "./estimate.ts";

test("runs of new tests alone are short where the check can select files", () => {
  const slow = { ms: 60_000, roomMs: 1000 };
  const [selecting] = [estimateProof([{ ...slow, files: 30 }])];
  const whole = estimateProof([{ ...slow, files: null }]);
  expect(selecting.quick).toBe(2 * 61_000 + 13_000);
  expect(whole.quick).toBe(3 * 61_000);
  expect(whole.deep).toBeGreaterThan(whole.standard);
  expect(whole.standard).toBeGreaterThan(whole.quick);
});

test("no checks take no time", () => {
  expect(estimateProof([])).toEqual({ quick: 0, standard: 0, deep: 0 });
});
