// What varies between two runs of the same failure, and what does not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanTail, normalise, signatureOf } from "./signature.ts";

const of = (text: string) => signatureOf("failed", text, "/place/scratch-1");

test.each([
  { what: "times", a: "2026-01-05T10:00:00.123Z fail", b: "2027-11-15T23:59:01Z fail" },
  { what: "times of day", a: "fail at 10:00:01", b: "fail at 9:12:33.5 PM" },
  { what: "epochs", a: "ts=1767607200 fail", b: "ts=1767607300123 fail" },
  { what: "durations", a: "✗ adds (12 ms)", b: "✗ adds (1.5s)" },
  { what: "padded durations", a: "Duration    9ms", b: "Duration  123ms" },
  {
    what: "durations before their number",
    a: "not ok 1 - adds\n  duration_ms: 1.23",
    b: "not ok 1 - adds\n  duration_ms: 9",
  },
  { what: "totals of a node run", a: "ℹ fail 1\nℹ duration_ms 71.29", b: "ℹ fail 1\nℹ duration_ms 102.5" },
  { what: "hashes", a: "commit 3f2a9c1 bad", b: "commit 8e7d6c5b4a3f2a9c18e7d6c5b4a3f2a9c1aabbcc bad" },
  { what: "ids", a: "id 123e4567-e89b-42d3-a456-426614174000", b: "id 00000000-e89b-42d3-a456-426614174fff" },
  { what: "addresses", a: "at 0x7ffee4", b: "at 0xdeadbeef" },
  { what: "temporary folders", a: "open /tmp/x-ab12/db failed", b: "open /tmp/y-99/db2 failed" },
  { what: "process numbers", a: "(node:123) warning, pid 17", b: "(node:99999) warning, pid 4711" },
  { what: "ports", a: "connect 127.0.0.1:40123", b: "connect 127.0.0.1:3999" },
  { what: "places in a file", a: "at src/calc.js:12:5", b: "at src/calc.js:14:9" },
  { what: "places in another style", a: "src/a.ts(12,5): error", b: "src/a.ts(1,55): error" },
  { what: "places in words", a: 'File "a.py", line 3, in f', b: 'File "a.py", line 30, in f' },
  { what: "colours", a: "\u001b[31mfail\u001b[0m", b: "fail" },
  { what: "the order of tests", a: "✗ one\n✗ two", b: "✗ two\n✗ one" },
])("$what do not make a different failure", ({ a, b }) => {
  expect(of(a)).toBe(of(b));
});

test.each([
  { what: "another count", a: "1 failed", b: "2 failed" },
  { what: "another test", a: "✗ adds", b: "✗ subtracts" },
  { what: "another file", a: "at src/a.js:1:1", b: "at src/b.js:1:1" },
  { what: "other values", a: "expected 3, got 4", b: "expected 3, got 5" },
  { what: "an English word that looks like a hash", a: "defaced", b: "effaced" },
])("$what makes a different failure", ({ a, b }) => {
  expect(of(a)).not.toBe(of(b));
});

test("how it ended is part of it", () => {
  expect(signatureOf("failed", "x", "/a")).not.toBe(signatureOf("timed-out", "x", "/a"));
});

test("the folder it ran in is not part of it", () => {
  expect(normalise("/place/scratch-1/src/a.js:3", "/place/scratch-1")).toBe("<here>/src/a.js:<line>");
});

test("the tail is bounded, and ends like the output, for any output", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 9000 }), (text) => {
      const tail = cleanTail(`${text}\nthe end\n`);
      expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4200);
      expect(tail.endsWith("the end")).toBe(true);
      expect(of(text)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});
