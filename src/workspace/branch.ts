// What landing needs from a git folder: its current branch, moved together with the index and the files.
import type { CommitId, TreeId } from "../core/ids.ts";
import type { CommitOrder } from "./workspace.ts";

/** Contract: as for a workspace. Nothing runs that the repository names, and nothing is overwritten before it is kept. */
export interface Branch {
  /**
   * Fast-forwards the current branch from `from` to `to`, a commit that the repository has, with the index and the files.
   * Refuses, and changes nothing, if the branch is elsewhere or a change of a person's is in the way. After a crash in
   * between, the same call finishes it.
   */
  advance(order: AdvanceOrder): Promise<Advanced>;
  /**
   * New commits on the current branch, in this order, with the index and the files. Refuses like `advance`, and then no
   * branch has them.
   */
  append(from: CommitId, orders: readonly AppendOrder[]): Promise<Advanced & { commits: readonly CommitId[] }>;
  /** What a crash interrupted; null: nothing. */
  halfAdvanced(): Promise<Pick<AdvanceOrder, "from" | "to"> | null>;
  /** A merge commit of `tree` on the current branch, once, and the folder as its clean checkout. */
  join(order: JoinOrder): Promise<CommitId>;
  /** Fills a new worktree: every file of the current commit, and the index. */
  checkOut(): Promise<void>;
  /** The tree of any commit of the repository. */
  treeOf(commit: CommitId): Promise<TreeId>;
  /** Why this folder's content could not be checked out in another worktree; null: it can be. */
  boundHere(): Promise<string | null>;
}

export type AdvanceOrder = {
  from: CommitId;
  to: CommitId;
  /** Uncommitted files that may be replaced although they differ: they go to quarantine. */
  yields: ReadonlySet<string>;
};
export type Advanced =
  | { is: "advanced"; quarantine: string | null }
  | { is: "moved"; head: CommitId | null }
  /** Uncommitted changes to files that would change, or anything staged. */
  | { is: "in-the-way"; paths: readonly string[] };

export type AppendOrder = Omit<CommitOrder, "parent">;

/** The first parent is the branch that it will land on. */
export type JoinOrder = Omit<CommitOrder, "parent"> & { parents: readonly [CommitId, CommitId]; from: CommitId };
