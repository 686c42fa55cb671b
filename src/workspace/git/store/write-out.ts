// Writes blobs of the store as files.
import { type Ground, onFolder, withTemporaryIndex } from "../ground.ts";
import { indexInfo, type TreeEntry } from "./stored-trees.ts";

// Git writes the files, because it never writes through a link in place of a folder.
export async function writeOut(ground: Ground, to: string, files: readonly TreeEntry[]): Promise<void> {
  if (files.length === 0) return;
  await withTemporaryIndex(ground, null, async (index) => {
    const where = onFolder(ground, to, index);
    await ground.git(["update-index", "-z", "--index-info"], { ...where, input: indexInfo(files) });
    await ground.git(["checkout-index", "--all", "--force", "--quiet"], where);
  });
}
