// An answer that a person can accept with Enter, made from what the workspace says. Nobody can propose an outcome.
import type { Workflow } from "./deeds.ts";
import type { DimensionName } from "./dimensions.ts";
import type { Known } from "./known.ts";

/** How the answer is introduced when it is added to the request. */
export const answerHeadings: Readonly<Record<DimensionName, string>> = {
  outcome: "Outcome",
  scope: "Where",
  constraints: "Constraints",
  success: "Shown by",
  done: "Done when",
};

export function proposalFor(name: DimensionName, workflow: Workflow, known: Known): string | null {
  const check = known.checks?.[0]?.run;
  const passes = check === undefined ? "every check passes" : `\`${check}\` passes`;
  const shown = workflow === "refactor" ? `${passes}, with no change in behaviour` : `${passes}, with a test for it`;
  const places = (known.names ?? []).map(({ from }) => from);
  const proposals: Readonly<Record<DimensionName, string | null>> = {
    outcome: null,
    scope: places.length > 0 ? `${places.join(", ")} and the tests for it` : "the code that it is about, and its tests",
    constraints: "no new dependencies, and nothing unrelated changes",
    success: shown,
    done: shown,
  };
  return proposals[name];
}
