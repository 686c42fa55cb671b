// Breakers against endless repetition.
import { expect, test } from "vitest";
import { F1, F2 } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { update } from "./attempt.ts";
import { breakerTripped, errorBreaker } from "./breakers.ts";
import { begin, noStreaks, type Streaks } from "./run.ts";

const tripped = (streaks: Partial<Streaks>) =>
  breakerTripped({ ...begin(contractOf([feature("F1")])), streaks: { ...noStreaks, ...streaks } }, F1);
const error = (times: number) => ({ key: "crashed: why", times });

test.each([
  { what: "iterations without change", at: { unchanged: 2 }, below: { unchanged: 1 }, breaker: "nothing-changed" },
  {
    what: "iterations without a further criterion",
    at: { stuck: 5 },
    below: { stuck: 4 },
    breaker: "same-criteria-unmet",
  },
  { what: "times the same error", at: { error: error(3) }, below: { error: error(2) }, breaker: "same-error" },
  { what: "failed sessions", at: { failures: 6 }, below: { failures: 5 }, breaker: "same-error" },
  { what: "waits", at: { waits: 50 }, below: { waits: 49 }, breaker: "still-failing-to-reach" },
])("too many $what trip $breaker, one fewer does not", ({ at, below, breaker }) => {
  expect(tripped(at)).toMatchObject({ kind: "breaker", breaker });
  expect(tripped(below)).toBeNull();
});

test("after a session only errors are checked: an iteration in progress may still change something", () => {
  expect(errorBreaker({ ...noStreaks, unchanged: 9, stuck: 9 })).toBeNull();
});

test("nothing changed twice on a feature that is shelved: another open feature is tried first, once", () => {
  const run = begin(contractOf([feature("F1"), feature("F2")]));
  const shelved = (unchanged: number, other: "not-started" | "blocked") =>
    breakerTripped(
      {
        ...update(update(run, F1, { status: "blocked" }), F2, { status: other }),
        streaks: { ...noStreaks, unchanged },
      },
      F1,
    );
  expect(shelved(2, "not-started")).toBeNull();
  expect(shelved(3, "not-started")).toMatchObject({ breaker: "nothing-changed", times: 3 });
  expect(shelved(2, "blocked")).toMatchObject({ breaker: "nothing-changed", times: 2 });
});
