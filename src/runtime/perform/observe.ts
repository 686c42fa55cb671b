// What a person changed since the last iteration. Asked again: it only looks.
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run.ts";
import { readFeatures } from "../inputs.ts";
import type { Ports, Result } from "../ports.ts";

export async function observe(run: Run, ports: Ports): Promise<Result> {
  try {
    return { type: "observed", features: readFeatures(run, ports) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // A file that a person is in the middle of editing must not end the run: what was agreed stays in force.
    ports.note("features", `The edited work queue cannot be used yet: ${error.why}`);
    return { type: "observed", features: null };
  }
}
