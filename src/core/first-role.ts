// Which role starts on a feature: the examiner, the designer or the builder.
import type { FeatureId } from "./ids.ts";
import type { Role, Run } from "./run.ts";
import { featureOf, progressOf } from "./select.ts";

export function firstRole(run: Run, id: FeatureId): Role {
  return isExamDue(run, id) ? "examiner" : afterExam(run, id);
}

export const afterExam = (run: Run, id: FeatureId): Role => (isDesignDue(run, id) ? "designer" : "builder");

/**
 * Before any of it is built, so that these tests cannot be fitted to the code. Only once, however many attempts there
 * are.
 */
function isExamDue(run: Run, id: FeatureId): boolean {
  const { kind, enough } = featureOf(run.contract, id);
  return (
    run.contract.proof.depth === "deep" &&
    kind === "change" &&
    enough === "proof" &&
    progressOf(run, id).examined !== true
  );
}

/** Features with many criteria are designed first, if the contract has a plan stage. */
function isDesignDue({ contract }: Run, id: FeatureId): boolean {
  const { designDoc, criteria } = featureOf(contract, id);
  return contract.stages.includes("plan") && designDoc === null && criteria.length > 3;
}
