// The line diff: exact in both directions, small, and quick on texts that have nothing in common.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../testing/cpu-time.ts";
import { hunks, takeBack } from "./hunks.ts";

const lines = (...all: string[]): string => all.join("\n");

test.each([
  ["nothing", "a\nb\n", "a\nb\n", []],
  ["an added line", "a\nb\n", "a\nx\nb\n", [{ at: 2, removed: [], added: ["x"] }]],
  ["a removed line", "a\nb\nc\n", "a\nc\n", [{ at: 2, removed: ["b"], added: [] }]],
  ["a changed line", "a\nb\nc\n", "a\nx\nc\n", [{ at: 2, removed: ["b"], added: ["x"] }]],
  ["a missing last newline", "a\n", "a", [{ at: 2, removed: [""], added: [] }]],
  ["a new text", "", "a\n", [{ at: 1, removed: [], added: ["a"] }]],
  ["carriage returns", "a\r\nb\r\n", "a\nb\r\n", [{ at: 1, removed: ["a\r"], added: ["a"] }]],
])("finds %s", (_what, before, after, expected) => {
  expect(hunks(before, after)).toEqual(expected);
});

test("keeps two functions with the same closing lines apart", () => {
  const before = lines("f {", "  1", "}", "", "g {", "  2", "}", "");
  const after = lines("f {", "  1", "}", "", "h {", "  3", "}", "", "g {", "  2", "}", "");
  expect(hunks(before, after)).toEqual([{ at: 5, removed: [], added: ["h {", "  3", "}", ""] }]);
});

describe("any two texts", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", "", "}"), { maxLength: 40 }).map((all) => all.join("\n"));

  test("are equal again once every hunk is taken back, last first", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(hunks(before, after).toReversed().reduce(takeBack, after)).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });

  test("have at most as many hunks as differing lines, and none where they are equal", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(hunks(one, one)).toEqual([]);
      }),
    );
  });
});

test("a small change in a large file of repeated lines is found exactly", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? "}" : `line ${at % 7}`));
  const after = many.toSpliced(9000, 1, "new").toSpliced(15_000, 2);
  const found = hunks(many.join("\n"), after.join("\n"));
  expect(found.reduce((sum, hunk) => sum + hunk.added.length + hunk.removed.length, 0)).toBeLessThan(10);
});

test("two large texts that share only common lines are compared in bounded time", () => {
  const made = (seed: number): string =>
    Array.from({ length: 30_000 }, (_, at) => ["}", "", "else {", "return"][((at * seed) % 11) % 4]).join("\n");
  const [before, after] = [made(7), made(13)];
  const began = cpuMs();
  const found = hunks(before, after);
  expect(cpuMs() - began).toBeLessThan(5000);
  expect(found.toReversed().reduce(takeBack, after)).toBe(before);
});
