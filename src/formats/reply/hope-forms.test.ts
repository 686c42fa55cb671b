// The examples of the document, byte for byte.
import { expect, test } from "vitest";
import {
  afterIteration,
  beforeIteration,
  complete,
  paused,
  starting,
  statusBlock,
  type VerdictBox,
  verdictBox,
} from "./hope-forms.ts";
import { findStatusBlock } from "./status-block.ts";

test("the status block", () => {
  const block = statusBlock({
    exitSignal: false,
    criteria: { "tests pass": false, "lint clean": true },
    stuckCount: 0,
    next: "Fix failing tests",
  });
  expect(block).toBe(`---LOOP_STATUS---
EXIT_SIGNAL: false
CRITERIA: {"tests pass": false, "lint clean": true}
STUCK_COUNT: 0
NEXT: Fix failing tests
---END_STATUS---`);
  expect(findStatusBlock(block)?.value).toEqual({
    exit_signal: false,
    criteria: { "tests pass": false, "lint clean": true },
    stuck_count: 0,
    next: "Fix failing tests",
  });
});

test.each([
  [
    starting({ shape: "Colleague", score: 6, workflow: "B", steps: 4, budget: "$25" }),
    "[LOOP] Starting | Shape: Colleague (6/10) | Workflow: B | Steps: 4 | Budget: $25",
  ],
  [
    beforeIteration({ number: 1, most: 10, cost: "$0.50/$25", step: "Refactor /api/users" }),
    "[LOOP] Iteration 1/10 | Cost: $0.50/$25 | Step: Refactor /api/users",
  ],
  [
    afterIteration({ step: "/api/users", done: 1, total: 4, next: "/api/auth" }),
    "[LOOP] ✓ /api/users complete | Progress: 1/4 | Next: /api/auth",
  ],
  [
    paused({ reason: "the budget is spent", done: 3, left: 1, resume: "/loop continue" }),
    "[LOOP] ⏸ Paused: the budget is spent\nProgress: 3 steps complete, 1 remaining\nResume: /loop continue",
  ],
  [
    complete(["/api/users refactored", "All tests pass"]),
    "<loop-complete>\nAll success criteria satisfied:\n- /api/users refactored: ✓\n- All tests pass: ✓\n</loop-complete>",
  ],
])("%s", (made, expected) => {
  expect(made).toBe(expected);
});

const box: VerdictBox = {
  ...{ verdict: "SHIP", verified: ["execution output"], met: 3, criteria: 3, reversibility: "2B", score: 7 },
  ...{ alternative: "none was tried", risk: "what no test covers" },
};

test("the verdict box has its lines in order, and is a box", () => {
  expect(verdictBox(box)).toBe(`╭─ 🟢 SHIP ────────────────────────────────╮
│ Verified: execution output               │
│ Checklist: 3/3 criteria verified         │
│ Subjective: not measured · Type 2B · 7pt │
├──────────────────────────────────────────┤
│ ↳ Alt: none was tried                    │
│ ↳ Risk: what no test covers              │
╰──────────────────────────────────────────╯`);
});

test.each(["MONITOR", "RESEARCH"] as const)("%s has its light", (verdict) => {
  expect(verdictBox({ ...box, verdict })).toContain(verdict === "MONITOR" ? "🟡 MONITOR" : "🔴 RESEARCH");
});
