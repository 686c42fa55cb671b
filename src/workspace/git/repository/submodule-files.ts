// The files of a submodule at one commit, from its objects in the workspace.
import { join } from "node:path";
import { GitFailed } from "../git.ts";
import { type Ground, withTemporaryIndex } from "../ground.ts";
import { locate } from "./repo.ts";

/** False: the submodule is not initialised, or has no such commit. */
export async function laySubmodule(ground: Ground, path: string, commit: string, to: string): Promise<boolean> {
  const repo = locate(join(ground.root, path));
  if (repo === null) return false;
  return withTemporaryIndex(ground, null, async (index) => {
    const where = { gitDir: ground.vault.store, objects: join(repo.commonDir, "objects"), workTree: to, index };
    try {
      await ground.git(["read-tree", `${commit}^{tree}`], where);
    } catch (error) {
      if (error instanceof GitFailed) return false;
      throw error;
    }
    await ground.git(["checkout-index", "--all", "--force", "--quiet"], where);
    return true;
  });
}
