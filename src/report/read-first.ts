// Which commits of a run a person should read first.
import { recordEdited } from "../core/event.ts";
import { withAllowed } from "../core/proof.ts";
import type { Run } from "../core/run.ts";
import { findFeature } from "../core/select.ts";
import type { Chronicle, Iteration } from "./chronicle.ts";
import { count } from "./words/words.ts";

export type ToRead = {
  commit: string | null;
  feature: string;
  name: string;
  why: string;
  risk: number;
  takenBack: string | null;
};

/** Commits to review, riskiest first. */
export function readFirst({ contract }: Run, { iterations }: Chronicle): ToRead[] {
  const triesOf = groupByFeature(iterations);
  const read = iterations
    .filter((it) => it.commit !== null)
    .map((it): ToRead => {
      const tries = triesOf.get(it.feature) ?? [];
      const violations = tries.flatMap((other) => other.violations).filter(({ kind }) => kind !== recordEdited).length;
      const reasons = [
        ...(it.grade === "weak" ? ["unproved"] : it.grade === "reviewed" ? ["reviewed, not proved"] : []),
        ...(isAllowed(it) ? ["tests were allowed to change"] : []),
        ...(tries.length > 1 ? [`${tries.length} attempts`] : []),
        ...(violations > 0 ? ["the agent overstepped"] : []),
        `${count(it.changed, "file")} changed`,
      ];
      const risk =
        (it.grade === "strong" ? 0 : 100) +
        (isAllowed(it) ? 80 : 0) +
        violations * 50 +
        (tries.length - 1) * 20 +
        it.changed;
      const name = findFeature(contract, it.feature)?.name ?? it.feature;
      return { commit: it.commit, feature: it.feature, name, why: reasons.join(", "), risk, takenBack: null };
    });
  return read.sort((a, b) => b.risk - a.risk);
}

/** Protected tests were changed, by the contract or with a person's permission. */
const isAllowed = ({ checks }: Iteration): boolean => checks.some(({ how }) => how.includes(withAllowed));

/** All attempts at each feature, in one pass. */
export function groupByFeature(iterations: readonly Iteration[]): Map<string, Iteration[]> {
  const tries = new Map<string, Iteration[]>();
  for (const iteration of iterations) {
    const those = tries.get(iteration.feature);
    if (those === undefined) tries.set(iteration.feature, [iteration]);
    else those.push(iteration);
  }
  return tries;
}
