// After a maker's session: the repository is put right, the loop's own files too, and what is left is the candidate.
// Asked again: what was put right is right, and the candidate is the folder as it stands.
import type { Effect } from "../../core/effect.ts";
import type { Violation } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile, Misdeed, Workspace } from "../../workspace/workspace.ts";
import { featuresOnSuccess } from "../inputs.ts";
import type { Fact, Ports } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { featuresPath, notWork } from "../records/paths.ts";
import { checkpointNamed, movedText } from "./roll-back.ts";

export async function collect({ work }: Extract<Effect, { do: "collect" }>, run: Run, ports: Ports): Promise<Fact> {
  const { workspace } = ports;
  const folded = await workspace.fold(await checkpointNamed(workspace, work.mark.checkpoint));
  if (folded.movedBy !== null) {
    const moved = movedText(folded.movedBy);
    return { type: "collected", candidate: work.mark.tree, changed: 0, violations: [], moved };
  }
  if (folded.commits.length > 0) {
    ports.note("folded", `${folded.commits.length} commits of the agent's own were folded into the feature's.`);
  }
  const repaired = repairGuarded(ports, run.contract.recordsDir);
  const violations = [...folded.misdeeds.map(violationOf), ...repaired];
  const candidate = await workspace.tree(
    [...(await recordsOfHead(run, workspace)), ...featuresOnSuccess(run, work.feature, ports)],
    { asFolded: repaired.length === 0 },
  );
  const ours = notWork(run.contract.recordsDir);
  const changes = (await workspace.changes(work.mark.tree, candidate)).filter(({ path }) => !ours.has(path));
  return { type: "collected", candidate, changed: changes.length, violations, moved: null };
}

/**
 * A feature's commit holds the feature. The other records are written all along and saved once, when the run is over; a
 * loop.yaml that a person has yet to commit is theirs to commit.
 */
async function recordsOfHead({ head, contract }: Run, workspace: Workspace): Promise<LaidFile[]> {
  if (head === null) return [];
  const paths = [...notWork(contract.recordsDir)].filter((path) => path !== featuresPath(contract.recordsDir));
  return Promise.all(paths.map(async (path) => ({ path, content: await workspace.read(head.tree, path) })));
}

/** Losing history or other people's refs cannot be an oversight. The rest is put back and mentioned. */
const violationOf = ({ kind, what }: Misdeed): Violation => ({
  kind,
  what,
  grave: kind === "git-destroyed" || kind === "ref-changed",
});
