// The ignored files of a folder, which no checkpoint holds, and what an agent made of them.
import * as fs from "node:fs";
import type { TreeId } from "../../../core/ids.ts";
import { fields } from "../git.ts";
import { type Ground, ignoredAmong, onFolder, withTemporaryIndex } from "../ground.ts";
import { groundOf } from "../rooms/room-source.ts";
import { treeOfPaths } from "./bring-back.ts";
import { setAside } from "./quarantine.ts";
import { setUnfitAside } from "./unfit.ts";

export interface IgnoredFiles {
  readonly root: string;
  /**
   * Ignored paths, each the topmost one; a folder ends with a slash. A folder that is not ignored itself is not listed
   * even if it holds only ignored files: other files in it are work.
   */
  list(base: TreeId | null): Promise<readonly string[]>;
  /** Those of the paths that the folder's rules ignore now. */
  among(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Moves what git would wait for, newer than `since`, to quarantine. To be called before anything else after a session. */
  setUnfitAside(since: number): Promise<readonly { path: string; why: string }[]>;
  /** Keeps files in quarantine, as one entry. */
  keep(parts: readonly KeptPart[], why: string): Promise<void>;
}
/** Files of a folder, as if they had been below `prefix` in the workspace. */
export type KeptPart = { readonly from: string; readonly files: readonly string[]; readonly prefix: string };

export async function openIgnoredFiles(order: {
  root: string;
  vaultDir: string;
  kind: "git" | "plain";
}): Promise<IgnoredFiles> {
  const root = fs.realpathSync(order.root);
  const ground = await groundOf(root, order.vaultDir, order.kind);
  return {
    root,
    async setUnfitAside(since) {
      ground.memory.since = since;
      await setUnfitAside(ground);
      return ground.memory.refused.splice(0);
    },
    list: (base) => list(ground, base),
    among: (paths) => among(ground, paths),
    async keep(parts, why) {
      const trees: { prefix: string; tree: TreeId }[] = [];
      for (const { from, files, prefix } of parts) trees.push({ prefix, tree: await treeOfPaths(ground, from, files) });
      const paths = parts.flatMap(({ files, prefix }) => files.map((path) => prefix + path));
      await setAside(ground, { why, trees, paths });
    },
  };
}

async function list(ground: Ground, base: TreeId | null): Promise<readonly string[]> {
  const found = await withTemporaryIndex(ground, null, async (index) => {
    const where = onFolder(ground, ground.root, index);
    await ground.git(["read-tree", ...(base === null ? ["--empty"] : [base])], where);
    const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    return fields(await ground.git(args, where));
  });
  const folders = found.filter((path) => path.endsWith("/"));
  const themselves = await among(ground, folders);
  return found.filter((path) => !path.endsWith("/") || themselves.has(path));
}

async function among(ground: Ground, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const latin1 = paths.map((path) => Buffer.from(path.replace(/\/$/, "")).toString("latin1"));
  const where = onFolder(ground, ground.root, ground.vault.index);
  const found = new Set(await ignoredAmong(ground, where, latin1, ["--no-index"]));
  return new Set(paths.filter((_, at) => found.has(latin1[at] ?? "")));
}
