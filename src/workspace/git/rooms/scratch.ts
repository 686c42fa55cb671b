// A clean checkout of a tree, outside the workspace. The folder is reused, so the next tree only costs the difference.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import { isPlainName, type TreeId } from "../../../core/ids.ts";
import { broughtFile } from "../../../formats/kept/vault-files.ts";
import { ensureDir, lstatIfExists, readIfExists, writeAtomic } from "../../../host/disk.ts";
import type { Scratch, ScratchOptions } from "../../workspace.ts";
import { hasConversions } from "../files/conversions.ts";
import { unfiltered } from "../files/filtered.ts";
import { removeLeftovers } from "../files/leftovers.ts";
import { isRealFolder } from "../files/real-folder.ts";
import { GitFailed, type GitOptions } from "../git.ts";
import { converting, type Ground, ignoredAmong, onFolder, unlockIndex } from "../ground.ts";
import { indexEntries } from "../index/index-content.ts";
import { ownGitFolder } from "../repository/own-git-folder.ts";
import { read } from "../store/compare.ts";
import { layOver, refuseOutside } from "../store/lay-over.ts";
import { entries, type TreeEntry } from "../store/stored-trees.ts";
import { writeOut } from "../store/write-out.ts";

export async function scratch(ground: Ground, name: string, of: TreeId, options: ScratchOptions): Promise<Scratch> {
  if (!isPlainName(name)) throw new Bug(`not a name for a scratch folder: ${JSON.stringify(name)}`);
  const tree = await layOver(ground, of, options.lay ?? []);
  const dir = join(ground.vault.scratch, name);
  const index = `${dir}.index`;
  removeBrought(dir);
  try {
    await checkOut(ground, dir, index, tree);
  } catch (error) {
    // The last check may have damaged the folder (permissions removed, a folder in place of a file), so recreate it.
    if (!(error instanceof GitFailed) && !(error instanceof Error && "code" in error)) throw error;
    removeAll(dir);
    await checkOut(ground, dir, index, tree);
  }
  await bring(ground, dir, tree, options.bring);
  return { dir, tree, dispose: async () => removeBrought(dir) };
}

async function checkOut(ground: Ground, dir: string, index: string, tree: TreeId): Promise<void> {
  if (!lstatIfExists(dir)?.isDirectory()) fs.rmSync(dir, { force: true });
  ensureDir(dir);
  ownGitFolder(dir);
  unlockIndex(index);
  const content = await entries(ground, tree);
  const where = await optionsFor(ground, dir, index, tree, content);
  const tracked = await indexEntries(ground, where);
  removeLeftovers(
    dir,
    tracked.map(({ path }) => path),
  );
  await ground.git(["read-tree", "--reset", "-u", tree], {
    ...where,
    config: [...(where.config ?? []), "core.fsync=none"],
  });
  await writeOut(ground, dir, unfiltered(ground, content));
}

// The blobs of a tree are as committed; where git would convert them on checkout, so do we.
async function optionsFor(
  ground: Ground,
  dir: string,
  index: string,
  tree: TreeId,
  content: readonly TreeEntry[],
): Promise<GitOptions & { index: string }> {
  const paths = content.map(({ path }) => path);
  const converts = await hasConversions(ground, paths, (path) => read(ground, tree, path));
  return converts ? converting(ground, dir, index) : onFolder(ground, dir, index);
}

const broughtList = (dir: string): string => `${dir}.brought.json`;

function removeBrought(dir: string): void {
  const text = readIfExists(broughtList(dir));
  if (text === null) return;
  // Null: incomplete, after a power cut or a kill of an earlier version.
  const brought = broughtFile.parseIfPossible<readonly string[]>(text);
  // Its content is unknown, so keep nothing.
  if (brought === null) removeAll(dir);
  for (const path of brought ?? []) {
    const at = join(dir, path);
    if (isRealFolder(dir, dirname(path)) && lstatIfExists(at)?.isSymbolicLink()) fs.unlinkSync(at);
  }
  fs.rmSync(broughtList(dir));
}

function removeAll(dir: string): void {
  if (lstatIfExists(dir)?.isDirectory()) makeWritable(dir);
  fs.rmSync(dir, { recursive: true, force: true });
  fs.rmSync(`${dir}.index`, { force: true });
}

async function bring(ground: Ground, dir: string, tree: TreeId, names: readonly string[]): Promise<void> {
  const wanted = names.map((name) => name.replace(/\/+$/, ""));
  for (const path of wanted) refuseOutside(path);
  const there = wanted.filter((path) => isInside(ground.root, path));
  const usable = await ignoredOf(ground, there);
  const inTree = new Set<string>();
  for (const { path } of usable.length === 0 ? [] : await entries(ground, tree))
    for (let at = path; at !== "."; at = dirname(at)) inTree.add(at);
  const brought = usable.filter((path) => !inTree.has(path) && makeParents(dir, dirname(path)));
  writeAtomic(broughtList(dir), JSON.stringify(brought), { durable: false });
  for (const path of brought) fs.symlinkSync(join(ground.root, path), join(dir, path));
}

// A link out of the workspace would let an agent escape, so only paths that are really inside are linked.
function isInside(root: string, path: string): boolean {
  try {
    const real = fs.realpathSync(join(root, path));
    return real.startsWith(`${root}/`) && isRealFolder(root, dirname(path));
  } catch {
    return false;
  }
}

async function ignoredOf(ground: Ground, paths: readonly string[]): Promise<string[]> {
  const latin1 = paths.map((path) => Buffer.from(path).toString("latin1"));
  const ignored = await ignoredAmong(ground, onFolder(ground, ground.root, ground.vault.index), latin1);
  return ignored.map((path) => Buffer.from(path, "latin1").toString("utf8"));
}

function makeParents(base: string, path: string): boolean {
  let at = base;
  for (const part of path.split("/").filter((name) => name !== ".")) {
    at = join(at, part);
    const stat = lstatIfExists(at);
    if (stat === undefined) fs.mkdirSync(at);
    else if (!stat.isDirectory()) return false;
  }
  return true;
}

// The owner can always restore permissions.
function makeWritable(dir: string): void {
  fs.chmodSync(dir, 0o700);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(dir, entry.name));
}
