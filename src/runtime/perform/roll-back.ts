// Restores the state before a feature. On retry: restoring again changes nothing and quarantines nothing more.
import type { Effect } from "../../core/effect.ts";
import { Bug } from "../../core/errors.ts";
import type { CheckpointId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import { causeText, firstLine } from "../../report/words/cause-words.ts";
import type { Checkpoint, Folded } from "../../workspace/workspace.ts";
import type { Ports, Result } from "../ports.ts";
import { restoreGuarded } from "../records/guard.ts";
import { notWork } from "../records/paths.ts";
import { clearAfterMove } from "./clear.ts";

export async function rollBack(
  { work, cause }: Extract<Effect, { do: "roll-back" }>,
  run: Run,
  ports: Ports,
): Promise<Result> {
  const { workspace } = ports;
  const to = await checkpointNamed(workspace, work.base.checkpoint);
  // Restoring would also undo a person's commit, and that is their decision.
  const { movedBy, misdeeds } = await workspace.fold(to);
  if (movedBy !== null) {
    await clearAfterMove(work.base, `${work.feature}: ${firstLine(causeText(cause))}`, run, ports);
    return { type: "head-moved", why: movedText(movedBy) };
  }
  for (const { kind, what } of misdeeds) if (kind === "file-refused") ports.note(kind, what);
  const ours = notWork(run.contract.recordsDir);
  const { quarantine } = await workspace.restore(to, `${work.feature}: ${firstLine(causeText(cause))}`, ours);
  // The records are newer than the checkpoint, and a person may have added features to the queue since.
  await restoreGuarded(ports, run.contract.recordsDir, work.base.tree);
  return { type: "rolled-back", quarantine };
}

export function movedText({ commit, who, subject, agents }: NonNullable<Folded["movedBy"]>): string {
  const id = commit.slice(0, 10);
  const moved = `${who} committed ${id} (${subject}) while the loop was at work.`;
  const onTop = agents === 1 ? "A commit of the agent's is" : `${agents} commits of the agent's are`;
  return agents === 0 ? moved : `${moved} ${onTop} on top of it, unproved; to take that back: git reset --keep ${id}`;
}

export async function checkpointNamed(workspace: Ports["workspace"], id: CheckpointId): Promise<Checkpoint> {
  const found = await workspace.findCheckpoint(id);
  if (found === null) throw new Bug(`the vault has no checkpoint ${id}`);
  return found;
}
