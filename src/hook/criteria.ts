// The criteria of a hold as they stand, by their names: in the status block and in the copy of the state.
import type { Verification } from "../core/event.ts";
import { requiredFor, withoutRequired } from "../core/verification.ts";

/** A criterion that says how it has to be shown has both; any other is met or not. */
export type CriterionStatus = boolean | { readonly met: boolean; readonly verification: Verification };

export const statusOf = (
  criteria: readonly string[],
  isMet: (criterion: string) => boolean,
): Record<string, CriterionStatus> =>
  Object.fromEntries(
    criteria.map((criterion) => {
      const [met, verification] = [isMet(criterion), requiredFor(criterion)];
      return [withoutRequired(criterion), verification === null ? met : { met, verification }];
    }),
  );
