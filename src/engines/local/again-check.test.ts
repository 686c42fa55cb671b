// What makes a past proof a mismatch when it is run again.
import { expect, test } from "vitest";
import { type AgainCheck, differences } from "./again-check.ts";

const tests = (total: number, skipped = 0) => ({ total, skipped, failed: 0 });
const again = (change: Partial<AgainCheck>): AgainCheck => ({
  name: "test",
  on: "candidate",
  was: "green",
  is: "green",
  tests: { was: tests(3), is: tests(3) },
  ...change,
});

test.each<{ what: string; check: Partial<AgainCheck>; says: string | null }>([
  { what: "the same", check: {}, says: null },
  { what: "more tests", check: { tests: { was: tests(3), is: tests(4) } }, says: null },
  { what: "fewer skipped", check: { tests: { was: tests(3, 1), is: tests(3) } }, says: null },
  { what: "never counted", check: { tests: { was: null, is: tests(1) } }, says: null },
  { what: "another ending", check: { is: "failed" }, says: "test on the commit was green, and is failed now" },
  {
    what: "fewer tests",
    check: { tests: { was: tests(3), is: tests(2) } },
    says: "test on the commit ran 3 tests, and runs 2 tests now",
  },
  {
    what: "more skipped",
    check: { on: "sealed", tests: { was: tests(3), is: tests(3, 1) } },
    says: "test with the sealed tests laid back ran 3 tests, and runs 3 tests, 1 skipped now",
  },
  {
    what: "no report any more",
    check: { tests: { was: tests(3), is: null } },
    says: "test on the commit ran 3 tests, and what it runs now cannot be counted",
  },
  {
    what: "fewer tests over the old code",
    check: { on: "before", was: "failed", is: "failed", tests: { was: tests(3), is: tests(1) } },
    says: null,
  },
])("$what", ({ check, says }) => {
  expect(differences(again(check))).toEqual(says === null ? [] : [says]);
});
