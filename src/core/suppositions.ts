// Whether an agent's question is answered with its own best supposition, as full_auto_answers allows.
import type { FeatureId } from "./ids.ts";
import type { Run } from "./run.ts";
import { normal } from "./words.ts";

/** An agent that keeps answering its own questions is not getting anywhere. */
export const suppositionsMax = 3;

/** `feature`: whose question it is; null: the planner's. One that is asked again was not helped by its answer. */
export function mayAnswerItself(
  { contract, decisions }: Run,
  feature: FeatureId | null,
  { question, supposition }: { readonly question: string; readonly supposition: string },
): boolean {
  const earlier = decisions.filter((each) => each.feature === feature && each.source === "supposition");
  const isAskedAgain = earlier.some((each) => normal(each.question) === normal(question));
  return contract.fullAutoAnswers && supposition !== "" && earlier.length < suppositionsMax && !isAskedAgain;
}
