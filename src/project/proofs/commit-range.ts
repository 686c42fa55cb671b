// The commits of a range, oldest first, read without running anything.
import { UserError } from "../../core/errors.ts";
import { type CommitId, commitId, type TreeId } from "../../core/ids.ts";
import { type Git, makeGit } from "../../workspace/git/git.ts";
import { locate } from "../../workspace/git/repository/repo.ts";
import {
  type Commits,
  isHash,
  type ProvedCommit,
  provedCommit,
  readCommits,
  treeIn,
  type Where,
} from "./proved-commits.ts";

export type RangeCommit = {
  readonly commit: CommitId;
  readonly tree: TreeId;
  readonly parents: readonly CommitId[];
  /** Without its trailers. */
  readonly message: string;
  /** What its trailers say; null: it names no proof. */
  readonly proved: ProvedCommit | null;
};

export type CommitRange = {
  /** Decides by which contract the commits are proved. */
  readonly base: CommitId;
  /** Where the two sides parted. */
  readonly fork: CommitId;
  readonly commits: readonly RangeCommit[];
};

export async function readRange(root: string, home: string, commits: Commits, text: string): Promise<CommitRange> {
  const [from = "", to = "", ...more] = text.split("..");
  if (from === "" || to === "" || to.startsWith(".") || more.length > 0)
    throw badRange(`${JSON.stringify(text)} is not BASE..HEAD.`, "For example: loop prove --range main..HEAD");
  const [base, head] = [await commits.resolve(from), await commits.resolve(to)];
  if (base === null || head === null)
    throw badRange(
      `There is no commit ${JSON.stringify(base === null ? from : to)} here.`,
      "A shallow clone lacks older commits: git fetch --unshallow, or fetch-depth: 0 in a workflow.",
    );
  const repo = locate(root);
  if (repo === null) throw badRange(`${root} is not a git repository.`, "Name one with --workspace.");
  const where = { gitDir: repo.gitDir, commonDir: repo.commonDir };
  const git = makeGit(home);
  const fork = await mergeBase(git, where, base, head);
  if (fork === null)
    throw badRange(`${from} and ${to} have no common commit here.`, "Fetch the whole history: git fetch --unshallow");
  return { base, fork, commits: await between(git, where, base, head) };
}

export async function mergeBase(
  git: Git,
  { gitDir, commonDir }: Where,
  one: string,
  other: string,
): Promise<CommitId | null> {
  const { stdout } = await git(["merge-base", one, other], { gitDir, commonDir, codes: [0, 1] });
  const id = stdout.toString("utf8").trim();
  return isHash(id) ? commitId(id) : null;
}

async function between(git: Git, where: Where, base: string, head: string): Promise<RangeCommit[]> {
  const { stdout } = await git(["rev-list", "--topo-order", "--reverse", head, `^${base}`, "--"], where);
  const ids = stdout.toString("utf8").split("\n").filter(isHash);
  const texts = ids.length === 0 ? new Map<string, Buffer>() : await readCommits(git, where, ids);
  return ids.map((id) => {
    const read = commitIn(commitId(id), texts.get(id)?.toString("utf8") ?? "");
    if (read !== null) return read;
    throw badRange(`Commit ${id} does not match its name.`, "Look at the repository: git fsck");
  });
}

function commitIn(commit: CommitId, text: string): RangeCommit | null {
  const tree = treeIn(text);
  if (tree === null) return null;
  const end = text.indexOf("\n\n");
  const parents = text
    .slice(0, end)
    .split("\n")
    .flatMap((line) => (line.startsWith("parent ") ? [commitId(line.slice(7))] : []));
  return { commit, tree, parents, message: withoutTrailers(text.slice(end + 2)), proved: provedCommit(commit, text) };
}

const trailer = /^[A-Za-z][A-Za-z-]*: /;

function withoutTrailers(message: string): string {
  const parts = message.trim().split("\n\n");
  const last = parts.at(-1)?.split("\n") ?? [];
  return (parts.length > 1 && last.every((line) => trailer.test(line)) ? parts.slice(0, -1) : parts).join("\n\n");
}

export const badRange = (why: string, next: string): UserError =>
  new UserError("bad-range", { what: "Nothing was proved.", why, next });
