// Intake: reads a request before anything is spent. How clear it is, what kind of work it asks for, how hard it is to
// undo. Pure and in linear time: the same words always get the same answer, and no text makes it throw.
import type { Workflow } from "./deeds.ts";
import { type DimensionName, dimensionNames, type Score, scoreText } from "./dimensions.ts";
import type { Evidence } from "./evidence.ts";
import { isJudgeable } from "./judgeable.ts";
import type { Known } from "./known.ts";
import { answerHeadings, proposalFor } from "./proposals.ts";
import { exampleFor, questions } from "./questions.ts";
import { raise } from "./raise.ts";
import { read } from "./reading.ts";
import { type Reversibility, reversibilityOf } from "./reversibility.ts";
import { suiteIsSaid } from "./wording.ts";
import { rules, workflowOf } from "./workflow.ts";

export type { Workflow } from "./deeds.ts";
export type { DimensionName, Score } from "./dimensions.ts";
export type { Evidence } from "./evidence.ts";
export type { Known } from "./known.ts";
export type { Reversibility } from "./reversibility.ts";

/**
 * tool: runs by itself. colleague: asks after each step. intent-needed: does not start before the request is clearer.
 */
export type Shape = "tool" | "colleague" | "intent-needed";
export type Dimension = {
  readonly name: DimensionName;
  readonly score: Score;
  readonly evidence: readonly Evidence[];
  readonly question: string;
  readonly example: string;
  /** An answer to accept; null: only the person knows. */
  readonly proposal: string | null;
};
export type Finding = { readonly why: readonly string[]; readonly evidence: readonly Evidence[] };
export type Intake = {
  /** 0 to 10: the sum of the dimensions. */
  readonly score: number;
  readonly dimensions: readonly Dimension[];
  readonly shape: Shape;
  readonly workflow: Workflow;
  /** What the workflow requires, in words for a prompt. */
  readonly rule: string;
  readonly reversibility: Reversibility;
  /** False: the rules do not know the language, and the score is too low. */
  readonly languageKnown: boolean;
  readonly reasons: Readonly<Record<"shape" | "workflow" | "reversibility", Finding>>;
};

export const toolFrom = 8;
/** A longer request is a book; what matters is at its beginning. */
const lengthMax = 200_000;

export function intake(request: string, known: Known = {}): Intake {
  const reading = read(request.slice(0, lengthMax));
  const scores = raise(scoreText(reading), known, suiteIsSaid(reading.prose));
  const found = workflowOf(reading);
  const undoing = reversibilityOf(reading);
  const dimensions = dimensionNames.map((name) => ({
    name,
    ...scores[name],
    question: questions[name],
    example: exampleFor(name, found.workflow, reading, known),
    proposal: proposalFor(name, found.workflow, known),
  }));
  const score = dimensions.reduce((sum, each) => sum + each.score, 0);
  const { shape, why } = shapeOf(score, isJudgeable(scores), reading.language);
  return {
    score,
    dimensions,
    shape,
    workflow: found.workflow,
    rule: rules[found.workflow],
    reversibility: undoing.reversibility,
    languageKnown: reading.language.isKnown,
    reasons: {
      shape: { why, evidence: [] },
      workflow: { why: [found.why], evidence: found.evidence },
      reversibility: { why: undoing.reasons, evidence: undoing.evidence },
    },
  };
}

/** What the request leaves open. A refused request is asked for its outcome and scope first. */
export const missing = ({ dimensions, shape }: Intake): Dimension[] =>
  dimensions.filter(
    ({ name, score }) =>
      score === 0 || (shape === "intent-needed" && score < 2 && (name === "outcome" || name === "scope")),
  );

/** The request with answers to what it left open. Its own words stay as they are, and come first. */
export const withAnswers = (
  request: string,
  answers: readonly { readonly name: DimensionName; readonly answer: string }[],
): string =>
  [
    request.trimEnd(),
    ...(answers.length === 0 ? [] : [""]),
    ...answers.map(({ name, answer }) => `${answerHeadings[name]}: ${answer}`),
  ].join("\n");

function shapeOf(
  score: number,
  judgeable: boolean,
  { isKnown, isEnough }: { isKnown: boolean; isEnough: boolean },
): { shape: Shape; why: string[] } {
  if (judgeable && score >= toolFrom) return { shape: "tool", why: [`${score} of 10, and ${toolFrom} are enough`] };
  if (judgeable)
    return { shape: "colleague", why: [`${score} of 10, and ${toolFrom} would be needed to go without asking`] };
  // A request that we cannot read is not a bad one. It is not run unattended, but it is not refused either.
  if (!isKnown && isEnough)
    return { shape: "colleague", why: [`${score} of 10 by rules that know English, and this is something else`] };
  return { shape: "intent-needed", why: ["two people could disagree about whether it is done"] };
}
