// After a maker's session: the repository and the loop's own files are restored, and the rest is the candidate. On
// retry: restoring again changes nothing, and the candidate is the folder as it stands.
import type { Effect } from "../../core/effect.ts";
import type { Violation } from "../../core/event.ts";
import type { FeatureId, TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile, Misdeed, Workspace } from "../../workspace/workspace.ts";
import { featuresOnSuccess } from "../inputs.ts";
import type { Ports, Result } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { featuresPath, notWork } from "../records/paths.ts";
import { clearAfterMove } from "./clear.ts";
import { asIn } from "./folder.ts";
import { checkpointNamed, movedText } from "./roll-back.ts";

export async function collect({ work }: Extract<Effect, { do: "collect" }>, run: Run, ports: Ports): Promise<Result> {
  const { workspace } = ports;
  const { recordsDir } = run.contract;
  const folded = await workspace.fold(await checkpointNamed(workspace, work.mark.checkpoint));
  if (folded.movedBy !== null) {
    const moved = movedText(folded.movedBy);
    await clearAfterMove(work.mark, `${work.feature}: ${moved}`, run, ports);
    return { type: "collected", candidate: work.mark.tree, changed: 0, changedInAll: 0, violations: [], moved };
  }
  if (folded.commits.length > 0) {
    ports.note("folded", `${folded.commits.length} commits of the agent's own were folded into the feature's.`);
  }
  const repaired = repairGuarded(ports, recordsDir);
  const violations = [...folded.misdeeds.map(violationOf), ...repaired];
  const candidate = await candidateNow(run, work.feature, ports, repaired.length === 0);
  const ours = notWork(recordsDir);
  const changedSince = async (tree: TreeId): Promise<number> =>
    (await workspace.changes(tree, candidate)).filter(({ path }) => !ours.has(path)).length;
  const changed = await changedSince(work.mark.tree);
  const changedInAll = await changedSince(work.base.tree);
  return { type: "collected", candidate, changed, changedInAll, violations, moved: null };
}

/** The folder as the feature's commit would contain it. */
export async function candidateNow(run: Run, feature: FeatureId, ports: Ports, asFolded = false): Promise<TreeId> {
  const lay = [...(await recordsOfHead(run, ports.workspace)), ...featuresOnSuccess(run, feature, ports)];
  return ports.workspace.tree(lay, { asFolded });
}

/**
 * A feature's commit contains only the feature. The other records are written all along and committed once, when the
 * run is over; a person commits their own loop.yaml.
 */
async function recordsOfHead({ head, contract }: Run, workspace: Workspace): Promise<LaidFile[]> {
  if (head === null) return [];
  const queue = featuresPath(contract.recordsDir);
  const paths = [...notWork(contract.recordsDir)].filter((path) => path !== queue);
  return asIn(workspace, head.tree, new Set(paths));
}

/** Destroying history or changing someone else's refs cannot be an oversight. Anything else is undone and mentioned. */
const violationOf = ({ kind, what }: Misdeed): Violation => ({
  kind,
  what,
  grave: kind === "git-destroyed" || kind === "ref-changed",
});
