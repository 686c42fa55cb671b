// Lines are broken between words, and never inside one.
import { expect, test, vi } from "vitest";
import { wrapped } from "./wrap.ts";

test.each([
  ["short", "  prove     test is green", "  prove     test is green"],
  [
    "below the text of a label",
    "  refused   to be done again: The agent said that it was done",
    "  refused   to be done again: The agent\n            said that it was done",
  ],
  [
    "a little to the right of a sentence",
    "  F004: the same cause twice, and then it was put away",
    "  F004: the same cause twice, and then\n    it was put away",
  ],
  [
    "below the text of a label with a mark",
    "✓ maker     claude 2.1.0, logged in (says claude auth status)",
    "✓ maker     claude 2.1.0, logged in\n            (says claude auth status)",
  ],
  ["a word that is too long stays whole", `${"x".repeat(60)} y`, `${"x".repeat(60)}\n  y`],
  ["boxes are left alone", `│ ${"x ".repeat(40)}│`, `│ ${"x ".repeat(40)}│`],
])("%s", (_, line, expected) => {
  expect(wrapped(line, 40)).toBe(expected);
});

test("colours take no space", () => {
  const line = `  prove     \u001b[32mtest (old tests, new code): green\u001b[39m, 2 tests`;
  expect(wrapped(line, 56)).toBe(line);
});

test("text that does not go to a terminal is left alone", () => {
  expect(wrapped("a ".repeat(200), undefined)).toBe("a ".repeat(200));
});

test("times are in the time zone of the reader at a terminal, and in UTC in a pipe", () => {
  const text = "last event 2026-11-19T21:20:05Z";
  vi.stubEnv("TZ", "Asia/Kolkata");
  expect(wrapped(text, 100)).toBe("last event 2026-11-20 02:50");
  vi.unstubAllEnvs();
  expect(wrapped(text, undefined)).toBe(text);
});
