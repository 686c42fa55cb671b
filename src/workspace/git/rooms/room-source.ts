// The sources of clean checkouts: the store's trees, other files of the folder, and a git folder with one commit.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../../core/ids.ts";
import { openVault } from "../../vault.ts";
import { hasConversions } from "../files/conversions.ts";
import { unfiltered } from "../files/filtered.ts";
import { fields, type GitOptions, makeGit } from "../git.ts";
import {
  converting,
  type Ground,
  ignoredAmong,
  onFolder,
  sessionBounds,
  temporary,
  withTemporaryIndex,
} from "../ground.ts";
import { locate } from "../repository/repo.ts";
import { type RepositoryNames, repositoryNames } from "../repository/repository-names.ts";
import { loadSettings, plainSettings, readSettings } from "../repository/settings.ts";
import { laySubmodule } from "../repository/submodule-files.ts";
import { read } from "../store/compare.ts";
import { Remembered } from "../store/memory.ts";
import { prepareStore } from "../store/store.ts";
import { entries, indexInfo, pathBytes, readObjects, type TreeEntry } from "../store/stored-trees.ts";
import { type OneCommit, oneCommit, packTree } from "./one-commit.ts";

export type TreeFile = { readonly path: string; readonly kind: TreeFileKind; readonly id: string };
export type TreeFileKind = "file" | "program" | "link" | "submodule";

/**
 * Reads the vault's store, and the folder for files in no tree. Contract: writes only to the given targets; indexes are
 * temporary, so it can run next to an open workspace.
 */
export interface RoomSource {
  readonly root: string;
  /** Everything in a tree, in git's order. */
  entries(tree: TreeId): Promise<readonly TreeFile[]>;
  /** Blobs by their ids. */
  blobs(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Writes these files of a tree into a folder, with the bytes of a checkout; null: all of them. */
  lay(tree: TreeId, paths: readonly string[] | null, to: string): Promise<void>;
  /** Writes the files of a submodule's commit; false: the folder does not have it. */
  laySubmodule(path: string, commit: string, to: string): Promise<boolean>;
  /** The ignored paths of the folder; a folder with only ignored files is one path, with a trailing slash. */
  ignored(base: TreeId): Promise<readonly string[]>;
  /** Those of the paths that a tree's rules ignore. */
  ignoredBy(tree: TreeId, paths: readonly string[]): Promise<readonly string[]>;
  names(): Promise<RepositoryNames>;
  /** A pack of a tree's objects, without those of another tree. */
  pack(tree: TreeId, without: TreeId | null, to: string): Promise<void>;
  /** A git folder whose only commit is the tree, without the packs. */
  oneCommit(order: OneCommit): Promise<void>;
}

export async function openRoomSource(order: {
  root: string;
  vaultDir: string;
  kind: "git" | "plain";
}): Promise<RoomSource> {
  const root = fs.realpathSync(order.root);
  const ground = await groundOf(root, order.vaultDir, order.kind);
  const known = new Remembered<readonly TreeFile[]>(4);
  return {
    root,
    entries: async (tree) => {
      const found = known.get(tree) ?? (await entries(ground, tree)).map(treeFile);
      known.set(tree, found);
      return found;
    },
    blobs: async (ids) => new Map([...(await readObjects(ground, ids))].map(([id, { bytes }]) => [id, bytes])),
    lay: (tree, paths, to) => lay(ground, tree, paths, to),
    laySubmodule: (path, commit, to) => laySubmodule(ground, path, commit, to),
    ignored: (base) => ignored(ground, base),
    ignoredBy: (tree, paths) => ignoredBy(ground, tree, paths),
    names: () => repositoryNames(ground),
    pack: (tree, without, to) => packTree(ground, tree, without, to),
    oneCommit: (commit) => oneCommit(ground, commit),
  };
}

export async function groundOf(root: string, vaultDir: string, kind: "git" | "plain"): Promise<Ground> {
  const vault = openVault(vaultDir, root);
  const git = makeGit(vault.home);
  // The settings from before an agent ran, if known.
  const theirs = async () => loadSettings(vault) ?? (await readSettings(git, root, locate(root)));
  const settings = kind === "plain" ? plainSettings : await theirs();
  prepareStore(vault, settings);
  return { root, vault, git, settings, hasGit: kind === "git", ...sessionBounds(vault, {}) };
}

const kinds: Readonly<Record<string, TreeFileKind>> = { "100755": "program", "120000": "link", "160000": "submodule" };
const treeFile = ({ mode, id, path }: TreeEntry): TreeFile => ({ path, id, kind: kinds[mode] ?? "file" });

/** Writes these files of a tree into a folder, with the bytes of a checkout; null: all of them. */
export async function lay(ground: Ground, tree: TreeId, paths: readonly string[] | null, to: string): Promise<void> {
  if (paths?.length === 0) return;
  const content = await entries(ground, tree);
  const names = content.map(({ path }) => path);
  const converts = await hasConversions(ground, names, (path) => read(ground, tree, path));
  await withTemporaryIndex(ground, null, async (index) => {
    const where = unsynced(converts ? converting(ground, to, index) : onFolder(ground, to, index));
    await ground.git(["read-tree", tree], where);
    await layRaw(ground, where, unfiltered(ground, content));
    const wanted = new Set(paths);
    const chosen = content.filter(({ path }) => wanted.has(path));
    const input = Buffer.concat(chosen.flatMap((entry) => [pathBytes(entry), Buffer.from("\0")]));
    const which = paths === null ? ["--all"] : ["-z", "--stdin"];
    await ground.git(["checkout-index", "--force", "--quiet", ...which], { ...where, input });
  });
}

// A checkout can be rebuilt at any time, so it need not be synced to disk.
const unsynced = (where: GitOptions): GitOptions => ({
  ...where,
  config: [...(where.config ?? []), "core.fsync=none"],
});

// Filtered files come from the folder's own bytes: no filter program runs.
async function layRaw(ground: Ground, where: GitOptions, raw: readonly TreeEntry[]): Promise<void> {
  if (raw.length === 0) return;
  await ground.git(["update-index", "-z", "--index-info"], { ...where, input: indexInfo(raw) });
}

async function ignored(ground: Ground, base: TreeId): Promise<readonly string[]> {
  return withTemporaryIndex(ground, null, async (index) => {
    const where = onFolder(ground, ground.root, index);
    await ground.git(["read-tree", base], unsynced(where));
    const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    return fields(await ground.git(args, where));
  });
}

async function ignoredBy(ground: Ground, tree: TreeId, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const rules = (await entries(ground, tree))
    .map(({ path }) => path)
    .filter((path) => /(?:^|\/)\.gitignore$/.test(path));
  const folder = temporary(ground, "rules");
  fs.mkdirSync(folder);
  try {
    await lay(ground, tree, rules, folder);
    const where = onFolder(ground, folder, join(folder, ".index"));
    const latin1 = paths.map((path) => Buffer.from(path).toString("latin1"));
    const found = await ignoredAmong(ground, where, latin1, ["--no-index"]);
    return found.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
