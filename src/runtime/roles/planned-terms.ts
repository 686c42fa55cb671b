// What a planner may decide about how its features are proved. What makes a feature easier to be done is a person's to agree to.
import type { Contract, FeatureKind } from "../../core/contract.ts";
import type { FeatureEntry } from "../../formats/features-json.ts";

export type Agreed = { readonly features: readonly FeatureEntry[]; readonly notes: readonly string[] };

/**
 * With a gate before building, the person sees every such term and agrees to it by passing. Without one, only what the loop
 * finds out for itself counts: documents are known by the diff, and a refactoring by the person's own request.
 */
export function agreedTerms(features: readonly FeatureEntry[], contract: Pick<Contract, "gates" | "intake">): Agreed {
  if (contract.gates.includes("G1")) return { features, notes: [] };
  const mayBe: readonly FeatureKind[] =
    contract.intake?.workflow === "refactor" ? ["change", "docs", "keep"] : ["change", "docs"];
  const notes: string[] = [];
  const agreed = features.map((feature) => {
    const { kind, mayChange, enough, ...plain } = feature;
    const refused = [
      ...(kind === undefined || mayBe.includes(kind) ? [] : [`kind: ${kind}`]),
      ...(mayChange === undefined || mayChange.length === 0 ? [] : [`may_change: ${mayChange.join(", ")}`]),
      ...(enough === undefined || enough === "proof" ? [] : [`enough: ${enough}`]),
    ];
    if (refused.length > 0) notes.push(`${feature.id}: the planner's ${refused.join("; ")} does not count: ${why}`);
    return kind !== undefined && mayBe.includes(kind) ? { ...plain, kind } : plain;
  });
  return { features: agreed, notes };
}

const why =
  "only you can agree to it. Write it into FEATURES.json, or run with the gate before building (--autonomy L1).";
