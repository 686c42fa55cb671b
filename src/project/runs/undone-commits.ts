// The commits that `loop undo` took back on the branch of this folder.
import { join } from "node:path";
import { statIfExists } from "../../host/disk.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { commitsOf } from "../proofs/proved-commits.ts";

/** Each with its revert commit. Looks only: the vault of a workspace with runs exists, and is not opened. */
export async function undoneCommits(root: string): Promise<ReadonlyMap<string, string>> {
  const home = join(vaultDirFor(root), "home");
  if (findRepositoryRoot(root) === null || statIfExists(home)?.isDirectory() !== true) return new Map();
  return commitsOf(root, home, null).undone();
}
