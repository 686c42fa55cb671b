// The last look: every check of the contract on what the run leaves behind. Asked again: it looks again.
import type { Run } from "../../core/run.ts";
import type { Fact, Ports } from "../ports.ts";
import { runChecks } from "../proof/run-checks.ts";

export async function close({ contract }: Run, ports: Ports, cut: AbortSignal): Promise<Fact> {
  const tree = await ports.workspace.tree();
  const judged = await runChecks(contract.checks, { on: "candidate", tree, label: "closing" }, contract, ports, cut);
  if (cut.aborted) return { type: "cut", usage: null };
  return { type: "closed", red: judged.filter(({ how }) => how !== "green").map(({ spec }) => spec.name) };
}
