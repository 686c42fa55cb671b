// The base of workspace operations, for tests of single ones.
import { join } from "node:path";
import { makeGit } from "../workspace/git/git.ts";
import { type Ground, sessionBounds } from "../workspace/git/ground.ts";
import { locate } from "../workspace/git/repository/repo.ts";
import { readSettings, type Settings } from "../workspace/git/repository/settings.ts";
import { prepareStore } from "../workspace/git/store/store.ts";
import { openVault } from "../workspace/vault.ts";
import { gitAs, temporaryFolder } from "./workspace-rig.ts";

/** The ground of a folder, with its own vault. `given` overrides the person's configuration. */
export async function groundOf(root: string, given: Partial<Settings> = {}): Promise<Ground> {
  const vault = openVault(join(temporaryFolder(), "vault"), root);
  const git = makeGit(vault.home);
  const repo = locate(root);
  const settings = { ...(await readSettings(git, root, repo)), ...given };
  prepareStore(vault, settings);
  return { root, vault, git, settings, hasGit: repo !== null, ...sessionBounds(vault, {}) };
}

/** Git's output in the store, without the trailing newline. */
export const askStore = ({ vault }: Ground, ...args: string[]): string =>
  gitAs("person", vault.store, ["--git-dir=.", ...args]).trim();
