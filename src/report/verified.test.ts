// The word for a run: done and shown, done and only read, or not done.
import { expect, test } from "vitest";
import type { RunEvent } from "../core/event.ts";
import { progressIn, withProgress } from "../core/progresses.ts";
import { newProgress, type Run } from "../core/run.ts";
import { committed, F1, observed, proved, replied, reserved, steps, verdict } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import type { Iteration, SessionNote } from "./chronicle.ts";
import { hopeEnding } from "./hope.ts";
import { stateText } from "./state-json.ts";
import { follow, newStory, type Story } from "./story.ts";
import { criteriaOf, shownBy, verdictOf, verdictsIn } from "./verified.ts";

function ended(verification: string, grade: "strong" | "reviewed"): Story {
  const all = [...steps.proving, proved(), reserved("s2"), replied("s2", verdict(true, true, verification)), committed];
  const events = [...all, observed, { type: "closed", red: [] }, { type: "filed", commit: null }];
  const story = events
    .map((event) => ({ ...event, at: 1000, sinceMs: 1, tookMs: 1 }) as RunEvent)
    .reduce(follow, newStory(contractOf([feature("F1")])));
  const of = progressIn(story.run.progress, F1);
  if (of === undefined) throw new Error("there is no F1");
  const progress: Run["progress"] = withProgress(story.run.progress, F1, { ...of, grade, reviewedBy: "the checker" });
  return { ...story, run: { ...story.run, progress } };
}

test.each([
  ["execution output", "strong", "SHIP"],
  ["code review", "strong", "MONITOR"],
  ["observation", "reviewed", "SHIP"],
  ["code review", "reviewed", "MONITOR"],
] as const)("criteria shown by %s in a feature that is %s: %s", (by, grade, word) => {
  expect(verdictOf(ended(by, grade))).toBe(word);
});

const criteria = ["tests pass (verified by execution output)", "nobody minds (verified by assumption)", "it is fast"];

/** The evaluator met the first, and a person accepted the rest. */
function accepted(): Story {
  const story = newStory(contractOf([feature("F1", { criteria })]));
  const judged = [
    { criterion: 0, met: true, verification: "execution output" },
    { criterion: 1, met: false, verification: "assumption" },
    { criterion: 2, met: false, verification: "observation" },
  ] as const;
  const progress = { ...newProgress("complete"), grade: "reviewed", reviewedBy: "Pat", attempts: 1 } as const;
  const session = { role: "evaluator", judged } as unknown as SessionNote;
  const iteration = {
    ...{ number: 1, feature: "F1", sessions: [session], ending: "complete" },
    ...{ violations: [], checks: [], notes: [] },
  } as unknown as Iteration;
  const now: Run["now"] = { is: "stopped", outcome: { kind: "success" } };
  return {
    run: { ...story.run, now, progress: withProgress(story.run.progress, F1, progress) },
    chronicle: { ...story.chronicle, iterations: [iteration] },
  };
}

test("what a person accepted is never called observed, and makes no SHIP where it was assumed", () => {
  const story = accepted();
  const states = criteriaOf(story.run, feature("F1", { criteria }), verdictsIn(story.chronicle));
  expect(states.map(shownBy)).toEqual(["execution output", "assumption, accepted by Pat", "accepted by Pat"]);
  expect(verdictOf(story)).toBe("MONITOR");
  const written = {
    "tests pass": { met: true, verification: "execution output" },
    "nobody minds": { met: true, verification: "assumption, accepted by Pat" },
    "it is fast": true,
  };
  expect(JSON.parse(stateText(story.run, story.chronicle)).criteriaStatus).toEqual(written);
  const ending = hopeEnding(story, { isHabit: false, leavesState: false });
  expect(JSON.parse(/CRITERIA: (.*)/.exec(ending)?.[1] ?? "")).toEqual(written);
  expect(ending).toContain("Verified: execution output/assumption, accepted by Pat/accepted by Pat");
  expect(ending).toContain("🟡 MONITOR");
});

test("a run that is not done is RESEARCH", () => {
  expect(verdictOf(newStory(contractOf([feature("F1")])))).toBe("RESEARCH");
});

test.each([
  ["before it is called done has the verdict of its work", { about: "done", proved: 1, reviewed: 0 }, "SHIP"],
  ["after an iteration has none yet", { about: "iteration", iteration: 1, feature: F1, became: "proved" }, "RESEARCH"],
] as const)("a run that waits %s", (_, need, word) => {
  const story = ended("execution output", "strong");
  const now: Run["now"] = { is: "resting", outcome: { kind: "needs-person", need }, resume: { is: "between" } };
  expect(verdictOf({ ...story, run: { ...story.run, now } })).toBe(word);
});
