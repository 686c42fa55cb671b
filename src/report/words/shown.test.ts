// What a grade rests on, in one sentence.
import { expect, test } from "vitest";
import type { RunName, RunShown } from "../../core/proof.ts";
import { restsOn } from "./shown.ts";

const shown = (run: RunName, how: string, check = "test"): RunShown => ({
  run,
  check,
  how,
  outcome: run === "C" || run === "D" ? "red" : "green",
});

test.each<[what: string, runs: RunShown[], says: string]>([
  [
    "numbers where the tests have names",
    [shown("A", "green, 212 tests passed"), shown("C", "6 new tests fail without the change", "")],
    "212 old tests pass, 6 new ones fail without it",
  ],
  [
    "one of each",
    [shown("A", "green, 1 test passed"), shown("C", "1 new test fails without the change", "")],
    "1 old test passes, 1 new one fails without it",
  ],
  [
    "a check that ran twice counts once, two checks count both",
    [
      shown("A", "green, 3 tests passed"),
      shown("A", "green, 2 tests passed, without the tests of earlier features"),
      shown("A", "green, 10 tests passed", "e2e"),
      shown("C", "test fails without the change", ""),
    ],
    "13 old tests pass, new tests fail without it",
  ],
  [
    "no numbers where a check gives no names",
    [shown("A", "green"), shown("C", "test fails without the change", "")],
    "old tests green, new tests fail without it",
  ],
  [
    "no old tests",
    [shown("A", "green, 0 tests passed"), shown("C", "2 new tests fail without the change", "")],
    "no old tests, 2 new tests fail without it",
  ],
])("%s", (_, runs, says) => {
  expect(restsOn(runs)).toBe(says);
});
