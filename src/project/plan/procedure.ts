// How a request is worked on: which stages can change the result, and where a person is asked.
import type { Autonomy, GateName, IntakeNote, Stage } from "../../core/contract.ts";
import type { Settings } from "../../formats/config/settings.ts";
import { requestItems } from "../../formats/contract/request-items.ts";

const allGates: readonly GateName[] = ["G1", "G2", "G3"];

export type Occasion = {
  /** The work comes from the request alone: no person has written its features yet. */
  readonly isDrafted: boolean;
  /** How many things the request asks for. */
  readonly parts: number;
  readonly intake: IntakeNote | null;
  /** A person has written docs/LOOP.md. */
  readonly hasContract: boolean;
  /** A person, or one of their files, has named a level of autonomy. */
  readonly isAutonomySaid: boolean;
  /** Skips the review before building; where only the shape of the request asks, every gate. */
  readonly yes: boolean;
};

/**
 * The configured stages, or those that can change the result: a plan splits a request with several parts, and an audit
 * finds parts that were lost. A request that is one feature is judged as a whole by its evaluator; features that a
 * person wrote need no plan.
 */
export function stagesFor({ stages }: Pick<Settings, "stages">, { isDrafted, parts }: Occasion): readonly Stage[] {
  if (stages !== null) return stages;
  return isDrafted && parts > 1 ? ["plan", "implement", "audit"] : ["implement"];
}

/**
 * L1 asks at every gate. L2 asks before building if the features come from the request alone, there is no contract, and
 * the request leaves something open. L3 never asks. If no level was named, a request that leaves something open is
 * asked about at every gate, and a clear one at none. With `continuation: manual`, also after each iteration.
 */
export function gatesFor(settings: Asking, occasion: Occasion): readonly GateName[] {
  const chosen = byLevel(settings, occasion);
  const isManual = settings.continuation === "manual" && settings.gates === null;
  return isManual ? allGates.filter((name) => name === "G2" || chosen.includes(name)) : chosen;
}

type Asking = Pick<Settings, "gates" | "autonomy" | "continuation">;

function byLevel(
  { gates, autonomy }: Asking,
  { isDrafted, intake, hasContract, isAutonomySaid, yes }: Occasion,
): readonly GateName[] {
  const isOpen = isDrafted && !hasContract && intake?.shape === "colleague";
  if (gates === null && !isAutonomySaid) return isOpen && !yes ? allGates : [];
  const byAutonomy: Record<Autonomy, readonly GateName[]> = { L1: allGates, L2: isOpen ? ["G1"] : [], L3: [] };
  const chosen = gates ?? byAutonomy[autonomy];
  return yes ? chosen.filter((name) => name !== "G1") : chosen;
}

/** The request is about the suite itself: checks that are red now have to turn green. */
export const asksForGreen = (request: string): boolean =>
  /^\W*(?:please\s+)?(?:(?:make|get|turn)\s+(?:all\s+)?(?:the\s+|our\s+)?(?:\w+\s+)?(?:tests?|test suite|suite|build)\b.{0,20}\b(?:pass|passing|green)\b|(?:fix|repair)\s+(?:all\s+)?(?:the\s+)?failing\s+tests?\b)/i.test(
    request,
  );

/** How many things a request asks for: the items of its lists, or one. */
export const partsOf = (request: string): number => Math.max(1, requestItems(request).length);
