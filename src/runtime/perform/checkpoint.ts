// The state to return to. On retry: an existing checkpoint is reused, since it was made before anything changed.
import type { Effect } from "../../core/effect.ts";
import { type CheckpointId, checkpointId, type RunId } from "../../core/ids.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Mark, Run } from "../../core/run.ts";
import type { Checkpoint } from "../../workspace/workspace.ts";
import type { Ports, Result } from "../ports.ts";
import { clearAfterMove } from "./clear.ts";
import { keepFolder } from "./folder.ts";

export async function makeCheckpoint(
  { id, feature }: Extract<Effect, { do: "checkpoint" }>,
  state: Run,
  ports: Ports,
): Promise<Result> {
  const { workspace, run } = ports;
  const name = ofRun(run, id);
  const made = (await workspace.findCheckpoint(name)) ?? (await newCheckpoint(name, state, ports));
  const base = progressIn(state.progress, feature)?.base ?? null;
  // The unfinished work now sits on top of a commit that it was not made for.
  if (base !== null && base.head !== made.head) {
    const why = `The branch moved to ${made.head?.slice(0, 10) ?? "nothing"} between two attempts at ${feature}.`;
    await clearAfterMove(markOf(made), why, state, ports);
    return { type: "head-moved", why };
  }
  const wanted = new Set([name, ...marksOf(state).map(({ checkpoint }) => checkpoint)]);
  await workspace.forget((other) => isOfRun(run, other) && !wanted.has(other));
  return { type: "checkpointed", mark: markOf(made) };
}

/**
 * The next base is the tree that was judged, never the folder's current content, unless a person could have worked in
 * it since.
 */
async function newCheckpoint(name: CheckpointId, state: Run, ports: Ports): Promise<Checkpoint> {
  if (state.left !== null) await keepFolder(state, state.left, "it changed between two steps of the loop", ports);
  return ports.workspace.checkpoint(name);
}

/** The states that the run may still return to: its origin, and the bases of unfinished features. */
const marksOf = ({ origin, progress }: Run): Mark[] => [
  ...(origin === null ? [] : [origin]),
  ...progress.all.flatMap(({ base }) => base ?? []),
];

/** The checkpoints of all runs share the vault, so each name includes the run. */
export const ofRun = (run: RunId, id: string): CheckpointId => checkpointId(`${run}.${id}`);
const isOfRun = (run: RunId, id: CheckpointId): boolean => id.startsWith(`${run}.`);

export const markOf = ({ id, tree, head, headTree }: Checkpoint): Mark => ({
  checkpoint: id,
  tree,
  head,
  ...(headTree === undefined ? {} : { headTree }),
});
