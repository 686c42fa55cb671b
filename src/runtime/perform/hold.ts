// Keeps work that waits for a person, and shows it to them. On retry: the branch is replaced by one with the same tree.
import type { Effect } from "../../core/effect.ts";
import type { Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import { heldDiff, withoutOurs } from "../held-diff.ts";
import type { Ports, Result } from "../ports.ts";
import { notWork } from "../records/paths.ts";

const diffBytesMax = 400_000;

export async function hold(
  { work, held }: Extract<Effect, { do: "hold" }>,
  run: Run,
  { workspace, files, run: own }: Ports,
): Promise<Result> {
  const { id, name } = featureOf(run.contract, work.feature);
  const diff = await workspace.diff(held.base.tree, held.tree, diffBytesMax);
  files.write(heldDiff(id), withoutOurs(diff, notWork(run.contract.recordsDir)));
  const subject = `held: ${id} ${name}`.replace(/\s+/g, " ").slice(0, 100);
  const branch = await workspace.hold({ run: own, name: id, tree: held.tree, parent: held.base.head, subject });
  return { type: "held", branch };
}

/** A branch that is already deleted is not an error. */
export async function release(
  { features }: Extract<Effect, { do: "release" }>,
  { workspace, run }: Ports,
): Promise<Result> {
  for (const feature of features) await workspace.release({ run, name: feature });
  return { type: "released", features };
}
