// The run log, the budget and the summary have the form that the harness gives them, line by line.
import { describe, expect, test } from "vitest";
import type { Cause } from "../../core/cause.ts";
import type { ResultEvent } from "../../core/event.ts";
import type { Outcome } from "../../core/outcome.ts";
import { capsInBudget } from "../../formats/contract/written-caps.ts";
import { observed, prepared, proved, replied, verdict } from "../../testing/world/by-hand.ts";
import { building, failing, harnessLimits, toCommit, told, toSuccess } from "../../testing/world/told.ts";
import { stopClass } from "../words/words.ts";
import { budgetText } from "./budget.ts";
import { progressText } from "./progress.ts";
import { runLogText } from "./run-log.ts";

describe("docs/loop-run-log.md", () => {
  test("an iteration that ended in a commit", () => {
    const run = told(toCommit, harnessLimits());
    expect(runLogText(run)).toContain(`### Iteration 1 — 2026-06-15T08:32:00Z
- **Feature**: F001 — Rate limit
- **Action**: build → verify → commit
- **Evaluator verdict**: PASS
- **Tests**: 12/12
- **Commit**: dddddddddd feat(F001): Rate limit
- **Budget**: iter 1/10 · commits 1/15 · rework 0/2
- **Notes**: none
`);
  });

  test("one that failed has the evaluator's own root cause, and the class of the error", () => {
    const run = told(failing, harnessLimits());
    const text = runLogText(run);
    expect(text).toContain(`- **Action**: build → verify → rework
- **Evaluator verdict**: FAIL — no limit at all
- **Tests**: 12/12
- **Commit**: (none)
- **Budget**: iter 1/10 · commits 0/15 · rework 1/2
`);
    expect(text).toContain("- **Error class**: logic\n");
  });

  test("a pass that does not show a criterion as asked does not count, and is recorded with that reason", () => {
    const partial = { ...verdict(true, true, "assumption"), summary: "Looks good.", rootCause: "" };
    const text = runLogText(told([...failing.slice(0, -1), replied("s2", partial)], harnessLimits()));
    expect(text).toContain(`- **Action**: build → verify → rework
- **Evaluator verdict**: FAIL — Not met: F001 works (it was shown by assumption)
`);
    expect(text).toContain("- **Notes**: Not met: F001 works (it was shown by assumption)\n");
    expect(text).not.toContain("Looks good.");
  });

  test("a regression names the tests that it breaks, and the old tests are its tests", () => {
    const frame = { is: "regression", tests: ["test/old.test.js > old is one"] } as const;
    const broken = { kind: "check-red", key: "k", text: "test fails.", frame } as const;
    const checks = [{ run: "A", check: "test", how: "red (exit code 1)", outcome: "red" }];
    const refused = { ...proved(broken), checks } as ResultEvent;
    const events = [...building, refused, observed];
    expect(runLogText(told(events, harnessLimits()))).toContain("- **Tests**: test red\n");
    expect(progressText(told(events, harnessLimits({ iterationsMax: 1 })))).toContain(
      "- **Needs-rework / escalated**: F001 — a regression: test/old.test.js > old is one\n",
    );
  });

  test("a rework that fails for the same reason is escalated, and one that passes is committed: both are the first", () => {
    const again = failing.slice(1);
    const escalated = told([...failing, ...again, { type: "rolled-back", quarantine: null }], harnessLimits());
    const committed = told([...failing, ...toCommit.slice(1)], harnessLimits());
    const budgets = (run: typeof escalated) =>
      runLogText(run).match(/(?<=→ )(?:rework|escalate|commit)$|rework \d\/\d/gm);
    expect(budgets(escalated)).toEqual(["rework", "rework 1/2", "escalate", "rework 1/2"]);
    expect(budgets(committed)).toEqual(["rework", "rework 1/2", "commit", "rework 1/2"]);
    expect(budgetText(told(failing, harnessLimits()))).toContain("| Rework per feature | 2 | 1 at most |");
  });

  test.each<[string, Cause["kind"], string]>([
    ["logic", "check-red", "AssertionError: expected 1 to be 2"],
    ["syntax", "check-red", "SyntaxError: Unexpected token '}'"],
    ["environment", "check-red", "Error: Cannot find module 'left-pad'"],
    ["resource", "check-red", "ENOSPC: no space left on device"],
    ["transient", "session", "The process died."],
    ["unrecoverable", "tampering", "A test was deleted."],
  ])("the class %s is in the record", (name, kind, text) => {
    const run = told([...building, proved({ kind, key: kind, text })], harnessLimits());
    expect(runLogText(run)).toContain(`- **Error class**: ${name}\n`);
  });
});

describe("docs/loop-budget.md", () => {
  test("a person's cap on the wall clock stays in its row, until they take it out", () => {
    const run = told([prepared], harnessLimits());
    const theirs = budgetText(run, { minutes: 60, check_minutes: 60 });
    expect(theirs).toContain("| Wall-clock (min) | 60 | 1 |");
    expect(capsInBudget(theirs).caps).toEqual({ minutes: 60, check_minutes: 60 });
    expect(capsInBudget(theirs.replace("(min) | 60 | 1 |", "(min) | off | 1 |")).caps).toEqual({});
    expect(budgetText(run, { minutes: 60 })).toContain("| Wall-clock (min) | off | 1 |");
  });

  test("has the caps and counters of the harness first, and its rule", () => {
    const run = told([prepared], harnessLimits());
    const text = budgetText(run);
    expect(
      text.startsWith(`# Loop Budget — run started 2026-06-15T08:30:00Z

| Control | Cap | Used |
|---------|-----|------|
| Iterations | 10 | 0 |
| Commits | 15 | 0 |
| Rework per feature | 2 | — |
| Wall-clock (min) | off | 1 |
| Working time (min) | 60 | `),
    ).toBe(true);
    expect(text).toContain(`
## Hard-kill rule
When any **Used** reaches its **Cap**, stop immediately and report. Do not run "one more".
`);
    expect(text).toContain("one attempt and at most 2 reworks");
  });
});

describe("docs/PROGRESS.md", () => {
  test("a run that succeeded", () => {
    const run = told(toSuccess, harnessLimits());
    expect(progressText(run)).toContain(`- **Next**: done
- **Why**: The contract is met: every feature is proved or reviewed.
- **Features**: 1 of 1 complete
`);
    expect(progressText(run)).toMatch(/- \*\*Working time\*\*: \d+\/60 min\n/);
    expect(progressText(run)).toContain(
      "- **Read first**: F001 (1 file changed). 1 changed file that no one has read\n",
    );
  });

  test("a run that a cap stopped names the cap, and the feature with its root cause", () => {
    const run = told([...failing, observed], harnessLimits({ iterationsMax: 1 }));
    const text = progressText(run);
    expect(text).toContain("- **Outcome**: HARD KILL (iterations)\n");
    expect(text).toContain("- **Needs-rework / escalated**: F001 — ");
  });

  test.each<[Outcome, string]>([
    [
      { kind: "breaker", breaker: "destructive-action", command: "git push", why: "", others: 0 },
      "HARD KILL (destructive action)",
    ],
    [{ kind: "inbox", features: [] }, "ESCALATED"],
    [{ kind: "needs-person", need: { about: "contract", open: 1 } }, "ESCALATED"],
    [{ kind: "cancelled" }, "CANCELLED"],
    [{ kind: "followup", gaps: 1 }, "FOLLOW-UP"],
  ])("%j is %s", (outcome, name) => {
    expect(stopClass(outcome)).toBe(name);
  });
});
