// The branch that shows held work to people.
import type { Held } from "../../core/run.ts";
import { heldBranches } from "../../workspace/workspace.ts";

export const heldBranch = ({ branch }: Pick<Held, "branch">, feature: string): string =>
  branch ?? `${heldBranches}/${feature}`;
