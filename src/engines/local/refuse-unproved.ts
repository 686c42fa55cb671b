// Before a branch moves forward: the loop answers for each commit that would land. It is proved, or has only the loop's own
// records, or landing itself has made it.
import type { CommitId } from "../../core/ids.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { gitHome } from "../../project/place/make-place.ts";
import type { Place } from "../../project/place/places.ts";
import { type Commits, commitsOf, type ProvedCommit, readProof } from "../../project/proofs/proved-commits.ts";
import { parseEvidence } from "../../proof/evidence.ts";
import { notWork, recordPaths } from "../../runtime/records/paths.ts";
import { commitsBetween, mergeBase } from "../../workspace/git/repository/worktree.ts";
import { openBranch, openWorkspace } from "../../workspace/open.ts";
import type { Change, Workspace } from "../../workspace/workspace.ts";
import { named, notProved } from "./merge-and-prove.ts";

type Span = { readonly from: CommitId; readonly to: CommitId };
type Looking = {
  readonly place: Place;
  readonly recordsDir: string;
  readonly commits: Commits;
  readonly workspace: Workspace;
  readonly branch: Awaited<ReturnType<typeof openBranch>>;
};

export async function refuseUnproved(place: Place, span: Span, recordsDir: string): Promise<void> {
  const at = { root: place.project, vaultDir: place.above };
  const [workspace, branch] = [await openWorkspace({ ...at, kind: "git" }), await openBranch(at)];
  const commits = commitsOf(place.project, gitHome(place), null);
  await look({ place, recordsDir, commits, workspace, branch }, span);
}

async function look(looking: Looking, { from, to }: Span): Promise<void> {
  const { place, commits } = looking;
  for (const commit of await commitsBetween(place.project, from, to, gitHome(place))) {
    const step = await commits.proved(commit);
    if (step !== null && isProved(place, step)) continue;
    const parent = await commits.resolve(`${commit}^`);
    if (parent === null) throw notProved(`${commit.slice(0, 10)} has no commit before it.`, place.branch);
    const records = new Set(recordPaths(looking.recordsDir));
    const work = await changed(looking, parent, commit, records);
    if (work.length === 0 || (await isOwnMerge(looking, parent, commit))) continue;
    const why = `No proof is about ${named(work)} in commit ${commit.slice(0, 10)}.`;
    throw notProved(`Not all of the work is proved. ${why}`, place.branch);
  }
}

/** Its proof is kept, unaltered, and about this very tree. */
function isProved({ project, above }: Place, step: ProvedCommit): boolean {
  const kept = readProof(project, above, step);
  if (kept === null || sha256(kept.text) !== step.proof) return false;
  const proof = parseEvidence(kept.text);
  return proof?.feature === step.feature && proof.candidate === step.tree;
}

async function changed(
  { workspace, branch }: Looking,
  from: CommitId,
  to: CommitId,
  except: ReadonlySet<string>,
): Promise<readonly Change[]> {
  const changes = await workspace.changes(await branch.treeOf(from), await branch.treeOf(to));
  return changes.filter(({ path }) => !except.has(path));
}

/** Proved again when it was made. It has what git makes of both sides, and each commit that it brought is looked at, too. */
async function isOwnMerge(looking: Looking, onto: CommitId, commit: CommitId): Promise<boolean> {
  const { place, commits, workspace, branch, recordsDir } = looking;
  const merged = await commits.resolve(`${commit}^2`);
  if (merged === null || (await commits.trailer(commit, "Loop-Merged")) !== merged) return false;
  if ((await commits.trailer(commit, "Loop-Onto")) !== onto) return false;
  const base = await mergeBase(place.project, onto, merged, gitHome(place));
  if (base === null) return false;
  const [ours, theirs] = [await branch.treeOf(onto), await branch.treeOf(merged)];
  const except = notWork(recordsDir);
  const again = await workspace.merge({ base: await branch.treeOf(base), ours, theirs, except });
  if (again.is === "conflict") return false;
  const more = await workspace.changes(again.tree, await branch.treeOf(commit));
  if (more.some(({ path }) => !except.has(path))) return false;
  await look(looking, { from: base, to: merged });
  return true;
}
