// Somebody else committed while the loop was at work: what the session left behind is set aside, and nothing of it is believed.
import type { Mark, Run } from "../../core/run.ts";
import type { Ports } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { checkpointNamed } from "./roll-back.ts";

/**
 * The folder becomes a clean checkout of the new head, so that going on starts from that and from nothing else. The loop's
 * own inputs come last: the commit may hold others, and whether those count is for a person to say while the run rests.
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
