// The commits that `loop undo` took back on the branch of this folder.
import { join } from "node:path";
import { statIfExists } from "../../host/disk.ts";
import { nothingUndone, type Undone } from "../../report/taken-back.ts";
import { headStamp } from "../../workspace/head-name.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { commitsOf } from "../proofs/proved-commits.ts";

/** Pages ask again and again: the history is read when the branch has moved. */
export class UndoneCommits {
  readonly #root: string;
  #read: { readonly stamp: string; readonly found: Promise<Undone> } | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  now(): Promise<Undone> {
    const stamp = headStamp(this.#root);
    if (this.#read?.stamp !== stamp) this.#read = { stamp, found: undoneIn(this.#root) };
    return this.#read.found;
  }
}

/** Looks only: the vault of a workspace with runs exists, and is not opened. */
async function undoneIn(root: string): Promise<Undone> {
  const home = join(vaultDirFor(root), "home");
  if (findRepositoryRoot(root) === null || statIfExists(home)?.isDirectory() !== true) return nothingUndone;
  const commits = commitsOf(root, home, null);
  const undone = await commits.undone();
  if (undone.size === 0) return nothingUndone;
  const all = await commits.all();
  const standing = new Set(all.filter(({ commit }) => !undone.has(commit)).map(({ feature }) => feature));
  const features = all.flatMap(({ feature, commit }) => {
    const revert = undone.get(commit);
    return revert === undefined || standing.has(feature) ? [] : [[feature, revert] as const];
  });
  // The newest commit of a feature is the first.
  return { commits: Object.fromEntries(undone), features: Object.fromEntries(features.toReversed()) };
}
