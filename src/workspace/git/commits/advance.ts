// Moves a branch with its files and index: forward to a commit that exists, by a merge commit, or out of nothing in a
// new worktree. The branch comes first: it is compared and swapped, and a crash after it is finished by the next call.
import * as fs from "node:fs";
import { join as joined } from "node:path";
import { Bug } from "../../../core/errors.ts";
import { type CommitId, commitId, type TreeId } from "../../../core/ids.ts";
import { readIfExists, writeAtomic } from "../../../host/disk.ts";
import type { Advanced, AdvanceOrder, AppendOrder, JoinOrder } from "../../branch.ts";
import { firstObstacle, treeOfPaths } from "../files/bring-back.ts";
import { hasFiltered } from "../files/filtered.ts";
import { setFiles } from "../files/set-files.ts";
import { commitForm } from "../files/tree.ts";
import type { Ground } from "../ground.ts";
import { installIndex } from "../index/install-index.ts";
import { stagedPaths } from "../repository/inspect.ts";
import { locate, type Repo } from "../repository/repo.ts";
import { lay } from "../rooms/room-source.ts";
import { changes } from "../store/compare.ts";
import { entries, treeOf } from "../store/stored-trees.ts";
import { adoptable, commitWith, currentHead, moveHead } from "./commit.ts";
import { handOver } from "./hand-over.ts";

type Reason = { readonly reflog: string; readonly quarantine: string };
const landing: Reason = { reflog: "loop land: Fast-forward", quarantine: "a finished run landed over it" };

export async function advance(
  ground: Ground,
  { from, to, yields }: AdvanceOrder,
  why: Reason = landing,
): Promise<Advanced> {
  const repo = repoOf(ground);
  const head = await currentHead(ground, repo);
  const half = await halfAdvanced(ground);
  const isHalfDone = half?.from === from && half.to === to;
  if (head !== from && !isHalfDone) return { is: "moved", head };
  const [was, tree] = [await treeOf(ground, from), await treeOf(ground, to)];
  const { paths, kept } = await obstacles(ground, repo, was, tree, yields, isHalfDone);
  if (paths.length > 0) return { is: "in-the-way", paths };
  writeAtomic(pendingPath(ground), `${from} ${to}`);
  if (!isHalfDone && !(await moveHead(ground, repo, { from, to, why: why.reflog })))
    return { is: "moved", head: await currentHead(ground, repo) };
  const quarantine = await layFiles(ground, was, tree, kept, why.quarantine);
  await installIndex(ground, repo, tree);
  fs.rmSync(pendingPath(ground), { force: true });
  return { is: "advanced", quarantine };
}

export async function append(
  ground: Ground,
  from: CommitId,
  orders: readonly AppendOrder[],
): Promise<Advanced & { commits: readonly CommitId[] }> {
  const objects = joined(repoOf(ground).commonDir, "objects");
  const commits: CommitId[] = [];
  for (const order of orders) {
    const parent = commits.at(-1) ?? from;
    const made = await commitWith(ground, order, [parent]);
    await handOver(ground, made, { tree: order.tree, parent }, objects);
    commits.push(made);
  }
  const to = commits.at(-1);
  if (to === undefined) throw new Bug("no commit was asked for");
  const why = { reflog: `commit: ${orders.at(-1)?.subject ?? ""}`, quarantine: "a new commit replaced it" };
  return { ...(await advance(ground, { from, to, yields: new Set() }, why)), commits };
}

const pendingPath = (ground: Ground): string => joined(ground.vault.dir, "advance-pending");

/** The branch is there, and the files may not be. */
export async function halfAdvanced(ground: Ground): Promise<Pick<AdvanceOrder, "from" | "to"> | null> {
  const [from = "", to = ""] = (readIfExists(pendingPath(ground)) ?? "").split(" ");
  if (from === "" || to === "" || (await currentHead(ground, repoOf(ground))) !== to) return null;
  return { from: commitId(from), to: commitId(to) };
}

/** What would be overwritten, and what stays as it is. */
async function obstacles(
  ground: Ground,
  repo: Repo,
  was: TreeId,
  tree: TreeId,
  yields: ReadonlySet<string>,
  isHalfDone: boolean,
): Promise<{ paths: readonly string[]; kept: ReadonlySet<string> }> {
  const staged = await stagedPaths(ground, repo, was);
  const { commitTree } = await commitForm(ground);
  const moves = await changes(ground, was, tree);
  const touched = new Set(moves.map(({ path }) => path));
  const dirty = (await changes(ground, was, commitTree)).map(({ path }) => path);
  const unlike = new Set((await changes(ground, tree, commitTree)).map(({ path }) => path));
  const changed = dirty.filter((path) => touched.has(path) && unlike.has(path));
  const inTheWay = [...changed, ...(await inNoCommit(ground, was, tree, moves))].filter((path) => !yields.has(path));
  // The index is replaced as a whole, so that what is staged would no longer be.
  const lost = isHalfDone ? [] : staged.filter((path) => !yields.has(path));
  const kept = new Set(dirty.filter((path) => !touched.has(path)));
  return { paths: [...new Set([...inTheWay, ...lost])].sort(), kept };
}

/** Files that are in no commit, ignored ones too, where a file of the tree belongs; not those that are equal to it. */
async function inNoCommit(
  ground: Ground,
  was: TreeId,
  tree: TreeId,
  moves: readonly { readonly path: string; readonly kind: string }[],
): Promise<string[]> {
  const committed = new Set((await entries(ground, was)).map(({ path }) => path));
  const wanted = moves.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const blocked = wanted.filter((path) => !committed.has(path) && firstObstacle(ground.root, path) !== null);
  if (blocked.length === 0) return [];
  const theirs = [...new Set(blocked.flatMap((path) => below(ground.root, firstObstacle(ground.root, path))))];
  const loose = theirs.filter((path) => !committed.has(path));
  if (loose.length === 0) return [];
  const unlike = new Set(
    (await changes(ground, tree, await treeOfPaths(ground, ground.root, loose))).map(({ path }) => path),
  );
  return loose.filter((path) => unlike.has(path));
}

/** A file or link, or all files of a folder, as paths from the root. */
function below(root: string, at: string | null): string[] {
  if (at === null) return [];
  if (!fs.lstatSync(at).isDirectory()) return [at.slice(root.length + 1)];
  const files = fs.readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return files.map((entry) => joined(entry.parentPath, entry.name).slice(root.length + 1));
}

/** Every file that differs gets its bytes of a checkout, with the line ends that the person's git would write. */
async function layFiles(
  ground: Ground,
  was: TreeId | null,
  tree: TreeId,
  except: ReadonlySet<string>,
  why: string,
): Promise<string | null> {
  const moves = was === null ? null : await changes(ground, was, tree);
  // A rule that lands can show files that the person's rules hide: those are in no commit, and stay.
  const only = moves === null ? {} : { only: new Set(moves.map(({ path }) => path)) };
  const { quarantine } = await setFiles(ground, tree, { why, except, ...only }, was);
  const changed = moves?.filter(({ kind }) => kind !== "deleted");
  const blobs = new Set((await entries(ground, tree)).flatMap(({ type, path }) => (type === "blob" ? [path] : [])));
  const paths = (changed?.map(({ path }) => path) ?? [...blobs]).filter((path) => blobs.has(path) && !except.has(path));
  if (ground.settings.conversions.length > 0 || blobs.has(".gitattributes") || ground.settings.attributes.trim() !== "")
    await lay(ground, tree, paths, ground.root);
  return quarantine;
}

export async function join(ground: Ground, { parents, from, ...order }: JoinOrder): Promise<CommitId> {
  const repo = repoOf(ground);
  const head = await currentHead(ground, repo);
  const earlier = head === null ? null : await adoptable(ground, head, { ...order, parent: parents[0] });
  const made = earlier ?? (await commitWith(ground, order, parents));
  if (earlier === null) {
    await handOver(ground, made, { tree: order.tree, parent: parents[0] }, joined(repo.commonDir, "objects"));
    if (!(await moveHead(ground, repo, { from, to: made, why: `merge: ${order.subject}` })))
      throw new Bug("the branch of a run moved while its lock was held");
  }
  const tree = await treeOf(ground, made);
  await layFiles(ground, await treeOf(ground, from), tree, new Set(), "it was merged");
  await installIndex(ground, repo, tree);
  return made;
}

export async function checkOut(ground: Ground): Promise<void> {
  const repo = repoOf(ground);
  const head = await currentHead(ground, repo);
  if (head === null) throw new Bug("a worktree was made on a branch without a commit");
  const tree = await treeOf(ground, head);
  await lay(ground, tree, null, ground.root);
  await installIndex(ground, repo, tree);
}

export async function commitTree(ground: Ground, commit: CommitId): Promise<TreeId> {
  await currentHead(ground, repoOf(ground)); // It copies the repository's objects.
  return treeOf(ground, commit);
}

/** Submodules are not part of a worktree, and no filter program is run to fill one. */
export async function boundHere(ground: Ground): Promise<string | null> {
  const repo = repoOf(ground);
  const head = await currentHead(ground, repo);
  if (head === null) return "there is no commit yet to start a worktree from";
  const files = await entries(ground, await treeOf(ground, head));
  if (files.some(({ type }) => type === "commit"))
    return "the repository has submodules, which a worktree would not have";
  const paths = files.map(({ path }) => path);
  return (await hasFiltered(ground, paths)) ? "a filter program (git-lfs) stores some of its files" : null;
}

function repoOf(ground: Ground): Repo {
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (repo === null) throw new Bug("a folder without git has no branch to move");
  return repo;
}
