// Opens the folder that a run works in.
import * as fs from "node:fs";
import type { Branch } from "./branch.ts";
import type { SessionBounds } from "./git/ground.ts";
import { openGit, openGitBranch } from "./git/open.ts";
import { openPlain } from "./plain/open.ts";
import { openVault, vaultDirFor } from "./vault.ts";
import type { Workspace } from "./workspace.ts";

export { findRepositoryRoot } from "./git/repository/repo.ts";
export { vaultDirFor };

export type OpenOptions = SessionBounds & { root: string; vaultDir?: string; kind: Workspace["kind"] };

/** `root` is the top folder of the repository, or any folder when `kind` is "plain". */
export async function openWorkspace({ root, vaultDir, kind, ...bounds }: OpenOptions): Promise<Workspace> {
  const real = fs.realpathSync(root);
  const vault = openVault(vaultDir ?? vaultDirFor(real), real);
  return kind === "git" ? openGit(real, vault, bounds) : openPlain(real, vault, bounds);
}

/** The current branch of a git folder, to land something on it. */
export async function openBranch({ root, vaultDir }: { root: string; vaultDir: string }): Promise<Branch> {
  const real = fs.realpathSync(root);
  return openGitBranch(real, openVault(vaultDir, real));
}
