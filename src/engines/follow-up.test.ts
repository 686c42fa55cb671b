// What a follow-up works from: the revised request, and criteria that can be true.
import { expect, test } from "vitest";
import type { Gap } from "../core/event.ts";
import { runId } from "../core/ids.ts";
import { built } from "../testing/world/by-hand.ts";
import { handOn } from "./follow-up.ts";

const withGap = (gap: Partial<Gap>) => ({
  ...built(),
  audit: {
    revised: "Add gamma() and its test.",
    gaps: [{ id: "G1", blocking: true, text: "gamma is missing", evidence: ["ls src"], ...gap }],
  },
});
const first = (gap: Partial<Gap>) => handOn(runId("r1"), withGap(gap), 7).features[0];

test("the revised request is in the description, and the criterion says what must be true", () => {
  expect(first({ criterion: "gamma(1) is 2" })).toMatchObject({
    id: "F007",
    name: "gamma(1) is 2",
    description:
      "gamma is missing\n\nThe request for what is missing:\nAdd gamma() and its test.\n\nWhat the audit saw:\n- ls src",
    criteria: ["gamma(1) is 2"],
  });
});

test("a gap without a criterion is closed when it is no longer so", () => {
  expect(first({})).toMatchObject({
    name: "gamma is missing",
    criteria: ["This is no longer so: gamma is missing"],
  });
});

test("what a person rejected is not said to come from the audit", () => {
  expect(first({ by: "person", evidence: [], text: "Too slow." })?.description).toMatch(
    /^A person rejected the result: Too slow\./,
  );
});
