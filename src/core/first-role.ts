// Who comes first at a feature: who writes tests from the contract alone, who designs, or who builds.
import type { FeatureId } from "./ids.ts";
import type { Role, Run } from "./run.ts";
import { featureOf, progressOf } from "./select.ts";

export function firstRole(run: Run, id: FeatureId): Role {
  return isExamDue(run, id) ? "examiner" : afterExam(run, id);
}

export const afterExam = (run: Run, id: FeatureId): Role => (isDesignDue(run, id) ? "designer" : "builder");

/** Before anything of it is built, so that these tests cannot be fitted to the code. Once, however often it is tried. */
function isExamDue(run: Run, id: FeatureId): boolean {
  const { kind, enough } = featureOf(run.contract, id);
  return (
    run.contract.proof.depth === "deep" &&
    kind === "change" &&
    enough === "proof" &&
    progressOf(run, id).examined !== true
  );
}

/** A feature with many criteria is designed first, where the contract plans at all. */
function isDesignDue({ contract }: Run, id: FeatureId): boolean {
  const { designDoc, criteria } = featureOf(contract, id);
  return contract.stages.includes("plan") && designDoc === null && criteria.length > 3;
}
