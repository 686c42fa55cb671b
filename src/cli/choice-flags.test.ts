// Flags whose value is one of a few words.
import { expect, test } from "vitest";
import { pairsFlag } from "./choice-flags.ts";

test.each([
  [undefined, {}],
  ["plan,implement,test,audit", { stages: ["plan", "implement", "test", "audit"] }],
  ["audit, implement,plan", { stages: ["plan", "implement", "audit"] }],
])("--pairs %s", (text, stages) => {
  expect(pairsFlag(text)).toEqual(stages);
});

test("pairs without implement are refused: nobody who asks for a plan gets it built", () => {
  expect(() => pairsFlag("plan")).toThrow(
    expect.objectContaining({
      code: "bad-flag",
      next: "--pairs plan,implement. To read a plan before anything is built: add --autonomy L1",
    }),
  );
});

test("a pair that does not exist is refused, with the nearest", () => {
  expect(() => pairsFlag("plan,adit")).toThrow(
    expect.objectContaining({ code: "bad-flag", next: "Did you mean: --pairs audit?" }),
  );
});
