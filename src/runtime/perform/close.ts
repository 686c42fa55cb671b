// The final checks: every check of the contract on the run's last state. On retry: they run again.
import type { Run } from "../../core/run.ts";
import type { Ports, Result } from "../ports.ts";
import { keepFolder } from "./folder.ts";

export async function close(run: Run, ports: Ports, cut: AbortSignal): Promise<Result> {
  const tree = await ports.workspace.tree();
  const closed = await ports.prover.close({ contract: run.contract, tree }, cut);
  await keepFolder(run, tree, "a check changed it at the end", ports);
  if (closed.cut) return { type: "cut", usage: null };
  for (const note of closed.notes) ports.note("checks", note);
  return { type: "closed", red: closed.red };
}
