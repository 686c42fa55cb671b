// The state to return to. Asked again: one that was already made is the one, since it was made before anything changed.
import type { Effect } from "../../core/effect.ts";
import { type CheckpointId, checkpointId, type RunId } from "../../core/ids.ts";
import type { Mark } from "../../core/run.ts";
import type { Checkpoint } from "../../workspace/workspace.ts";
import type { Fact, Ports } from "../ports.ts";

export async function makeCheckpoint(
  { id }: Extract<Effect, { do: "checkpoint" }>,
  { workspace, run }: Ports,
): Promise<Fact> {
  const name = ofRun(run, id);
  const made = (await workspace.findCheckpoint(name)) ?? (await workspace.checkpoint(name));
  return { type: "checkpointed", mark: markOf(made) };
}

/** Checkpoints of all runs share the vault, so each carries its run's name. */
export const ofRun = (run: RunId, id: string): CheckpointId => checkpointId(`${run}.${id}`);

export const markOf = ({ id, tree, head, headTree }: Checkpoint): Mark => ({
  checkpoint: id,
  tree,
  head,
  ...(headTree === undefined ? {} : { headTree }),
});
