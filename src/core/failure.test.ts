// The rule for each class of failed session.
import { expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { failureRule, guessesMax } from "./failure.ts";
import { begin, noStreaks, type Streaks } from "./run.ts";
import type { Failure, FailureClass } from "./session.ts";

const run = (streaks: Partial<Streaks> = {}) => ({
  ...begin(contractOf([feature("F1")])),
  streaks: { ...noStreaks, ...streaks },
});
const failure = (kind: FailureClass, retryAt: number | null = null): Failure => ({ class: kind, text: "why", retryAt });
const at = 1_000_000;
const minute = 60_000;

test.each([
  { waits: 0, retryAt: null, until: at + minute / 2 },
  { waits: 1, retryAt: null, until: at + minute },
  { waits: 4, retryAt: null, until: at + 8 * minute },
  { waits: 30, retryAt: null, until: at + 15 * minute },
  { waits: 0, retryAt: at + 5, until: at + 5 },
])(
  "after $waits waits, a lost connection (retry requested at $retryAt) is retried at $until",
  ({ waits, retryAt, until }) => {
    const { rule, streaks } = failureRule(run({ waits }), failure("transient", retryAt), at);
    expect(rule).toEqual({ do: "retry", at: until, because: "why" });
    expect(streaks.waits).toBe(waits + 1);
  },
);

test.each([
  { waits: 0, retryAt: null, until: at + 5 * minute },
  { waits: 1, retryAt: null, until: at + 10 * minute },
  { waits: 20, retryAt: null, until: at + 30 * minute },
  { waits: 0, retryAt: at + 3 * minute, until: at + 4 * minute },
  { waits: 0, retryAt: at - 9 * minute, until: at + 1000 },
])(
  "after $waits waits, a usage limit that ends at $retryAt is waited for until $until",
  ({ waits, retryAt, until }) => {
    const { rule } = failureRule(run({ waits }), failure("limited", retryAt), at);
    expect(rule).toEqual({ do: "retry", at: until, because: "why" });
  },
);

test.each([
  { waits: guessesMax - 1, rule: "retry", counts: { waits: guessesMax, failures: 0 } },
  { waits: guessesMax, rule: "fail", counts: { waits: guessesMax, failures: 1, error: { times: 1 } } },
])("an outage that is only guessed, after $waits waits: $rule", ({ waits, rule, counts }) => {
  const after = failureRule(run({ waits }), { ...failure("transient"), isGuess: true }, at);
  expect(after.rule.do).toBe(rule);
  expect(after.streaks).toMatchObject(counts);
});

test.each(["transient", "limited"] as const)("%s counts as a wait, not as an error", (kind) => {
  const { streaks } = failureRule(run({ failures: 2, error: { key: "x", times: 2 } }), failure(kind), at);
  expect(streaks).toMatchObject({ waits: 1, failures: 2, error: { times: 0 } });
});

test.each(["authentication", "billing", "misconfigured"] as const)("%s asks a person right away", (kind) => {
  const { rule, streaks } = failureRule(run(), failure(kind), at);
  expect(rule).toMatchObject({
    do: "rest",
    outcome: { kind: "needs-person", need: { about: "agent", failure: kind } },
  });
  expect(streaks).toEqual(noStreaks);
});

test("a refusal by the model fails the attempt, and is no error that repeats", () => {
  const { rule, streaks } = failureRule(run(), failure("refused"), at);
  expect(rule).toMatchObject({ do: "fail", cause: { kind: "session", key: "session:refused" } });
  expect(streaks).toEqual(noStreaks);
});

test("a full context is handed over to a fresh session immediately, and counted", () => {
  const { rule, streaks } = failureRule(run(), failure("context-full"), at);
  expect(rule).toEqual({ do: "retry", at: null, because: "why" });
  expect(streaks).toMatchObject({ failures: 1, error: { key: "context-full: why", times: 1 } });
});

test.each(["crashed", "timed-out", "silent", "no-result"] as const)("%s counts against the attempt", (kind) => {
  const { rule, streaks } = failureRule(run(), failure(kind), at);
  expect(rule).toMatchObject({ do: "fail", cause: { kind: "session", key: `session:${kind}` } });
  expect(streaks).toMatchObject({ failures: 1, waits: 0 });
});

test("the same error is counted further, a different one from one", () => {
  const before = run({ failures: 4, error: { key: "crashed: why", times: 1 } });
  expect(failureRule(before, failure("crashed"), at).streaks).toMatchObject({ failures: 5, error: { times: 2 } });
  expect(failureRule(before, failure("silent"), at).streaks).toMatchObject({ failures: 5, error: { times: 1 } });
});
