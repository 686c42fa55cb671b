// The commits that `loop undo` took back on the branch of this folder.
import { join } from "node:path";
import { statIfExists } from "../../host/disk.ts";
import { headStamp } from "../../workspace/head-name.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { commitsOf } from "../proofs/proved-commits.ts";

/** Pages ask again and again: the history is read when the branch has moved. */
export class UndoneCommits {
  readonly #root: string;
  #read: { readonly stamp: string; readonly found: Promise<Readonly<Record<string, string>>> } | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** Each with its revert commit. */
  now(): Promise<Readonly<Record<string, string>>> {
    const stamp = headStamp(this.#root);
    if (this.#read?.stamp !== stamp) this.#read = { stamp, found: undoneIn(this.#root) };
    return this.#read.found;
  }
}

/** Looks only: the vault of a workspace with runs exists, and is not opened. */
async function undoneIn(root: string): Promise<Readonly<Record<string, string>>> {
  const home = join(vaultDirFor(root), "home");
  if (findRepositoryRoot(root) === null || statIfExists(home)?.isDirectory() !== true) return {};
  return Object.fromEntries(await commitsOf(root, home, null).undone());
}
