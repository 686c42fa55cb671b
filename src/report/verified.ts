// How each criterion of a feature was shown, by the last verdict on it.

import { byChecker } from "../core/attempt.ts";
import type { Feature } from "../core/contract.ts";
import type { JudgedCriterion, Verification } from "../core/event.ts";
import { progressIn } from "../core/progresses.ts";
import type { Progress, Run } from "../core/run.ts";
import { isDone } from "../core/select.ts";
import { isAssumed, isShown, requiredFor } from "../core/verification.ts";
import type { Chronicle } from "./chronicle.ts";
import type { Story } from "./story.ts";
import { outcomeOf, type Verdict } from "./words/words.ts";

export type CriterionState = {
  readonly criterion: string;
  readonly met: boolean;
  /** How it was shown; while it is not met, how it has to be. Null: nothing says. */
  readonly verification: Verification | null;
  /** The person whose word it is that it is met, where no verdict has shown it; else null. */
  readonly acceptedBy: string | null;
};

/** In words, for a file and a box. A person's word is never called an observation. */
export function shownBy({ verification, acceptedBy }: CriterionState): string | null {
  if (acceptedBy === null) return verification;
  return `${verification === null ? "" : `${verification}, `}accepted by ${acceptedBy}`;
}

type Judged = Pick<JudgedCriterion, "criterion" | "met" | "verification">;
type Verdicts = ReadonlyMap<string, ReadonlyMap<number, Judged>>;

/** The last verdict on each feature, found once. */
export function verdictsIn({ iterations }: Chronicle): Verdicts {
  const found = new Map<string, ReadonlyMap<number, Judged>>();
  for (const { feature, sessions } of iterations) {
    const judged = sessions.findLast((session) => session.judged !== undefined)?.judged;
    if (judged !== undefined) found.set(feature, new Map(judged.map((one) => [one.criterion, one])));
  }
  return found;
}

export function criteriaOf(run: Run, feature: Feature, verdicts: Verdicts): CriterionState[] {
  const verdict = verdicts.get(feature.id);
  const person = acceptorOf(progressIn(run.progress, feature.id));
  return feature.criteria.map((criterion, index) => {
    const required = requiredFor(criterion);
    const met = isDone(run, feature.id) || isSeen(run, feature, index);
    if (!met) return { criterion, met, verification: required, acceptedBy: null };
    const judged = verdict?.get(index);
    if (judged?.met === true && isShown(criterion, judged.verification))
      return { criterion, met, verification: judged.verification, acceptedBy: null };
    // A person looked as they liked: how it has to be shown says nothing about that.
    const verification = person !== null && !isAssumed(criterion) ? null : required;
    return { criterion, met, verification, acceptedBy: person };
  });
}

/** Who accepted its work; null: it was proved, or reviewed by the checker. */
const acceptorOf = (progress: Progress | undefined): string | null =>
  progress?.grade !== "reviewed" || progress.reviewedBy === byChecker ? null : progress.reviewedBy;

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
  return isUnseen(run, chronicle) ? "MONITOR" : "SHIP";
}

/** A criterion was only read or assumed. A proof shows that a change is tested, and not which criterion a test is about. */
function isUnseen(run: Run, chronicle: Chronicle): boolean {
  const verdicts = verdictsIn(chronicle);
  return run.contract.features.some((feature) =>
    criteriaOf(run, feature, verdicts).some(
      ({ verification }) => verification === "code review" || verification === "assumption",
    ),
  );
}
