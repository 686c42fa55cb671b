// The word for a run: done and shown, done and only read, or not done.
import { expect, test } from "vitest";
import type { RunEvent } from "../core/event.ts";
import { progressIn, withProgress } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import { committed, F1, observed, proved, replied, reserved, steps, verdict } from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { follow, newStory, type Story } from "./story.ts";
import { verdictOf } from "./verified.ts";

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
