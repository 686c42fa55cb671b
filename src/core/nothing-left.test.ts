// When nothing can be worked on: what is reported for each feature, what counts as begun, and which effect is ordered.
import { describe, expect, test } from "vitest";
import { at, collected, F1, F2, failed, judging, mark, send } from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { update } from "./attempt.ts";
import { failureRule } from "./failure.ts";
import { commitId, featureId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { beginIteration, isBegun } from "./iteration.ts";
import { next } from "./next.ts";
import { begin, type Progress, type Run } from "./run.ts";

const question = (of: typeof F1, text: string): InboxItem => ({
  kind: "question",
  feature: of,
  question: text,
  supposition: "",
});

describe("with only work left that waits for a person", () => {
  const blocked = feature("F1", { status: "blocked" });
  const run = (...inbox: InboxItem[]): Run => ({
    ...begin(
      contractOf([
        blocked,
        feature("F2", { dependencies: [F1, featureId("E1")] }),
        feature("E1", { status: "existing" }),
      ]),
    ),
    inbox,
  });

  test("each feature without an inbox item gets one that names what blocks it", () => {
    const filed = beginIteration(run(), null);
    expect(filed.now).toEqual({ is: "filing", outcome: { kind: "inbox", features: ["F1", "F2"] } });
    expect(filed.inbox).toEqual([
      { kind: "blocked", feature: "F1", by: { is: "blocked-before" } },
      { kind: "blocked", feature: "F2", by: { is: "dependencies", missing: ["F1"] } },
    ]);
  });

  test("a feature that is already in the inbox is not added twice", () => {
    const told: InboxItem = {
      kind: "failed",
      feature: F1,
      over: { is: "same-cause" },
      cause: { kind: "check-red", key: "k", text: "t" },
    };
    expect(beginIteration(run(told), null).inbox.map((item) => [item.kind, item.feature])).toEqual([
      ["failed", F1],
      ["blocked", F2],
    ]);
  });

  test("a blocked feature is reported as blocked, not by its missing dependencies", () => {
    const both = begin(contractOf([blocked, feature("F2", { status: "blocked", dependencies: [F1] })]));
    expect(beginIteration(both, null).inbox[1]).toMatchObject({ by: { is: "blocked-before" } });
  });

  test.each([
    { waiting: 1, questions: [question(F1, "Which?")] },
    { waiting: 2, questions: [question(F1, "Which?"), question(F2, "Why?")] },
  ])("the first of $waiting questions is asked", ({ questions, waiting }) => {
    expect(beginIteration(run(...questions), null).now).toEqual({
      is: "resting",
      outcome: { kind: "needs-person", need: { about: "question", feature: "F1", question: "Which?", waiting } },
      resume: { is: "between" },
    });
  });
});

test.each<{ what: string; change: Partial<Progress>; is: boolean }>([
  { what: "untouched", change: {}, is: false },
  { what: "blocked by its file", change: { status: "blocked" }, is: false },
  { what: "tried", change: { attempts: 1 }, is: true },
  { what: "in the workspace", change: { base: mark("i1") }, is: true },
  { what: "committed", change: { commit: commitId("d".repeat(40)) }, is: true },
  { what: "complete", change: { status: "complete" }, is: true },
])("a feature that is $what is begun: $is", ({ change, is }) => {
  const run = begin(contractOf([feature("F1")]));
  expect(isBegun(update(run, F1, change), F1)).toBe(is);
  expect(isBegun(run, F2), "one that the run does not know").toBe(false);
});

describe("the next effect", () => {
  test("of a waiting run is to wait, with the time and the reason", () => {
    const waiting = send(at("paid"), failed("s1", "transient"), collected());
    expect(next(waiting)).toMatchObject({ do: "wait", until: 31_000, because: "why" });
  });

  test("of a session has the session's time limit if the run has none", () => {
    const limits = { ...looseLimits, activeMsMax: null };
    expect(next(at("paid", { limits }))).toMatchObject({ timeoutMs: looseLimits.sessionMsMax });
  });

  test("of a fresh session resumes no other", () => {
    expect(next(judging())).not.toHaveProperty("resumes");
  });
});

describe("the error text of a failed session", () => {
  const long = "x".repeat(9000);
  const rule = (kind: "transient" | "crashed") =>
    failureRule(begin(contractOf([feature("F1")])), { class: kind, text: long, retryAt: null }, 0);

  test("is cut to five hundred characters, and its key to two hundred", () => {
    expect(rule("transient").rule).toMatchObject({ because: long.slice(0, 500) });
    expect(rule("transient").streaks.error.key).toBe(`transient: ${long.slice(0, 200)}`);
    expect(rule("crashed").streaks.error.key).toBe(`crashed: ${long.slice(0, 200)}`);
  });
});
