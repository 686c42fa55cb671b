// A folder without git, as a workspace: the vault's store has everything, including commits.
import { type CommitId, commitId } from "../../core/ids.ts";
import { adoptable, commitInStore } from "../git/commits/commit.ts";
import { GitFailed, line, makeGit } from "../git/git.ts";
import { type Ground, inStore, type SessionBounds, sessionBounds } from "../git/ground.ts";
import { assemble } from "../git/open.ts";
import { plainSettings } from "../git/repository/settings.ts";
import { prepareStore } from "../git/store/store.ts";
import { treeOf } from "../git/store/stored-trees.ts";
import type { Vault } from "../vault.ts";
import type { CommitOrder, Committed, Workspace } from "../workspace.ts";

const branch = "refs/heads/workspace";

export async function openPlain(root: string, vault: Vault, bounds: SessionBounds): Promise<Workspace> {
  const git = makeGit(vault.home);
  prepareStore(vault, plainSettings);
  const ground: Ground = { root, vault, git, settings: plainSettings, hasGit: false, ...sessionBounds(vault, bounds) };
  return assemble(ground, "plain", {
    inspect: async () => ({ branch: null, head: await headOf(ground), dirty: [], obstacles: [] }),
    plainHead: () => headOf(ground),
    commit: (order) => commit(ground, order),
  });
}

async function headOf(ground: Ground): Promise<CommitId | null> {
  const { code, stdout } = await ground.git(["rev-parse", "--verify", "--quiet", branch], {
    ...inStore(ground),
    codes: [1],
  });
  return code === 0 ? commitId(stdout.toString("utf8").trim()) : null;
}

async function commit(ground: Ground, order: CommitOrder): Promise<Committed> {
  const head = await headOf(ground);
  const earlier = head === null ? null : await adoptable(ground, head, order);
  if (earlier !== null) return { is: "adopted", commit: earlier, tree: await treeOf(ground, earlier) };
  if (head !== order.parent) return { is: "moved", head };
  const made = await commitInStore(ground, order);
  try {
    line(await ground.git(["update-ref", branch, made, order.parent ?? "0".repeat(made.length)], inStore(ground)));
  } catch (error) {
    if (error instanceof GitFailed && (await headOf(ground)) !== order.parent)
      return { is: "moved", head: await headOf(ground) };
    throw error;
  }
  return { is: "made", commit: made, tree: order.tree };
}
