// A follow-up: a run of the same task that works on the gaps found by the audit, with the rest of the budget.
import { blockingGaps } from "../core/audit.ts";
import type { Contract } from "../core/contract.ts";
import { UserError } from "../core/errors.ts";
import { featureId, type RunId } from "../core/ids.ts";
import { limitsLeft, type Used, usedByTask } from "../core/limits.ts";
import type { Run, Spend } from "../core/run.ts";
import type { FeatureEntry } from "../formats/queue/features-json.ts";
import { shortLine } from "../formats/text/shortened.ts";

/** What a run that ends in a follow-up passes on. */
export type HandedOn = { readonly of: RunId; readonly contract: Contract; readonly features: readonly FeatureEntry[] };

/** One feature for each gap, under the next free numbers. The request stays the same: nothing is widened. */
export function handOn(of: RunId, { contract, audit, spent }: Run, firstNumber: number): HandedOn {
  const gaps = blockingGaps(audit);
  const revised = audit?.revised.trim() ?? "";
  const features = gaps.map(
    ({ text, evidence, criterion, by }, at): FeatureEntry => ({
      id: featureId(`F${String(firstNumber + at).padStart(3, "0")}`),
      // The name becomes the subject of its commit, so it says what is true then.
      name: shortLine(criterion ?? text, 72),
      priority: at + 1,
      status: "not-started",
      description: [
        by === "person" ? `A person rejected the result: ${text}` : text,
        ...(revised === "" || revised === text ? [] : ["", "The request for what is missing:", revised]),
        ...(evidence.length === 0 ? [] : ["", "What the audit saw:", ...evidence.map((each) => `- ${each}`)]),
      ].join("\n"),
      criteria: [criterion ?? `This is no longer so: ${text}`],
      dependencies: [],
      designDoc: null,
      checks: null,
      mayTouch: null,
    }),
  );
  const { depth, depthMax } = contract.followUp;
  return {
    of,
    features,
    contract: {
      ...contract,
      // The budget belongs to the task: a follow-up spends what earlier runs left.
      limits: limitsLeft(contract.limits, spent),
      gates: contract.gates.filter((name) => name !== "G1"),
      followUp: { of, depth: depth + 1, depthMax, used: usedByTask({ contract, spent: usedIn(spent) }) },
    },
  };
}

const usedIn = ({ estimated: _, ...used }: Spend): Used => used;

export const noFollowUp = (run: string): UserError =>
  new UserError("no-follow-up", {
    what: `Run ${run} has no follow-up to begin.`,
    why: "Only a run whose audit found something missing has one.",
    next: "loop status",
  });

/** What is still missing after the follow-up is for a new request, or a follow-up of the follow-up. */
export const followedAlready = (run: string, by: string): UserError =>
  new UserError("no-follow-up", {
    what: `Run ${run} has no follow-up to begin.`,
    why: `Its follow-up was begun already: run ${by}.`,
    next: `loop status --run ${by}`,
  });
