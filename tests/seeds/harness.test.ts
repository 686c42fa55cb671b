// The harness: its contract is read, and its budget, run log and summary are written, byte for byte around the blanks.
import { expect, test } from "vitest";
import { limitsFrom } from "../../src/core/limits.ts";
import { draftLoopMd, readLoopMd, setInbox } from "../../src/formats/contract/loop-md.ts";
import { selects } from "../../src/formats/queue/feature-selector.ts";
import { budgetText } from "../../src/report/markdown/budget.ts";
import { progressText } from "../../src/report/markdown/progress.ts";
import { runLogText } from "../../src/report/markdown/run-log.ts";
import { observed, prepared } from "../../src/testing/world/by-hand.ts";
import { failing, harnessLimits, toCommit, told, toSuccess } from "../../src/testing/world/told.ts";
import { example, filled } from "./example.ts";

const template = example("LOOP.md");

test("the contract is read, and its inbox is filled without touching the rest", () => {
  const { goal, include, autonomy } = readLoopMd(template);
  // Its goal is an example, for a person to replace.
  expect(goal).toBeNull();
  expect(readLoopMd(template.replace("e.g. ", "")).goal).toContain("the full test suite is green");
  expect(autonomy).toBe("L1");
  const ids = ["F001", "F006", "F007", "R001"].filter((id) => include?.some((selector) => selects(selector, id)));
  expect(ids).toEqual(["F001", "F006"]);
  expect(setInbox(template, ["F002: fails twice"])).toBe(template.replace("(empty)", "- F002: fails twice"));
});

test.each([
  ["all F", ["F001", "F006"]],
  ["all R", ["R001"]],
  ["F001, R001", ["F001", "R001"]],
])("the other ways to name a scope are read: %s", (scope, wanted) => {
  const { include } = readLoopMd(template.replace("[F001–F006]", scope));
  const ids = ["F001", "F006", "R001"].filter((id) => include?.some((selector) => selects(selector, id)));
  expect(ids).toEqual(wanted);
});

test("the contract that the loop writes is its template with the blanks filled in, and the limits added", () => {
  const draft = draftLoopMd({
    ...{ goal: "Every page loads.", include: ["F001–F006"], exclude: ["F007"], autonomy: "L1" },
    checks: [{ name: "test", run: "npm test", must: "stay-green" }],
    limits: limitsFrom({}),
  });
  const written = filled("LOOP.md", [
    [
      'e.g. "All F-prefixed features are `complete`, the full test suite is green, and the\nevaluator returns PASS for each."',
      "Every page loads.",
    ],
    ["invoked via /loop in the orchestrator agent.", "loop run, then loop continue."],
    ["[F001–F006]", "F001–F006"],
    ["[anything not listed; no new features; no edits outside the active feature's files]", "F007"],
    ["subagent ", ""],
    ["- Full test suite green\n- /pre-commit passes before any commit", "- test (stay-green): `npm test`"],
  ]);
  expect(draft.replace(/## Limits\n[\s\S]*?(?=## )/, "")).toBe(written);
});

test("the budget, but for the wall clock, whose cap is on working time", () => {
  const [table, rule] = filled("loop-budget.md", [
    ["[ISO timestamp]", "2026-06-15T08:30:00Z"],
    ["(min) | 60 | 0 |", "(min) | off | 1 |"],
  ]).split("\n\n## ");
  const written = budgetText(told([prepared], harnessLimits()));
  expect(written.startsWith(`${table}\n| Working time (min) | 60 |`)).toBe(true);
  expect(written).toContain(`\n\n## ${rule}`);
});

const entry = (blanks: Record<"action" | "verdict" | "commit" | "commits" | "reworks" | "notes", string>): string =>
  filled("loop-run-log.md", [
    ["N —", "1 —"],
    ["[ISO timestamp]", "2026-06-15T08:32:00Z"],
    ["F### — [name]", "F001 — Rate limit"],
    ["(commit | rework | escalate)", blanks.action],
    ["PASS | FAIL — [root cause if FAIL]", blanks.verdict],
    ["[pass/total]", "12/12"],
    ["[sha] feat(F###): … | (none)", blanks.commit],
    ["N/MAX", "1/10"],
    ["C/MAX", `${blanks.commits}/15`],
    ["R/MAX", `${blanks.reworks}/2`],
    ["[scope checks, regressions, notable events]", blanks.notes],
  ]);

test("an entry of the run log that ended in a commit, and one that ended in rework", () => {
  expect(runLogText(told(toCommit, harnessLimits()))).toContain(
    entry({
      ...{ action: "commit", verdict: "PASS", notes: "none" },
      ...{ commit: "dddddddddd feat(F001): Rate limit", commits: "1", reworks: "0" },
    }),
  );
  expect(runLogText(told(failing, harnessLimits()))).toContain(
    entry({
      ...{ action: "rework", verdict: "FAIL — no limit at all", commit: "(none)", commits: "0" },
      reworks: "1",
      notes: "s Not met: F001 works",
    }),
  );
});

const summary = (blanks: Record<"outcome" | "commits" | "completed" | "open" | "minutes" | "debt" | "next", string>) =>
  filled("summary.md", [
    ["[date]", "2026-06-15"],
    ["SUCCESS | HARD KILL ([which cap]) | ESCALATED", blanks.outcome],
    ["N   ", "1   "],
    ["C\n", `${blanks.commits}\n`],
    ["[F###, F###, …]", blanks.completed],
    ["[F### — root cause]", blanks.open],
    ["C/MAX", `1/${blanks.outcome.startsWith("HARD") ? 1 : 10}`],
    ["C/MAX", `${blanks.commits}/15`],
    ["M/MAX", `${blanks.minutes}/off`],
    ["read these diffs → [commit shas]", blanks.debt],
    ["[resume /loop after triage | switch to builder | done]", blanks.next],
  ]);

test("the summary of a run that succeeded, and of one that a cap stopped, but for the wall clock's cap", () => {
  expect(
    progressText(told(toSuccess, harnessLimits())).startsWith(
      summary({
        ...{ outcome: "SUCCESS", commits: "1", completed: "F001", open: "none", minutes: "13" },
        ...{ debt: "read these diffs → dddddddddd", next: "done" },
      }),
    ),
  ).toBe(true);
  expect(
    progressText(told([...failing, observed], harnessLimits({ iterationsMax: 1 }))).startsWith(
      summary({
        ...{ outcome: "HARD KILL (iterations)", commits: "0", completed: "none", minutes: "10" },
        ...{ open: "F001 — no limit at all", debt: "none", next: "loop continue --iterations 2" },
      }),
    ),
  ).toBe(true);
});
