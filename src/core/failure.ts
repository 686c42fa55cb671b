// The rule for each class of failed session: back off, wait, ask, hand over, or count it against the attempt.
import type { Cause } from "./cause.ts";
import { unreachable } from "./errors.ts";
import { limitsOfTask, usedByTask } from "./limits.ts";
import type { AfterCollecting, Run, Streaks } from "./run.ts";
import type { FailedSession, Failure } from "./session.ts";

const minute = 60_000;
/** Each session costs money, so what only looks like an outage is waited for about an hour, then counted. */
export const guessesMax = 8;

export type AfterFailure = { readonly rule: AfterCollecting; readonly streaks: Streaks };

export function failureRule(run: Run, failure: Failure, at: number): AfterFailure {
  const { streaks } = run;
  const waited = { ...streaks, waits: streaks.waits + 1 };
  const text = failure.text.slice(0, 500);
  switch (failure.class) {
    case "transient": {
      if (failure.isGuess === true && streaks.waits >= guessesMax) return failed({ ...failure, class: "crashed" }, run);
      const until = failure.retryAt ?? at + backoff(streaks.waits);
      return { rule: { do: "retry", at: until, because: text }, streaks: named(waited, failure) };
    }
    case "limited": {
      // A minute later than stated: clocks differ, and asking too early costs another refusal.
      const until =
        failure.retryAt === null ? at + Math.min(30, 5 * (streaks.waits + 1)) * minute : failure.retryAt + minute;
      return { rule: { do: "retry", at: Math.max(until, at + 1000), because: text }, streaks: named(waited, failure) };
    }
    case "context-full":
      return { rule: { do: "retry", at: null, because: text }, streaks: counted(streaks, failure) };
    case "authentication":
    case "billing":
    case "misconfigured":
      return {
        rule: {
          do: "rest",
          outcome: { kind: "needs-person", need: { about: "agent", failure: failure.class, text } },
        },
        streaks,
      };
    case "out-of-tokens": {
      const allowed = limitsOfTask(run.contract).tokensMax;
      if (allowed === null) return failed({ ...failure, class: "no-result" }, run);
      return {
        rule: { do: "rest", outcome: { kind: "cap", cap: "tokens", used: usedByTask(run).tokens, allowed } },
        streaks,
      };
    }
    case "refused":
      // It is about this feature's words. As an error in a row it would end the run for all others.
      return { rule: { do: "fail", cause: failedSession(failure.class, text) }, streaks };
    case "crashed":
    case "timed-out":
    case "silent":
    case "no-result":
      return failed({ ...failure, class: failure.class }, run);
    default:
      return unreachable(failure.class);
  }
}

const failed = (failure: Failure & { class: FailedSession }, { streaks }: Run): AfterFailure => ({
  rule: { do: "fail", cause: failedSession(failure.class, failure.text.slice(0, 500)) },
  streaks: counted(streaks, failure),
});

const failedSession = (failure: FailedSession, text: string): Cause => ({
  kind: "session",
  key: `session:${failure}`,
  text,
  frame: { is: "session", failure },
});

/** Doubling from half a minute, at most a quarter of an hour. */
const backoff = (tries: number): number => Math.min(15 * minute, 30_000 * 2 ** Math.min(tries, 10));

const named = (streaks: Streaks, failure: Failure): Streaks => ({
  ...streaks,
  error: { key: `${failure.class}: ${failure.text.slice(0, 200)}`, times: 0 },
});

function counted(streaks: Streaks, failure: Failure): Streaks {
  const key = `${failure.class}: ${failure.text.slice(0, 200)}`;
  const times = streaks.error.key === key ? streaks.error.times + 1 : 1;
  return { ...streaks, error: { key, times }, failures: streaks.failures + 1 };
}
