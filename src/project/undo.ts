// Takes a finished feature back with an ordinary revert commit: first as a plan that can be shown, then all of it or
// nothing.
import type { ErrorCode } from "../core/error-codes.ts";
import { UserError } from "../core/errors.ts";
import type { CommitId, TreeId } from "../core/ids.ts";
import { type FeatureFile, parseFeaturesJson } from "../formats/features-json.ts";
import { renderStatuses } from "../formats/features-render.ts";
import { featuresPath, isInIgnored, notWork } from "../runtime/records/paths.ts";
import type { AppendOrder } from "../workspace/branch.ts";
import { findRepositoryRoot, openBranch, openWorkspace } from "../workspace/open.ts";
import { openVault, vaultDirFor } from "../workspace/vault.ts";
import type { Condition, Workspace } from "../workspace/workspace.ts";
import { commitsOf, type ProvedCommit } from "./proved-commits.ts";
import { loadSettings } from "./settings.ts";
import { workspaceDisk } from "./workspace-disk.ts";

export type UndoOrder = {
  readonly root: string;
  readonly features: readonly string[];
  /** Only a commit of this run; null: the newest one of each feature. */
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
  readonly orders: readonly AppendOrder[];
};

/** Reads, and changes nothing that a person sees. */
export async function planUndo({ root, features, run }: UndoOrder): Promise<UndoPlan> {
  if (findRepositoryRoot(root) === null)
    throw refused("nothing-to-undo", "There is no git repository here.", "loop show");
  const vaultDir = vaultDirFor(root);
  const folder = await openBranch({ root, vaultDir });
  const half = await folder.halfAdvanced();
  if (half !== null) await folder.advance({ ...half, yields: new Set() });
  const workspace = await openWorkspace({ root, vaultDir, kind: "git" });
  const condition = await workspace.inspect();
  const head = headOf(condition);
  const { recordsDir } = loadSettings(root, {}, true);
  const queue = readQueue(root, recordsDir);
  refuseDependants(queue, features);
  const commits = commitsOf(root, openVault(vaultDir, root).home, null);
  const found = chosen(await commits.all(), features, run);
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
  const open = queue === null || isInIgnored(recordsDir) ? null : await openAgain(workspace, ours, queue, features);
  return {
    root,
    head,
    branch: condition.branch,
    steps: found,
    files,
    queue: queue?.path ?? null,
    orders: last === undefined || open === null ? orders : [...orders.slice(0, -1), { ...last, tree: open }],
  };
}

/** All of it, or an error and nothing. */
export async function undo({ root, head, orders, queue, steps }: UndoPlan): Promise<readonly CommitId[]> {
  const folder = await openBranch({ root, vaultDir: vaultDirFor(root) });
  const done = await folder.append(head, orders);
  if (done.is === "moved") throw refused("ref-busy", "The branch moved meanwhile.", "Run the same command again.");
  if (done.is === "in-the-way")
    throw refused(
      "dirty-tree",
      `These uncommitted changes would be overwritten: ${done.paths.slice(0, 5).join(", ")}`,
      "Commit or stash them, then run the same command again.",
    );
  const disk = workspaceDisk(root);
  const text = queue === null ? null : disk.read(queue);
  if (queue !== null && text !== null)
    disk.write(
      queue,
      withOpen(
        parseFeaturesJson(text, queue),
        steps.map(({ feature }) => feature),
      ),
    );
  return done.commits;
}

function headOf({ head, obstacles }: Condition): CommitId {
  const [first] = obstacles;
  if (first !== undefined) throw refused(first.kind, first.why, first.next);
  if (head === null) throw refused("nothing-to-undo", "There is no commit yet.", "loop status");
  return head;
}

/** The commit of each feature, the newest first. */
function chosen(all: readonly ProvedCommit[], features: readonly string[], run: string | null): ProvedCommit[] {
  const found = features.map((feature) => {
    const commit = all.find((each) => each.feature === feature && (run === null || each.run === run));
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
  trailers: { "Loop-Undoes": commit, "Loop-Undone-Feature": feature },
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
