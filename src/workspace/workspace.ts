// What the loop needs of a workspace, whether git keeps it or not.
import type { CheckpointId, CommitId, TreeId } from "../core/ids.ts";

/**
 * The folder that an agent works in, seen by the loop.
 *
 * Contract:
 * - Nothing here runs code that the workspace's content or its `.git` could name: no hooks, filters, pagers, monitors.
 * - Before a byte is overwritten or removed it is in quarantine; ignored files are never removed.
 * - Every method may be called again after a crash in the middle of it, and then ends as if it had run once.
 * - The person's index, branches, stash and hooks are untouched by everything but `commit`, `fold`, `restore`,
 *   `clear`, `hold` and `release`.
 */
export interface Workspace {
  readonly root: string;
  /** "git", or "plain" for a folder without it. */
  readonly kind: "git" | "plain";
  /** What a run must know before it starts. Changes nothing. */
  inspect(): Promise<Condition>;
  /** The whole folder as it is now, untracked files included, ignored ones not; kept under `id`. */
  checkpoint(id: CheckpointId): Promise<Checkpoint>;
  /** The checkpoint of that name, if it was made. */
  findCheckpoint(id: CheckpointId): Promise<Checkpoint | null>;
  /**
   * Nobody will return to the checkpoints that `isOver` says so of: they may go, now or later, and what only they kept of
   * `.git` with them. Trees stay.
   */
  forget(isOver: (id: CheckpointId) => boolean): Promise<void>;
  /** The content of the folder now, as a commit of it would hold it. `lay` replaces or adds files in that tree only. */
  tree(lay?: readonly LaidFile[], options?: TreeOptions): Promise<TreeId>;
  /**
   * Compares the repository with a checkpoint and puts back what nobody but the loop may change: a deleted or broken
   * `.git`, configuration, hooks, refs other than the current branch. The agent's own commits on the current branch are
   * folded: the branch points to where it was, the files stay. What was there is in quarantine.
   */
  fold(before: Checkpoint): Promise<Folded>;
  /** Makes the folder (and the repository) exactly what the checkpoint recorded. What was there is in quarantine. */
  restore(to: Checkpoint, why: string): Promise<Restored>;
  /**
   * Makes the files of the folder what `tree` holds; the repository stays as it is. Only files that differ are written. What
   * was there is in quarantine.
   */
  setFiles(tree: TreeId, options: SetOptions): Promise<Restored>;
  /**
   * For a branch that somebody else moved since the checkpoint (`fold` says so): the branch stays where it is, everything else
   * of the repository is put back, and the folder becomes a clean checkout of the branch. What was there is in quarantine.
   */
  clear(before: Checkpoint, why: string): Promise<Restored>;
  /** Brings the change from `base` to `theirs` into `ours`, by file and by line. Touches no folder. */
  merge(order: MergeOrder): Promise<Merged>;
  /**
   * Shows a tree to people: a commit on top of `parent`, on a branch of its own under `heldBranches` that is made or replaced.
   * Null: there can be no such branch here (another one is in its way, somebody has it checked out); the tree is kept all
   * the same. Never pushed.
   */
  hold(order: HoldOrder): Promise<string | null>;
  /** Removes the branch that `hold` made. One that is gone, or that somebody has checked out or moved, is left alone. */
  release(name: string): Promise<void>;
  /** Paths that differ between two trees. */
  changes(from: TreeId, to: TreeId): Promise<readonly Change[]>;
  /** A unified diff between two trees, cut after `bytesMax`. */
  diff(from: TreeId, to: TreeId, bytesMax: number): Promise<string>;
  /** A file's bytes in a tree, or null when it has no such file. */
  read(tree: TreeId, path: string): Promise<Buffer | null>;
  /** The commit that the current branch is at; null: there is none, or no repository that could be read. */
  head(): Promise<CommitId | null>;
  /**
   * The tree of the newest commit, from `commit` back along first parents, that has no such trailer: what somebody else than the
   * loop left. Null: there is none, or it is too far back.
   */
  newestWithout(commit: CommitId, trailer: string): Promise<TreeId | null>;
  /** Paths of the files in a tree. */
  list(tree: TreeId): Promise<readonly string[]>;
  /** The bytes of several files; a path that is missing, a link, or larger than `bytesMax` is left out. */
  readAll(tree: TreeId, paths: readonly string[], bytesMax: number): Promise<ReadonlyMap<string, Buffer>>;
  /** A tree with some paths replaced: by a text, or by what another tree has there, links and modes included. */
  compose(tree: TreeId, lay: readonly (LaidFile | TakenFile)[]): Promise<TreeId>;
  /**
   * Commits `tree` on the current branch, once: a commit with the same trailers on top of `parent` is adopted.
   * Refuses (`moved`) when the branch is not where `parent` says. Never pushes, never forces, never runs a hook.
   */
  commit(order: CommitOrder): Promise<Committed>;
  /** A clean checkout of `tree` outside the workspace; the same folder is reused, so there is one at a time per name. */
  scratch(name: string, tree: TreeId, options: ScratchOptions): Promise<Scratch>;
  readonly quarantine: Quarantine;
}

export type Condition = {
  branch: string | null; // null: detached
  head: CommitId | null; // null: no commit yet
  /** Paths with uncommitted changes, untracked ones included; empty for a plain folder. */
  dirty: readonly string[];
  /** Why the loop must not start here: a merge or rebase in progress, a lock left behind, a bare repository. */
  obstacles: readonly Obstacle[];
};
export type Obstacle = { kind: string; why: string; next: string };

export type Checkpoint = {
  id: CheckpointId;
  tree: TreeId;
  head: CommitId | null;
  branch: string | null;
  /** The tree of `head`, where that is known: what the folder held when everything in it had been committed. */
  headTree?: TreeId;
};

/** `asFolded`: the caller knows that nothing was written since `fold`, which has looked at every file already. */
export type TreeOptions = { asFolded?: boolean };

export type LaidFile = { path: string; content: string | Buffer | null }; // null removes it
/** What `from` has at this path; nothing there removes it. */
export type TakenFile = { path: string; from: TreeId };

export type Change = { path: string; kind: "added" | "modified" | "deleted"; binary: boolean; lines: number };

/** What an agent did to the repository beside changing files. */
export type Folded = {
  /** Commits of the agent's own that were folded back into the working files. */
  commits: readonly CommitId[];
  misdeeds: readonly Misdeed[];
  /** A commit on the branch that no agent of ours made: somebody else works here. Nothing was changed then. */
  movedBy: {
    commit: CommitId;
    who: string;
    subject: string;
    /** Commits of the agent's on top of it. */
    agents: number;
  } | null;
  quarantine: string | null;
};
export type Misdeed = {
  kind: "git-destroyed" | "ref-changed" | "branch-switched" | "config-changed" | "hook-changed" | "stash-changed";
  what: string;
};

export type SetOptions = {
  why: string;
  /** Paths that stay as they are in the folder. */
  except?: ReadonlySet<string>;
};

export type MergeOrder = {
  base: TreeId;
  ours: TreeId;
  theirs: TreeId;
  /** Paths that stay as `ours` has them. */
  except: ReadonlySet<string>;
};
export type Merged = { is: "merged"; tree: TreeId } | { is: "conflict"; paths: readonly string[] };

export type HoldOrder = { name: string; tree: TreeId; parent: CommitId | null; subject: string };
/** Where held work is shown: `loop/held/F003`. */
export const heldBranches = "loop/held";

export type Restored = { tree: TreeId; quarantine: string | null; files: readonly string[] };

export type CommitOrder = {
  tree: TreeId;
  parent: CommitId | null;
  subject: string;
  body: string;
  trailers: Readonly<Record<string, string>>;
};
/** `tree` is the commit's own: that of an adopted one may differ from what the order asks for by now. */
export type Committed =
  | { is: "made" | "adopted"; commit: CommitId; tree: TreeId }
  | { is: "moved"; head: CommitId | null };

export type ScratchOptions = {
  /** Ignored folders that checks need, brought in from the workspace: node_modules, .venv, … */
  bring: readonly string[];
  lay?: readonly LaidFile[];
};
export type Scratch = { dir: string; tree: TreeId; dispose(): Promise<void> };

export interface Quarantine {
  list(): Promise<readonly QuarantineEntry[]>;
  /** Files of an entry that differ from the workspace now. */
  files(id: string): Promise<readonly string[]>;
  /** Writes an entry's files (all, or those named) back. What they would overwrite goes to quarantine first. */
  bringBack(id: string, options: { to?: string; paths?: readonly string[] }): Promise<readonly string[]>;
}
export type QuarantineEntry = { id: string; at: number; why: string; files: number };
