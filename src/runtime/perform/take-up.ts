// Applies held work to the current folder. On retry: the same merge, the same files.
import type { Effect } from "../../core/effect.ts";
import type { Run } from "../../core/run.ts";
import type { Ports, Result } from "../ports.ts";
import { notWork } from "../records/paths.ts";
import { candidateNow } from "./collect.ts";

const conflictsShown = 20;

export async function takeUp(
  { work, held }: Extract<Effect, { do: "take-up" }>,
  run: Run,
  ports: Ports,
): Promise<Result> {
  const { workspace } = ports;
  const except = notWork(run.contract.recordsDir);
  const ours = work.mark.tree;
  const merged = await workspace.merge({ base: held.base.tree, ours, theirs: held.tree, except });
  if (merged.is === "conflict") {
    const conflicts = merged.paths.slice(0, conflictsShown);
    return { type: "taken-up", candidate: ours, changed: 0, conflicts };
  }
  await workspace.setFiles(merged.tree, { why: `before ${work.feature} was taken up again`, except });
  const candidate = await candidateNow(run, work.feature, ports);
  const changes = (await workspace.changes(ours, candidate)).filter(({ path }) => !except.has(path));
  return { type: "taken-up", candidate, changed: changes.length, conflicts: [] };
}
