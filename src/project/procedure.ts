// How a request is worked on: which stages can change the result, and where a person is asked.
import type { Autonomy, GateName, IntakeNote, Stage } from "../core/contract.ts";
import type { Settings } from "../formats/settings.ts";

export type Occasion = {
  /** The work comes from the request alone: no person has written down its features yet. */
  readonly isDrafted: boolean;
  /** How many things the request asks for. */
  readonly parts: number;
  readonly intake: IntakeNote | null;
  /** A person has written docs/LOOP.md. */
  readonly hasContract: boolean;
  /** The contract is agreed to unseen. */
  readonly yes: boolean;
};

/**
 * What is configured, or what can change the result: a plan splits what has several parts, and an audit finds what fell out
 * of it. A request that is one feature is judged as a whole by its evaluator; features that a person wrote need no plan.
 */
export function stagesFor({ stages }: Pick<Settings, "stages">, { isDrafted, parts }: Occasion): readonly Stage[] {
  if (stages !== null) return stages;
  return isDrafted && parts > 1 ? ["plan", "implement", "audit"] : ["implement"];
}

/** L1 asks everywhere. L2 asks before it builds what nobody has written down, unless the request leaves nothing open. L3 never asks. */
export function gatesFor(
  { gates, autonomy }: Pick<Settings, "gates" | "autonomy">,
  { isDrafted, intake, hasContract, yes }: Occasion,
): readonly GateName[] {
  const isOpen = isDrafted && !hasContract && intake?.shape === "colleague";
  const byAutonomy: Record<Autonomy, readonly GateName[]> = {
    L1: ["G1", "G2", "G3"],
    L2: isOpen ? ["G1"] : [],
    L3: [],
  };
  const chosen = gates ?? byAutonomy[autonomy];
  return yes ? chosen.filter((name) => name !== "G1") : chosen;
}

/** The request is about the suite itself: what is red now is what has to turn green. */
export const asksForGreen = (request: string): boolean =>
  /^\W*(?:please\s+)?(?:(?:make|get|turn)\s+(?:all\s+)?(?:the\s+|our\s+)?(?:\w+\s+)?(?:tests?|test suite|suite|build)\b.{0,20}\b(?:pass|passing|green)\b|(?:fix|repair)\s+(?:all\s+)?(?:the\s+)?failing\s+tests?\b)/i.test(
    request,
  );

/** How many things a request asks for: the items of its lists, or one. */
export function partsOf(request: string): number {
  const items = request.split("\n").filter((line) => /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+\S/.test(line)).length;
  return Math.max(1, items);
}
