// The state to return to. Asked again: one that was already made is the one, since it was made before anything changed.
import type { Effect } from "../../core/effect.ts";
import { type CheckpointId, checkpointId, type RunId } from "../../core/ids.ts";
import type { Mark, Run } from "../../core/run.ts";
import type { Checkpoint } from "../../workspace/workspace.ts";
import type { Fact, Ports } from "../ports.ts";

export async function makeCheckpoint(
  { id }: Extract<Effect, { do: "checkpoint" }>,
  state: Run,
  { workspace, run }: Ports,
): Promise<Fact> {
  const name = ofRun(run, id);
  const made = (await workspace.findCheckpoint(name)) ?? (await workspace.checkpoint(name));
  const wanted = new Set([name, ...marksOf(state).map(({ checkpoint }) => checkpoint)]);
  await workspace.forget((other) => isOfRun(run, other) && !wanted.has(other));
  return { type: "checkpointed", mark: markOf(made) };
}

/** What the run may still return to: where it began, and where a feature began that is to be tried again. */
const marksOf = ({ origin, progress }: Run): Mark[] => [
  ...(origin === null ? [] : [origin]),
  ...progress.all.flatMap(({ base }) => base ?? []),
];

/** Checkpoints of all runs share the vault, so each carries its run's name. */
export const ofRun = (run: RunId, id: string): CheckpointId => checkpointId(`${run}.${id}`);
const isOfRun = (run: RunId, id: CheckpointId): boolean => id.startsWith(`${run}.`);

export const markOf = ({ id, tree, head, headTree }: Checkpoint): Mark => ({
  checkpoint: id,
  tree,
  head,
  ...(headTree === undefined ? {} : { headTree }),
});
