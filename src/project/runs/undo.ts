// Takes a finished feature back with an ordinary revert commit: first as a plan that can be shown, then all of it or
// nothing.
import type { ErrorCode } from "../../core/error-codes.ts";
import { UserError } from "../../core/errors.ts";
import type { CommitId, TreeId } from "../../core/ids.ts";
import { type FeatureFile, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { renderStatuses } from "../../formats/queue/features-render.ts";
import { featuresPath, isInIgnored, notWork } from "../../runtime/records/paths.ts";
import type { AppendOrder } from "../../workspace/branch.ts";
import { findRepositoryRoot, openBranch, openWorkspace } from "../../workspace/open.ts";
import { openVault, vaultDirFor } from "../../workspace/vault.ts";
import type { Condition, Workspace } from "../../workspace/workspace.ts";
import { loadSettings } from "../config/settings.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";
import { commitsOf, type ProvedCommit, undoesTrailer } from "../proofs/proved-commits.ts";

export type UndoOrder = {
  readonly root: string;
  /** Their ids, or the beginnings of their commits. */
  readonly features: readonly string[];
  /** Only a commit of this run; null: of any run. */
  readonly run: string | null;
};
export type Undone = { readonly feature: string; readonly commit: CommitId; readonly subject: string };
export type UndoPlan = {
  readonly root: string;
  readonly head: CommitId;
  readonly branch: string | null;
  /** The newest first: the order of the reverts. */
  readonly steps: readonly Undone[];
  readonly files: readonly string[];
  /** Where the features are open again; null: no queue has them. */
  readonly queue: string | null;
  /** The features that are open again: not those of which another commit stays. */
  readonly reopened: readonly string[];
  readonly orders: readonly AppendOrder[];
};

/** Reads the branch, and changes nothing. */
export async function planUndo({ root, features: named, run }: UndoOrder): Promise<UndoPlan> {
  if (findRepositoryRoot(root) === null)
    throw refused("nothing-to-undo", "There is no git repository here.", "loop show");
  const vaultDir = vaultDirFor(root);
  const folder = await openBranch({ root, vaultDir });
  const workspace = await openWorkspace({ root, vaultDir, kind: "git" });
  const condition = await workspace.inspect();
  const head = headOf(condition);
  const { recordsDir } = loadSettings(root, {}, true);
  const queue = readQueue(root, recordsDir);
  const commits = commitsOf(root, openVault(vaultDir, root).home, null);
  const [all, undone] = [await commits.all(), await commits.undone()];
  const found = chosen(all, named, run, undone);
  const features = found.map(({ feature }) => feature);
  refuseDependants(queue, features);
  const start = await folder.treeOf(head);
  const orders: AppendOrder[] = [];
  let ours = start;
  for (const step of found) {
    const parent = await commits.resolve(`${step.commit}^1`);
    if (parent === null) throw refused("nothing-to-undo", `${step.subject} is the first commit.`, "git log");
    const theirs = await folder.treeOf(parent);
    ours = await reverted(workspace, step, { base: step.tree, ours, theirs }, recordsDir);
    orders.push({ tree: ours, ...messageFor(step) });
  }
  const files = (await workspace.changes(start, ours)).map(({ path }) => path);
  const last = orders.at(-1);
  const staying = all.filter((each) => !undone.has(each.commit) && !found.includes(each));
  const reopened = features.filter((id) => !staying.some(({ feature }) => feature === id));
  const open = queue === null || isInIgnored(recordsDir) ? null : await openAgain(workspace, ours, queue, reopened);
  return {
    root,
    head,
    branch: condition.branch,
    steps: found,
    files,
    queue: reopened.length === 0 ? null : (queue?.path ?? null),
    reopened,
    orders: last === undefined || open === null ? orders : [...orders.slice(0, -1), { ...last, tree: open }],
  };
}

/** All of it, or an error and nothing. */
export async function undo({ root, head, orders, queue, reopened }: UndoPlan): Promise<readonly CommitId[]> {
  const folder = await openBranch({ root, vaultDir: vaultDirFor(root) });
  const half = await folder.halfAdvanced();
  if (half !== null) await folder.advance({ ...half, yields: new Set() });
  const done = await folder.append(head, orders);
  if (done.is === "moved") throw refused("ref-busy", "The branch moved meanwhile.", "Run the same command again.");
  if (done.is === "in-the-way")
    throw refused(
      "dirty-tree",
      `These uncommitted changes would be overwritten, or taken out of the index: ${done.paths.slice(0, 5).join(", ")}`,
      "Commit or stash them, then run the same command again.",
    );
  const disk = workspaceDisk(root);
  const text = queue === null ? null : disk.read(queue);
  if (queue !== null && text !== null) disk.write(queue, withOpen(parseFeaturesJson(text, queue), reopened));
  return done.commits;
}

function headOf({ head, obstacles }: Condition): CommitId {
  const [first] = obstacles;
  if (first !== undefined) throw refused(first.kind, first.why, first.next);
  if (head === null) throw refused("nothing-to-undo", "There is no commit yet.", "loop status");
  return head;
}

/** The commit of each feature, the newest first. */
function chosen(
  all: readonly ProvedCommit[],
  features: readonly string[],
  run: string | null,
  undone: ReadonlyMap<string, CommitId>,
): ProvedCommit[] {
  const found = features.map((feature) => {
    const its = all.filter((each) => isNamed(each, feature) && (run === null || each.run === run));
    const standing = its.filter(({ commit }) => !undone.has(commit));
    if (standing.length > 1) throw severalCommits(feature, standing);
    const [commit] = [...standing, ...its];
    if (commit !== undefined) return commit;
    const where = run === null ? "on this branch" : `of run ${run} on this branch`;
    throw refused(
      "nothing-to-undo",
      `${feature} has no commit ${where}.`,
      "loop read lists what runs have committed. Work that has not landed yet: loop land",
    );
  });
  return [...new Set(found)].sort((one, other) => all.indexOf(one) - all.indexOf(other));
}

const isNamed = ({ feature, commit }: ProvedCommit, name: string): boolean =>
  feature === name || (/^[0-9a-f]{7,}$/.test(name) && commit.startsWith(name));

/** Which one is meant is not guessed: the other one is another feature's work, or a later version. */
function severalCommits(name: string, commits: readonly ProvedCommit[]): UserError {
  const lines = commits.map(({ commit, run, subject }) => `  ${commit.slice(0, 10)}  ${subject}  (run ${run})`);
  return new UserError("several-commits", {
    what: "Nothing was undone.",
    why: [`${commits.length} commits on this branch are called ${name}:`, ...lines].join("\n"),
    next: `Name the commit: loop undo ${commits[0]?.commit.slice(0, 10)}   or its run: loop undo ${name} --run RUN`,
  });
}

async function reverted(
  workspace: Workspace,
  { feature, commit }: ProvedCommit,
  trees: { readonly base: TreeId; readonly ours: TreeId; readonly theirs: TreeId },
  recordsDir: string,
): Promise<TreeId> {
  const merged = await workspace.merge({ ...trees, except: notWork(recordsDir) });
  if (merged.is === "conflict")
    throw refused(
      "undo-conflict",
      `Later commits changed the same lines as ${feature}: ${merged.paths.slice(0, 5).join(", ")}`,
      `Undo the later work first (loop undo LATER ${feature}), or by hand: git revert ${commit.slice(0, 10)}`,
    );
  if (merged.tree === trees.ours)
    throw refused("nothing-to-undo", `The change of ${feature} is not on this branch any more.`, "git log");
  return merged.tree;
}

const messageFor = ({ feature, commit, subject }: ProvedCommit): Omit<AppendOrder, "tree"> => ({
  subject: `Revert "${subject}"`,
  body: `This reverts commit ${commit}.`,
  trailers: { [undoesTrailer]: commit, "Loop-Undone-Feature": feature },
});

type Queue = { readonly path: string; readonly file: FeatureFile };

function readQueue(root: string, recordsDir: string): Queue | null {
  const path = featuresPath(recordsDir);
  const text = workspaceDisk(root).read(path);
  return text === null ? null : { path, file: parseFeaturesJson(text, path) };
}

/** A complete feature that needs this one would be left without it, even if no line conflicts. */
function refuseDependants(queue: Queue | null, features: readonly string[]): void {
  const needs = (queue?.file.features ?? []).filter(
    ({ id, status, dependencies }) =>
      status === "complete" && !features.includes(id) && dependencies.some((each) => features.includes(each)),
  );
  const [first] = needs;
  if (first === undefined) return;
  const names = needs.map(({ id }) => id).join(", ");
  throw refused(
    "undo-conflict",
    `${names} ${needs.length === 1 ? "is" : "are"} complete and ${needs.length === 1 ? "depends" : "depend"} on it.`,
    `Undo all of them: loop undo ${[...needs.map(({ id }) => id), ...features].join(" ")}`,
  );
}

/** The queue in the tree, with these features open again. */
async function openAgain(
  workspace: Workspace,
  tree: TreeId,
  { path }: Queue,
  features: readonly string[],
): Promise<TreeId | null> {
  const text = (await workspace.read(tree, path))?.toString("utf8");
  if (text === undefined) return null;
  return workspace.compose(tree, [{ path, content: withOpen(parseFeaturesJson(text, path), features) }]);
}

const withOpen = (file: FeatureFile, features: readonly string[]): string =>
  renderStatuses(file, (id) => (features.includes(id) ? "not-started" : undefined));

const refused = (code: ErrorCode, why: string, next: string): UserError =>
  new UserError(code, { what: "Nothing was undone.", why, next });
