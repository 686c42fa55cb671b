// How each criterion of a feature was shown, by the last verdict on it.
import type { Feature } from "../core/contract.ts";
import type { Verification } from "../core/event.ts";
import { progressIn } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import { isDone } from "../core/select.ts";
import { requiredFor } from "../core/verification.ts";
import type { Chronicle } from "./chronicle.ts";
import type { Story } from "./story.ts";
import { outcomeOf, type Verdict } from "./words/words.ts";

export type CriterionState = {
  readonly criterion: string;
  readonly met: boolean;
  /** How it was shown; while it is not met, how it has to be. Null: nothing says. */
  readonly verification: Verification | null;
};

/** The last verdict on each feature, found once. */
export function verdictsIn({ iterations }: Chronicle): ReadonlyMap<string, ReadonlyMap<number, Verification>> {
  const found = new Map<string, ReadonlyMap<number, Verification>>();
  for (const { feature, sessions } of iterations) {
    const judged = sessions.findLast((session) => session.judged !== undefined)?.judged;
    if (judged !== undefined) found.set(feature, new Map(judged.map((one) => [one.criterion, one.verification])));
  }
  return found;
}

export function criteriaOf(run: Run, feature: Feature, verdicts: ReturnType<typeof verdictsIn>): CriterionState[] {
  const by = verdicts.get(feature.id);
  const isMet = (index: number): boolean => isDone(run, feature.id) || isSeen(run, feature, index);
  return feature.criteria.map((criterion, index) => ({
    criterion,
    met: isMet(index),
    verification: isMet(index) ? seenBy(by?.get(index) ?? requiredFor(criterion)) : requiredFor(criterion),
  }));
}

/** What was to be assumed is met only once a person has looked at it and accepted it. */
const seenBy = (how: Verification | null): Verification | null => (how === "assumption" ? "observation" : how);

/** The last verdict has it as met, and the work that it is about is still there: it is built upon, or being committed. */
function isSeen(run: Run, { id }: Feature, index: number): boolean {
  const progress = progressIn(run.progress, id);
  return progress !== undefined && progress.base !== null && progress.criteriaMet.includes(index);
}

export function verdictOf({ run, chronicle }: Story): Verdict {
  const outcome = outcomeOf(run);
  // Before it is called done, everything is there and proved: only a person's word is missing.
  const isThere = outcome?.kind === "success" || (outcome?.kind === "needs-person" && outcome.need.about === "done");
  if (!isThere) return "RESEARCH";
  return isReviewOnly(run, chronicle) ? "MONITOR" : "SHIP";
}

/** The loop's proof shows that a change is tested, and not which criterion a test is about. */
function isReviewOnly(run: Run, chronicle: Chronicle): boolean {
  const verdicts = verdictsIn(chronicle);
  return run.contract.features.some((feature) =>
    criteriaOf(run, feature, verdicts).some(({ verification }) => verification === "code review"),
  );
}
