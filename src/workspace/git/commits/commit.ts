// Commits a tree on the person's current branch, once. Objects and commit are made in the store, then copied over.

import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug, UserError } from "../../../core/errors.ts";
import { type CommitId, commitId, type TreeId, treeId } from "../../../core/ids.ts";
import { readBytesIfExists, readIfExists, writeAtomic } from "../../../host/disk.ts";
import type { CommitOrder, Committed } from "../../workspace.ts";
import { GitFailed, line } from "../git.ts";
import { type Ground, inStore } from "../ground.ts";
import { installIndex } from "../index/install-index.ts";
import { captureGitFiles } from "../repository/git-files.ts";
import { headOf } from "../repository/refs.ts";
import { locate, ownPrefix, type Repo } from "../repository/repo.ts";
import { copyRepository } from "../store/keep-objects.ts";
import { treeOf } from "../store/stored-trees.ts";
import { handOver } from "./hand-over.ts";
import { hasTrailers, messageOf } from "./message.ts";

const adoptionDepthMax = 50;

export async function commit(ground: Ground, order: CommitOrder): Promise<Committed> {
  const repo = locate(ground.root);
  if (repo === null) throw new Bug("a commit was asked for while .git is gone");
  const head = await currentHead(ground, repo);
  const earlier = head === null ? null : await adoptable(ground, head, order);
  if (earlier !== null) return adopt(ground, repo, head, earlier);
  if (head !== order.parent) return { is: "moved", head };
  const made = await commitInStore(ground, order);
  ground.memory.commitTrees.set(made, order.tree);
  await handOver(ground, made, order, join(repo.commonDir, "objects"));
  notePending(ground, repo, made);
  if (!(await moveBranch(ground, repo, made, order))) return { is: "moved", head: await currentHead(ground, repo) };
  await installIndex(ground, repo, order.tree);
  forgetPending(ground);
  return { is: "made", commit: made, tree: order.tree };
}

export async function currentHead(ground: Ground, repo: Repo): Promise<CommitId | null> {
  const files = captureGitFiles(ground.vault, repo.commonDir);
  await copyRepository(ground, repo.commonDir, ground.vault.copy, files.bulk, false);
  return headOf(ground.vault, files, ownPrefix(repo)).commit;
}

/** Searches from `head` back to the parent for the commit that this order made before a crash. */
export async function adoptable(ground: Ground, head: CommitId, order: CommitOrder): Promise<CommitId | null> {
  if (head === order.parent) return null;
  const until = order.parent === null ? [] : [`^${order.parent}`];
  const args = [
    "log",
    "-z",
    "--first-parent",
    `--max-count=${adoptionDepthMax}`,
    "--format=%H%n%B",
    head,
    ...until,
    "--",
  ];
  const { stdout } = await ground.git(args, { ...inStore(ground), codes: [128] });
  for (const text of stdout.toString("utf8").split("\0")) {
    const end = text.indexOf("\n");
    if (end > 0 && hasTrailers(text.slice(end + 1), order.trailers)) return commitId(text.slice(0, end));
  }
  return null;
}

/** Further back than this, the loop's own commits are history like any other. */
const historyMax = 500;

export async function newestWithout(ground: Ground, commit: CommitId, trailer: string): Promise<TreeId | null> {
  const args = ["log", "-z", "--first-parent", `--max-count=${historyMax}`, "--format=%T%n%B", commit, "--"];
  const { stdout } = await ground.git(args, { ...inStore(ground), codes: [128] });
  for (const text of stdout.toString("utf8").split("\0")) {
    const end = text.indexOf("\n");
    const message = text.slice(end + 1).trimEnd();
    const last = message.slice(message.lastIndexOf("\n\n") + 1);
    if (end > 0 && !last.split("\n").some((line) => line.startsWith(`${trailer}: `))) return treeId(text.slice(0, end));
  }
  return null;
}

// A crash may have come between branch and index. The index is updated only if it has not been used since.
async function adopt(ground: Ground, repo: Repo, head: CommitId | null, found: CommitId): Promise<Committed> {
  const tree = await treeOf(ground, found);
  const pending = readIfExists(pendingPath(ground));
  if (pending === `${found} ${indexHash(repo)}` && head === found) await installIndex(ground, repo, tree);
  forgetPending(ground);
  return { is: "adopted", commit: found, tree };
}

export async function commitInStore(ground: Ground, order: CommitOrder): Promise<CommitId> {
  return commitWith(ground, order, order.parent === null ? [] : [order.parent]);
}

export async function commitWith(
  ground: Ground,
  order: Omit<CommitOrder, "parent">,
  parents: readonly CommitId[],
): Promise<CommitId> {
  const { identity } = ground.settings;
  if (identity === null) throw noIdentity();
  const env = {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
  const args = ["commit-tree", order.tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  return commitId(line(await ground.git(args, { ...inStore(ground), env, input: messageOf(order) })));
}

export const noIdentityText = {
  what: "The loop cannot commit here.",
  why: "Git has no name and e-mail address for you.",
  next: 'git config --global user.name "Your Name" && git config --global user.email you@example.org',
};
const noIdentity = (): UserError => new UserError("no-git-identity", noIdentityText);

async function moveBranch(ground: Ground, repo: Repo, made: CommitId, order: CommitOrder): Promise<boolean> {
  return moveHead(ground, repo, { from: order.parent, to: made, why: `commit: ${order.subject}` });
}

/** False: the branch was not at `from` any more. */
export async function moveHead(
  ground: Ground,
  repo: Repo,
  { from, to, why }: { readonly from: CommitId | null; readonly to: CommitId; readonly why: string },
): Promise<boolean> {
  const { name = "", email = "" } = ground.settings.identity ?? {};
  try {
    await ground.git(["update-ref", "-m", why.slice(0, 200), "HEAD", to, from ?? "0".repeat(to.length)], {
      gitDir: repo.gitDir,
      commonDir: repo.commonDir,
      env: { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
      config: ["core.fsync=committed,reference"],
    });
    return true;
  } catch (error) {
    if (error instanceof GitFailed && (await currentHead(ground, repo)) !== from) return false;
    throw error;
  }
}

const pendingPath = (ground: Ground): string => join(ground.vault.dir, "commit-pending");
const notePending = (ground: Ground, repo: Repo, made: CommitId): void =>
  writeAtomic(pendingPath(ground), `${made} ${indexHash(repo)}`);
const forgetPending = (ground: Ground): void => fs.rmSync(pendingPath(ground), { force: true });
const indexHash = (repo: Repo): string =>
  createHash("sha256")
    .update(readBytesIfExists(join(repo.gitDir, "index")) ?? "")
    .digest("hex");
