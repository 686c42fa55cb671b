import fc from "fast-check";
import { expect, test } from "vitest";
import { fitted, widthOf } from "./width.ts";

test.each([
  ["plain", 5],
  ["日本語", 6],
  ["한글", 4],
  ["e\u0301", 1],
  ["👩", 2],
  ["⠹ · …", 5],
])("%j is %i columns wide", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("cut text fits, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
      expect(widthOf(fitted(text, columns))).toBeLessThanOrEqual(columns);
      if (widthOf(text) <= columns) expect(fitted(text, columns)).toBe(text);
    }),
  );
});
