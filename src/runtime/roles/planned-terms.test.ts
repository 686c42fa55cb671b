// A planner cannot make its own features easier to finish: a person accepts that, or it does not count.
import { describe, expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import { parsePlan } from "../../formats/reply/reply-plan.ts";
import { agreedTerms } from "./planned-terms.ts";

const planned = (terms: object) => {
  const feature = { id: "F1", name: "n", description: "d", acceptance_criteria: ["c"], dependencies: [], ...terms };
  const plan = parsePlan({ status: "done", summary: "", features: [feature] }, 7);
  if (!("features" in plan)) throw new Error(JSON.stringify(plan));
  return plan.features;
};
const intake = { score: 9, shape: "tool", rule: "", reversibility: "2A" } as const;
const refactoring = { ...intake, workflow: "refactor" } as const;

describe("without a gate before building", () => {
  test.each([
    { terms: { enough: "review" }, says: "enough: review" },
    { terms: { kind: "judge" }, says: "kind: judge" },
    { terms: { kind: "keep" }, says: "kind: keep" },
    { terms: { may_change: ["test/a.js > a"] }, says: "may_change: test/a.js > a" },
  ])("$says from a planner does not count, and the run log says so", ({ terms, says }) => {
    const { features, notes } = agreedTerms(planned(terms), { gates: ["G2"], intake: null });
    expect(features).toEqual(agreedTerms(planned({}), { gates: [], intake: null }).features);
    expect(notes).toMatchObject([expect.stringMatching(new RegExp(`^F007: the planner's ${says}`))]);
  });

  test.each([
    { kind: "docs", intake: null },
    { kind: "keep", intake: refactoring },
    { kind: "change", intake: null },
  ])("kind: $kind counts if the loop can verify it", ({ kind, intake: known }) => {
    const { features, notes } = agreedTerms(planned({ kind }), { gates: [], intake: known });
    expect([features[0]?.kind, notes]).toEqual([kind, []]);
  });
});

test("with a gate before building, all terms are shown there, and count once the gate is passed", () => {
  const terms = { kind: "judge", may_change: ["test/a.js"], enough: "review" };
  const { features, notes } = agreedTerms(planned(terms), { gates: ["G1"], intake: null });
  expect(features).toMatchObject([
    { id: featureId("F007"), kind: "judge", mayChange: ["test/a.js"], enough: "review" },
  ]);
  expect(notes).toEqual([]);
});

test.each([{ kind: "easy" }, { enough: 1 }, { may_change: "all" }])("%j is ignored", (terms) => {
  expect(planned(terms)).toEqual(planned({}));
});
