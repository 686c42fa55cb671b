// Whether anyone could tell that a request is done. It is the only ground for refusing one.
import type { DimensionName, Scored } from "./dimensions.ts";

/**
 * Two people agree that it is done if the request names an end that can be seen and the thing that has it. Limits, the
 * way to check and the last step are asked for, or follow from the workspace. Criteria in a file say both.
 */
export const isJudgeable = ({ outcome, scope }: Readonly<Record<DimensionName, Scored>>): boolean =>
  outcome.score === 2 && (scope.score > 0 || outcome.evidence.some((each) => "file" in each));
