// The criteria of a hold as they stand, by their names: in the status block and in the copy of the state.
import { isAssumed, requiredFor, withoutRequired } from "../core/verification.ts";

/** A criterion that says how it has to be shown has both; any other is met or not. */
export type CriterionStatus = boolean | { readonly met: boolean; readonly verification: string };

/** `acceptedBy`: who has accepted what was to be assumed; null: nobody has. */
export const statusOf = (
  criteria: readonly string[],
  isMet: (criterion: string) => boolean,
  acceptedBy: string | null = null,
): Record<string, CriterionStatus> =>
  Object.fromEntries(
    criteria.map((criterion) => {
      const [met, required] = [isMet(criterion), requiredFor(criterion)];
      const verification = acceptedBy !== null && isAssumed(criterion) ? acceptedWords(acceptedBy) : required;
      return [withoutRequired(criterion), verification === null ? met : { met, verification }];
    }),
  );

/** As in a run: a person's word is never called an observation. */
export const acceptedWords = (by: string): string => `assumption, accepted by ${by}`;
