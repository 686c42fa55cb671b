// What is taken from a planner's reply, and what is sent back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlan } from "./reply-plan.ts";
import { parseReview } from "./reply-review.ts";

const one = (change: object = {}) => ({ id: "a", name: "A", acceptance_criteria: ["a works"], ...change });
const done = (...features: object[]) => ({ status: "done", summary: "s", features });

describe("a plan", () => {
  test("is numbered from the first free number, and keeps its order and dependencies", () => {
    const plan = parsePlan(done(one(), one({ id: "b", name: "B", dependencies: ["a"], may_touch: ["src/**"] })), 7);
    expect(plan).toMatchObject({
      status: "done",
      features: [
        { id: "F007", name: "A", priority: 1, dependencies: [], mayTouch: null },
        { id: "F008", name: "B", priority: 2, dependencies: ["F007"], mayTouch: ["src/**"] },
      ],
    });
  });

  test("may be a question, with the planner's assumption", () => {
    const asked = {
      status: "question",
      summary: "",
      features: [],
      question: { text: "Which?", best_supposition: "A" },
    };
    expect(parsePlan(asked, 1)).toEqual({ status: "question", question: { text: "Which?", bestSupposition: "A" } });
  });

  test.each([
    ["no features", done(), /features is empty/],
    ["a feature that nothing could prove", done(one({ acceptance_criteria: [" "] })), /no acceptance_criteria/],
    ["an unknown dependency", done(one({ dependencies: ["z"] })), /z/],
    ["a circle", done(one({ dependencies: ["b"] }), one({ id: "b", dependencies: ["a"] })), /circle/],
    ["two of one id", done(one(), one()), /duplicate/],
    ["a path that leads out", done(one({ may_touch: ["../x"] })), /inside the workspace/],
    ["too many", done(...Array.from({ length: 51 }, (_, at) => one({ id: `f${at}` }))), /the most is 50/],
    ["no object", "fine", /not a JSON object/],
  ])("with %s is sent back with the reason", (_, answer, problem) => {
    expect(parsePlan(answer, 1)).toMatchObject({ problem: expect.stringMatching(problem) });
  });

  test("never throws, for any input", () => {
    fc.assert(fc.property(fc.anything(), (answer) => void parsePlan(answer, 1)));
    fc.assert(fc.property(fc.array(fc.anything()), (features) => void parsePlan({ status: "done", features }, 1)));
  });
});

describe("a review", () => {
  test("numbers unnumbered points, and treats an unknown severity as blocking", () => {
    expect(parseReview({ verdict: "pass", findings: [{ summary: "x", severity: "huge" }] })).toMatchObject({
      verdict: "fail",
      findings: [{ id: "1", severity: "blocking", summary: "x" }],
    });
  });

  test("a minor finding does not prevent a pass", () => {
    expect(parseReview({ verdict: "PASS", findings: [{ id: "7", severity: "minor", summary: "x" }] })).toMatchObject({
      verdict: "pass",
    });
  });

  test("without a verdict is invalid", () => {
    expect(parseReview({ findings: [] })).toHaveProperty("problem");
    fc.assert(fc.property(fc.anything(), (answer) => void parseReview(answer)));
  });
});
