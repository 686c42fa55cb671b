// What the loop needs from a workspace, with or without git.
import type { ErrorCode } from "../core/error-codes.ts";
import type { CheckpointId, CommitId, TreeId } from "../core/ids.ts";

/**
 * The folder that an agent works in, seen by the loop.
 *
 * Contract:
 * - Nothing here runs code that the workspace's content or its `.git` names: no hooks, filters, pagers, monitors.
 * - Before a byte is overwritten or removed it is in quarantine; ignored files are never removed.
 * - Every method may be repeated after a crash, and then ends as if it had run once.
 * - Only these touch the person's index, branches, stash and hooks: `commit`, `fold`, `restore`,
 *   `clear`, `hold` and `release`.
 */
export interface Workspace {
  readonly root: string;
  /** "git", or "plain" for a folder without git. */
  readonly kind: "git" | "plain";
  /** What a run must know before it starts. Read-only. */
  inspect(): Promise<Condition>;
  /** The whole folder now, with untracked files but without ignored ones; stored under `id`. */
  checkpoint(id: CheckpointId): Promise<Checkpoint>;
  /** The checkpoint with that id, if it was made. */
  findCheckpoint(id: CheckpointId): Promise<Checkpoint | null>;
  /**
   * Checkpoints for which `isOver` is true are no longer needed: they may be removed, now or later, with the `.git`
   * files that only they use. Trees stay.
   */
  forget(isOver: (id: CheckpointId) => boolean): Promise<void>;
  /** The folder's current content, as a commit would contain it. `lay` replaces or adds files in that tree only. */
  tree(lay?: readonly LaidFile[], options?: TreeOptions): Promise<TreeId>;
  /**
   * Compares the repository with a checkpoint and reverts what only the loop may change: a deleted or broken `.git`,
   * configuration, hooks, refs other than the current branch. The agent's own commits on the current branch are folded:
   * the branch is reset, the files stay. The replaced state is in quarantine.
   */
  fold(before: Checkpoint): Promise<Folded>;
  /**
   * Makes the folder (and the repository) exactly match the checkpoint. The replaced state is in quarantine; `ours`, the
   * loop's own files, are kept there as well, but are not part of what is listed and brought back.
   */
  restore(to: Checkpoint, why: string, ours?: ReadonlySet<string>): Promise<Restored>;
  /**
   * Makes the files of the folder match `tree`; the repository stays as it is. Writes only files that differ. The
   * replaced files are in quarantine.
   */
  setFiles(tree: TreeId, options: SetOptions): Promise<Restored>;
  /**
   * For a branch that someone else moved since the checkpoint (`fold` says so): the branch stays, the rest of the
   * repository is restored, and the folder becomes a clean checkout of the branch. The replaced state is in quarantine.
   */
  clear(before: Checkpoint, why: string): Promise<Restored>;
  /** Applies the change from `base` to `theirs` to `ours`, by file and by line. Touches no folder. */
  merge(order: MergeOrder): Promise<Merged>;
  /**
   * Shows a tree to people: a commit on top of `parent`, on a new branch under `heldBranches`, or on the one that the same
   * run has for this name. Null: such a branch is impossible here (another one is in the way, or it is checked out); the
   * tree is kept anyway. Never pushed.
   */
  hold(order: HoldOrder): Promise<string | null>;
  /** Removes the branch that `hold` made. Leaves it alone if it is gone, checked out or moved. */
  release(of: HeldAs): Promise<void>;
  /** Paths that differ between two trees. */
  changes(from: TreeId, to: TreeId): Promise<readonly Change[]>;
  /** A unified diff between two trees, cut after `bytesMax`. */
  diff(from: TreeId, to: TreeId, bytesMax: number): Promise<string>;
  /** A file's bytes in a tree, or null when it has no such file. */
  read(tree: TreeId, path: string): Promise<Buffer | null>;
  /** The commit of the current branch; null: there is none, or no readable repository. */
  head(): Promise<CommitId | null>;
  /**
   * The tree of the newest commit, from `commit` back along first parents, without this trailer: the last state that the
   * loop did not commit. Null: there is none, or it is too far back.
   */
  newestWithout(commit: CommitId, trailer: string): Promise<TreeId | null>;
  /** Paths of the files in a tree. */
  list(tree: TreeId): Promise<readonly string[]>;
  /** The content of several files; omits paths that are missing, links, or larger than `bytesMax`. */
  readAll(tree: TreeId, paths: readonly string[], bytesMax: number): Promise<ReadonlyMap<string, Buffer>>;
  /** A tree with some paths replaced: by a text, or by another tree's entry, including links and modes. */
  compose(tree: TreeId, lay: readonly (LaidFile | TakenFile)[]): Promise<TreeId>;
  /**
   * Commits `tree` on the current branch, once: a commit with the same trailers on top of `parent` is adopted.
   * Refuses (`moved`) when the branch is not where `parent` says. Never pushes, never forces, never runs a hook.
   */
  commit(order: CommitOrder): Promise<Committed>;
  /** A clean checkout of `tree` outside the workspace; the folder is reused, so there is one at a time per name. */
  scratch(name: string, tree: TreeId, options: ScratchOptions): Promise<Scratch>;
  readonly quarantine: Quarantine;
}

export type Condition = {
  branch: string | null; // null: detached
  head: CommitId | null; // null: no commit yet
  /** Paths with uncommitted changes, including untracked ones; empty for a plain folder. */
  dirty: readonly string[];
  /** Why the loop must not start here: a merge or rebase in progress, a stale lock, a bare repository. */
  obstacles: readonly Obstacle[];
};
export type Obstacle = { kind: ErrorCode; why: string; next: string };

export type Checkpoint = {
  id: CheckpointId;
  tree: TreeId;
  head: CommitId | null;
  branch: string | null;
  /** The tree of `head`, if known: the folder's content when everything was committed. */
  headTree?: TreeId;
};

/** `asFolded`: the caller knows that nothing was written since `fold`, which has already read every file. */
export type TreeOptions = { asFolded?: boolean };

export type LaidFile = { path: string; content: string | Buffer | null }; // null removes it
/** The entry of `from` at this path; a missing one removes it. */
export type TakenFile = { path: string; from: TreeId };

export type Change = {
  path: string;
  kind: "added" | "modified" | "deleted";
  binary: boolean;
  lines: number;
  /** The file may be executed now, or no longer; or it is a link now, or no longer. */
  mode?: true;
  /** The file may be executed now, and could not be before. */
  executable?: true;
  /** It is a symbolic link now, to this. */
  linksTo?: string;
  /** It was a submodule, and is none any more. */
  wasSubmodule?: true;
};

/** What an agent did to the repository apart from changing files. */
export type Folded = {
  /** The agent's own commits that were folded back into the working files. */
  commits: readonly CommitId[];
  misdeeds: readonly Misdeed[];
  /** A commit on the branch that none of our agents made: someone else works here. Nothing was changed then. */
  movedBy: {
    commit: CommitId;
    who: string;
    subject: string;
    /** The agent's commits on top of it. */
    agents: number;
  } | null;
  quarantine: string | null;
};
export type Misdeed = {
  kind:
    | "git-destroyed"
    | "ref-changed"
    /** In a shared repository: it may have been another person. */
    | "ref-removed"
    | "branch-made"
    | "branch-switched"
    | "config-changed"
    | "hook-changed"
    | "stash-changed"
    /** A pipe, or a file without end: no commit could hold it. It is in quarantine, and the rest is taken. */
    | "file-refused";
  what: string;
};

export type SetOptions = {
  why: string;
  /** Paths to leave unchanged. */
  except?: ReadonlySet<string>;
  /** Paths to look at; left out: all. */
  only?: ReadonlySet<string>;
};

export type MergeOrder = {
  base: TreeId;
  ours: TreeId;
  theirs: TreeId;
  /** Paths to keep as in `ours`. */
  except: ReadonlySet<string>;
};
export type Merged = { is: "merged"; tree: TreeId } | { is: "conflict"; paths: readonly string[] };

/** Two runs can hold work under one name. */
export type HeldAs = { readonly run: string; readonly name: string };
export type HoldOrder = HeldAs & { tree: TreeId; parent: CommitId | null; subject: string };
/** Where held work is shown: `loop/held/F003`, or `loop/held/F003-1a2b3c` if another run has that one. */
export const heldBranches = "loop/held";

export type Restored = { tree: TreeId; quarantine: string | null; files: readonly string[] };

export type CommitOrder = {
  tree: TreeId;
  parent: CommitId | null;
  subject: string;
  body: string;
  trailers: Readonly<Record<string, string>>;
};
/** `tree` is the commit's: that of an adopted commit may differ from the order. */
export type Committed =
  | { is: "made" | "adopted"; commit: CommitId; tree: TreeId }
  | { is: "moved"; head: CommitId | null };

export type ScratchOptions = {
  /** Ignored folders that checks need, linked from the workspace: node_modules, .venv, … */
  bring: readonly string[];
  lay?: readonly LaidFile[];
};
export type Scratch = { dir: string; tree: TreeId; dispose(): Promise<void> };

export interface Quarantine {
  list(): Promise<readonly QuarantineEntry[]>;
  /** Files of an entry that differ from the current workspace. */
  files(id: string): Promise<readonly string[]>;
  /**
   * Restores an entry's files: those that it was made for, or the given ones. Files they would overwrite go to
   * quarantine first.
   */
  bringBack(id: string, options: { to?: string; paths?: readonly string[] }): Promise<readonly string[]>;
}
export type QuarantineEntry = { id: string; at: number; why: string; files: number };
