// A planner's reply: features with criteria and an order, or a question. It becomes part of the work queue, so the same
// rules apply as for one that a person wrote.
import { z } from "zod";
import { featureId } from "../../core/ids.ts";
import { graphProblems } from "../queue/feature-graph.ts";
import type { FeatureEntry } from "../queue/features-json.ts";
import { isInside } from "../text/safe-names.ts";
import { choice, list, optional, problemOf, question, type ReplyProblem, readObject, text } from "./reply-parts.ts";

export type PlanReply =
  | { status: "done"; summary: string; features: readonly FeatureEntry[] }
  | { status: "blocked"; summary: string }
  | { status: "question"; question: { text: string; bestSupposition: string | null } };

const featuresMax = 50;
const testsMax = 50;

const feature = z.object({
  id: text,
  name: text,
  description: optional,
  acceptance_criteria: list(text),
  dependencies: list(text),
  may_touch: list(z.string().refine(isInside, "must be a path inside the workspace")),
  // Whether these count is decided elsewhere; invalid values are ignored.
  kind: choice({ change: "change", keep: "keep", docs: "docs", judge: "judge" }).optional().catch(undefined),
  may_change: z.array(text).max(testsMax).optional().catch(undefined),
  enough: choice({ proof: "proof", review: "review" }).optional().catch(undefined),
});
const plan = z.object({
  status: choice({ done: "done", complete: "done", blocked: "blocked", question: "question" }),
  summary: optional,
  question: question.nullish(),
  features: list(feature),
});

/** `firstNumber` is the first free one: the planner's own ids only express dependencies. */
export function parsePlan(answer: unknown, firstNumber: number): PlanReply | ReplyProblem {
  return readObject(answer, (value) => {
    const parsed = plan.safeParse(value);
    if (!parsed.success) return problemOf(parsed.error);
    const { status, summary, question: asked, features } = parsed.data;
    if (status === "question")
      return { status, question: asked ?? { text: summary ?? "What is meant?", bestSupposition: null } };
    if (status === "blocked") return { status, summary: summary ?? "" };
    const problem = problemWith(features);
    return problem === null
      ? { status, summary: summary ?? "", features: numbered(features, firstNumber) }
      : { problem };
  });
}

type Planned = z.infer<typeof feature>;

function problemWith(features: readonly Planned[]): string | null {
  if (features.length === 0) return "features is empty: a plan names at least one.";
  if (features.length > featuresMax) return `features has ${features.length} entries, and the most is ${featuresMax}.`;
  const bare = features.find(({ acceptance_criteria: criteria }) => criteria.every((each) => each.trim() === ""));
  if (bare !== undefined) return `${JSON.stringify(bare.name.slice(0, 80))} has no acceptance_criteria.`;
  const [wrong] = graphProblems(features);
  return wrong === undefined ? null : `features: ${wrong}.`;
}

/** In the given order, which is also their priority. */
function numbered(features: readonly Planned[], firstNumber: number): FeatureEntry[] {
  const idOf = new Map(
    features.map(({ id }, at) => [id, featureId(`F${String(firstNumber + at).padStart(3, "0")}`)] as const),
  );
  return features.map((each, at) => ({
    id: idOf.get(each.id) ?? featureId(`F${String(firstNumber + at).padStart(3, "0")}`),
    name: each.name.replace(/\s+/g, " ").trim().slice(0, 200) || each.id,
    priority: at + 1,
    status: "not-started",
    description: each.description ?? "",
    criteria: each.acceptance_criteria.map((line) => line.trim()).filter((line) => line !== ""),
    dependencies: each.dependencies.flatMap((id) => idOf.get(id) ?? []),
    designDoc: null,
    checks: null,
    mayTouch: each.may_touch.length === 0 ? null : each.may_touch,
    ...(each.kind === undefined ? {} : { kind: each.kind }),
    ...(each.may_change === undefined || each.may_change.length === 0 ? {} : { mayChange: each.may_change }),
    ...(each.enough === undefined ? {} : { enough: each.enough }),
  }));
}
