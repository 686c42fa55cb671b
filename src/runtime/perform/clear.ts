// Handles a commit made by someone else while the loop was working: the session's changes are quarantined, and none of
// them count.
import type { Mark, Run } from "../../core/run.ts";
import type { Ports } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { checkpointNamed } from "./roll-back.ts";

/**
 * The folder becomes a clean checkout of the new head, so that the run resumes from exactly that. The loop's inputs are
 * restored last: the commit may contain different ones, and a person decides about those while the run rests.
 */
export async function clearAfterMove(mark: Mark, why: string, { contract }: Run, ports: Ports): Promise<void> {
  const before = await checkpointNamed(ports.workspace, mark.checkpoint);
  const { quarantine, files } = await ports.workspace.clear(before, why);
  if (quarantine !== null && files.length > 0)
    ports.note(
      "set aside",
      `What was in the folder was set aside, and the folder is as the new commit has it: loop recover ${quarantine}`,
    );
  for (const { kind, what } of repairGuarded(ports, contract.recordsDir)) ports.note(kind, what);
}
