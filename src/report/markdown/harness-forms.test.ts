// The run log, the budget and the summary have the form that the harness gives them, line by line.
import { describe, expect, test } from "vitest";
import type { Cause } from "../../core/cause.ts";
import type { Contract } from "../../core/contract.ts";
import type { ResultEvent, RunEvent, SignalEvent } from "../../core/event.ts";
import { runId, taskId } from "../../core/ids.ts";
import type { Outcome } from "../../core/outcome.ts";
import {
  checkpointed,
  collected,
  committed,
  done,
  observed,
  prepared,
  proved,
  replied,
  reserved,
  verdict,
} from "../../testing/world/by-hand.ts";
import { contractOf, feature } from "../../testing/world/contracts.ts";
import { type Overview, overview } from "../overview.ts";
import { follow, newStory } from "../story.ts";
import { stopClass } from "../words/words.ts";
import { budgetText } from "./budget.ts";
import { progressText } from "./progress.ts";
import { runLogText } from "./run-log.ts";

const at = Date.UTC(2026, 5, 15, 8, 30);
const minute = 60_000;
const begun: SignalEvent = { type: "begun", task: taskId("t"), run: runId("r1"), contract: "h", version: "0" };

/** One event a minute. */
function told(events: readonly (ResultEvent | SignalEvent)[], change: Partial<Contract> = {}): Overview {
  const contract = contractOf([feature("F001", { name: "Rate limit" })], change);
  const stamped = [begun, ...events].map(
    (event, index) => ({ ...event, at: at + index * minute, sinceMs: minute, tookMs: minute }) as RunEvent,
  );
  return overview(stamped.reduce(follow, newStory(contract)), { isDriven: true });
}

const checks = [
  { run: "A", check: "test", how: "green", outcome: "green" },
  { run: "B", check: "test", how: "green", outcome: "green", seen: { count: 12, of: 12 } },
] as const;
const building = [prepared, observed, checkpointed("i1"), reserved("s1"), replied("s1", done), collected()];
const passing = { ...proved(), checks } as ResultEvent;
const toCommit = [...building, passing, reserved("s2"), replied("s2", verdict(true)), committed];
const failing = [
  ...building,
  passing,
  reserved("s2"),
  replied("s2", { ...verdict(false), rootCause: "no limit\nat all" }),
];

const limits = (change: object = {}): Partial<Contract> => {
  const { limits: loose } = contractOf([]);
  return { limits: { ...loose, iterationsMax: 10, commitsMax: 15, reworkMax: 2, activeMsMax: 60 * minute, ...change } };
};

describe("docs/loop-run-log.md", () => {
  test("an iteration that ended in a commit", () => {
    const run = told(toCommit, limits());
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
    const run = told(failing, limits());
    const text = runLogText(run);
    expect(text).toContain(`- **Action**: build → verify → rework
- **Evaluator verdict**: FAIL — no limit at all
- **Tests**: 12/12
- **Commit**: (none)
- **Budget**: iter 1/10 · commits 0/15 · rework 0/2
`);
    expect(text).toContain("- **Error class**: logic\n");
  });

  test.each<[string, Cause["kind"], string]>([
    ["logic", "check-red", "AssertionError: expected 1 to be 2"],
    ["syntax", "check-red", "SyntaxError: Unexpected token '}'"],
    ["environment", "check-red", "Error: Cannot find module 'left-pad'"],
    ["resource", "check-red", "ENOSPC: no space left on device"],
    ["transient", "session", "The process died."],
    ["unrecoverable", "tampering", "A test was deleted."],
  ])("the class %s is in the record", (name, kind, text) => {
    const run = told([...building, proved({ kind, key: kind, text })], limits());
    expect(runLogText(run)).toContain(`- **Error class**: ${name}\n`);
  });
});

describe("docs/loop-budget.md", () => {
  test("has the caps and counters of the harness first, and its rule", () => {
    const run = told([prepared], limits());
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
    const events = [...toCommit, observed, { type: "closed", red: [] }, { type: "filed", commit: null }] as const;
    const run = told(events as readonly ResultEvent[], limits());
    expect(progressText(run)).toMatch(
      /^## Loop Run Summary — 2026-06-15\n- \*\*Outcome\*\*: SUCCESS\n- \*\*Iterations\*\*: 1 {3}\*\*Commits\*\*: 1\n- \*\*Completed this run\*\*: F001\n- \*\*Needs-rework \/ escalated\*\*: none\n- \*\*Budget\*\*: iterations 1\/10 · commits 1\/15 · wall-clock \d+\/off · working time \d+\/60\n- \*\*Comprehension debt\*\*: read these diffs → dddddddddd .*\n- \*\*Next\*\*: done: loop report\n/,
    );
  });

  test("a run that a cap stopped names the cap, and the feature with its root cause", () => {
    const run = told([...failing, observed], limits({ iterationsMax: 1 }));
    const text = progressText(run);
    expect(text).toContain("- **Outcome**: HARD KILL (iterations)\n");
    expect(text).toContain("- **Needs-rework / escalated**: F001 — ");
  });

  test.each<[Outcome, string]>([
    [
      { kind: "breaker", breaker: "destructive-action", command: "git push", why: "", others: 0 },
      "HARD KILL (destructive-action)",
    ],
    [{ kind: "inbox", features: [] }, "ESCALATED"],
    [{ kind: "needs-person", need: { about: "contract", open: 1 } }, "ESCALATED"],
    [{ kind: "cancelled" }, "CANCELLED"],
  ])("%j is %s", (outcome, name) => {
    expect(stopClass(outcome)).toBe(name);
  });
});
