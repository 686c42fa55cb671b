// What a person changed since the last iteration. On retry: it is read again.
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run.ts";
import { readFeatures } from "../inputs.ts";
import type { Ports, Result } from "../ports.ts";

export async function observe(run: Run, ports: Ports): Promise<Result> {
  try {
    return { type: "observed", features: readFeatures(run, ports) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // A half-edited file must not end the run: the agreed features stay in force.
    ports.note("features", `The edited work queue cannot be used yet: ${error.why}`);
    return { type: "observed", features: null };
  }
}
