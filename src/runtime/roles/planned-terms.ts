// What a planner may decide about how its features are proved. Only a person may accept terms that make a feature
// easier to finish.
import type { Contract, FeatureKind } from "../../core/contract.ts";
import type { FeatureEntry } from "../../formats/queue/features-json.ts";

export type Agreed = { readonly features: readonly FeatureEntry[]; readonly notes: readonly string[] };

/**
 * With a gate before building, the person sees every such term and accepts it by passing the gate. Without one, only
 * what the loop can verify itself counts: the diff shows whether a change is documentation, and the person's request
 * whether it is a refactoring.
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
