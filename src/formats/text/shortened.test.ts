import fc from "fast-check";
import { expect, test } from "vitest";
import { shortened, shortLine } from "./shortened.ts";

test.each([
  { title: "what fits", text: "one two", max: 7, short: "one two" },
  { title: "at a word", text: "one two three", max: 10, short: "one two…" },
  { title: "after a whole word", text: "one two three", max: 8, short: "one two…" },
  { title: "inside a long word", text: "one twotwotwotwo", max: 10, short: "one twotw…" },
  { title: "before a pair of surrogates", text: "abc😀def", max: 5, short: "abc…" },
  { title: "before an accent's letter", text: "abcde\u0301fgh", max: 6, short: "abcd…" },
])("is $short: $title", ({ text, max, short }) => expect(shortened(text, max)).toBe(short));

test("is never longer than asked, and never half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, max) => {
      expect(shortened(text, max).length).toBeLessThanOrEqual(Math.max(max, 1));
      expect(shortened(text, max)).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test("makes one line of several", () => expect(shortLine(" one\n two\t three ", 40)).toBe("one two three"));
