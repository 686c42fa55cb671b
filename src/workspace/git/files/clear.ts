// A clean checkout of a branch that someone else moved: everything a session left in the folder is set aside.
import { Bug } from "../../../core/errors.ts";
import type { Checkpoint, Restored } from "../../workspace.ts";
import { mustLoad } from "../checkpoint.ts";
import type { Ground } from "../ground.ts";
import { installIndex } from "../index/install-index.ts";
import { captureGitFiles } from "../repository/git-files.ts";
import { headOf } from "../repository/refs.ts";
import { beforeOf, repair } from "../repository/repair.ts";
import { locate, ownPrefix } from "../repository/repo.ts";
import { copyRepository } from "../store/keep-objects.ts";
import { treeOf } from "../store/stored-trees.ts";
import { unhide } from "./restore.ts";
import { setFiles } from "./set-files.ts";
import { setUnfitAside } from "./unfit.ts";

/**
 * The repository comes first: configuration and hooks that a session planted must be gone before anyone continues,
 * however the branch was moved. The index is the branch's too, so that nothing staged slips into a commit.
 */
export async function clear(ground: Ground, to: Checkpoint, why: string): Promise<Restored> {
  const record = mustLoad(ground, to);
  await setUnfitAside(ground);
  const before = beforeOf(ground, record);
  // Without git there are no other committers, and no branch to follow.
  if (before === null || record.repo === null) throw new Bug("a folder without git has no branch to be moved");
  const repaired = await repair(ground, record, record.repo, before, { why, exact: false, keepBranch: true });
  const repo = locate(ground.root);
  if (repo === null) throw new Bug("the repository was put back, and is not there");
  const files = captureGitFiles(ground.vault, repo.commonDir);
  await copyRepository(ground, repo.commonDir, ground.vault.copy, files.bulk, false);
  const head = headOf(ground.vault, files, ownPrefix(repo)).commit;
  if (head === null) throw new Bug("a branch was moved to nothing");
  const tree = await treeOf(ground, head);
  const hidden = await unhide(ground, why, record.at);
  const set = await setFiles(ground, tree, { why });
  await installIndex(ground, repo, tree);
  return { ...set, quarantine: set.quarantine ?? hidden ?? repaired.quarantine };
}
