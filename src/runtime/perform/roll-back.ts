// Back to the state before a feature. Asked again: a restored workspace is restored, and nothing more is set aside.
import type { Effect } from "../../core/effect.ts";
import { Bug } from "../../core/errors.ts";
import type { CheckpointId } from "../../core/ids.ts";
import type { Checkpoint } from "../../workspace/workspace.ts";
import type { Fact, Ports } from "../ports.ts";

export async function rollBack(
  { work, cause }: Extract<Effect, { do: "roll-back" }>,
  { workspace }: Ports,
): Promise<Fact> {
  const to = await checkpointNamed(workspace, work.base.checkpoint);
  const { quarantine } = await workspace.restore(to, `${work.feature}: ${firstLine(cause.text)}`);
  return { type: "rolled-back", quarantine };
}

export async function checkpointNamed(workspace: Ports["workspace"], id: CheckpointId): Promise<Checkpoint> {
  const found = await workspace.findCheckpoint(id);
  if (found === null) throw new Bug(`the vault has no checkpoint ${id}`);
  return found;
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
