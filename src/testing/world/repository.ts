// What outlives every process of a simulated world: the folder, its commits and refs, checkpoints and quarantine.
import { type CheckpointId, type CommitId, commitId, type TreeId } from "../../core/ids.ts";
import type { Checkpoint } from "../../workspace/workspace.ts";
import { hashOf, Trees } from "./trees.ts";

export type Author = "person" | "agent" | "loop";
/** A commit of the simulated repository. */
export type Commit = {
  readonly id: CommitId;
  readonly tree: TreeId;
  readonly parent: CommitId | null;
  readonly subject: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly by: Author;
};
export type KeptCheckpoint = { readonly checkpoint: Checkpoint; readonly refs: ReadonlyMap<string, CommitId> };
export type SetAside = { readonly id: string; readonly at: number; readonly why: string; readonly tree: TreeId };

export const branch = "main";

/** As much of a git repository as a simulated workspace needs. */
export class Repository {
  readonly trees = new Trees();
  /** Everything in the folder, including ignored files. */
  readonly folder = new Map<string, string>();
  readonly commits = new Map<CommitId, Commit>();
  readonly refs = new Map<string, CommitId>();
  readonly checkpoints = new Map<CheckpointId, KeptCheckpoint>();
  readonly quarantine: SetAside[] = [];
  /** False after an agent destroyed it. */
  isWhole = true;
  #count = 0;

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) this.folder.set(path, text);
    this.commit("person", this.treeNow(), "start", {});
  }

  get head(): CommitId | null {
    return this.refs.get(branch) ?? null;
  }

  /** The tree of a commit of the folder, without ignored files and the loop's own copies. */
  treeNow(): TreeId {
    return this.trees.keep(new Map([...this.folder].filter(([path]) => !isIgnored(path))));
  }

  /** Commits on top of the branch, and moves the branch. */
  commit(by: Author, tree: TreeId, subject: string, trailers: Readonly<Record<string, string>>): CommitId {
    const made = this.object(by, tree, this.head, subject, trailers);
    this.refs.set(branch, made);
    return made;
  }

  /** Makes a commit that no branch has yet. */
  object(by: Author, tree: TreeId, parent: CommitId | null, subject: string, trailers: Commit["trailers"]): CommitId {
    const id = commitId(hashOf(`${++this.#count} ${tree} ${parent} ${subject}`));
    this.commits.set(id, { id, tree, parent, subject, trailers, by });
    return id;
  }

  /** From a commit back to the first, or to (but not including) `until`. */
  history(from: CommitId | null = this.head, until: CommitId | null = null): Commit[] {
    const found: Commit[] = [];
    for (let at = from; at !== null && at !== until; ) {
      const commit = this.commits.get(at);
      if (commit === undefined) break;
      found.push(commit);
      at = commit.parent;
    }
    return found;
  }

  /** Keeps the folder as it is, and returns the id of the entry. */
  setAside(at: number, why: string): string {
    const id = `q${this.quarantine.length + 1}`;
    this.quarantine.push({ id, at, why, tree: this.treeNow() });
    return id;
  }
}

/** The .gitignore rules. */
export const isIgnored = (path: string): boolean =>
  path.startsWith(".loop/") || path.startsWith("node_modules/") || path === ".env";
