// The folder's current files, byte for byte, as trees in the store. Each nested repository is a separate tree.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import type { TreeId } from "../../../core/ids.ts";
import { ensureDir, lstatIfExists } from "../../../host/disk.ts";
import { fields } from "../git.ts";
import { type Ground, onFolder, unlockIndex } from "../ground.ts";
import { dropBroken, indexContent, indexTree, isLink } from "../index/index-content.ts";
import { seedIndex } from "../index/seed-index.ts";
import { locate, type Repo } from "../repository/repo.ts";
import { setLargeAside, setRefusedAside } from "./unfit.ts";

/** A nested repository. Git sees only a link there; the loop must be able to restore its files. */
export type NestedFolder = {
  path: string;
  /** Its files, or null if the outer tree has them as plain files. */
  tree: TreeId | null;
  /** What the outer repository would record for it. */
  commit: string | null;
};
export type Snapshot = { tree: TreeId; nested: readonly NestedFolder[]; paths: readonly string[] };
/** A folder to snapshot, with the index that caches it between snapshots. */
export type Area = { workTree: string; index: string; repo: Repo | null };

const depthMax = 8;

export async function snapshot(ground: Ground, area: Area = topArea(ground), depth = 0): Promise<Snapshot> {
  const where = onFolder(ground, area.workTree, area.index);
  unlockIndex(area.index);
  dropBroken(ground, area.index);
  if (!fs.existsSync(area.index)) await seedIndex(ground, area);
  await setLargeAside(ground, area.workTree, area.index);
  const unborn = await addAll(ground, area);
  const { entries, places } = await indexContent(ground, where);
  const links = entries.filter(isLink);
  // Git would query a linked repository, using that repository's configuration. So remove all links.
  if (links.length > 0)
    await forget(
      ground,
      area,
      links.map(({ path }) => path),
    );
  const tree = await indexTree(ground, where);
  const inner = [
    ...links.map(({ path, id }) => ({ path: utf8(path), commit: id })),
    ...unborn.map((path) => ({ path, commit: null })),
  ];
  const nested = depth >= depthMax ? [] : await takeNested(ground, area, inner, depth);
  const covered = coveredRepositories(area.workTree, places.folders);
  return { tree, nested: [...nested, ...covered].sort(byPath), paths: places.paths };
}

export const topArea = (ground: Ground): Area => ({
  workTree: ground.root,
  index: ground.vault.index,
  repo: ground.hasGit ? locate(ground.root) : null,
});

export const nestedArea = (ground: Ground, path: string): Area => {
  const dir = nestedVault(ground, path);
  ensureDir(dir);
  const workTree = join(ground.root, path);
  return { workTree, index: join(dir, "index"), repo: locate(workTree) };
};
export const nestedVault = (ground: Ground, path: string): string =>
  join(ground.vault.nested, createHash("sha256").update(path).digest("hex").slice(0, 24));

async function addAll(ground: Ground, area: Area): Promise<string[]> {
  const where = onFolder(ground, area.workTree, area.index);
  const { code, stderr } = await ground.git(["add", "--all", "--ignore-errors", "--no-warn-embedded-repo", "--", "."], {
    ...where,
    codes: [1, 128],
  });
  if (code === 0) return [];
  // It has added the others. What was moved is not there the next time.
  if (await setRefusedAside(ground, area, stderr)) return addAll(ground, area);
  const complaints = stderr
    .split("\n")
    .filter((text) => text !== "" && !/^(?:fatal: adding files failed|warning:|hint:)/.test(text));
  const others = complaints.filter((text) => !/does not have a commit checked out/.test(text));
  if (others.length > 0 || complaints.length === 0) throw unreadable(others, code);
  return unbornRepositories(ground, area);
}

async function unbornRepositories(ground: Ground, area: Area): Promise<string[]> {
  const listed = await ground.git(
    ["ls-files", "--others", "--directory", "--exclude-standard", "-z"],
    onFolder(ground, area.workTree, area.index),
  );
  return fields(listed)
    .filter((path) => path.endsWith("/"))
    .map((path) => path.slice(0, -1))
    .filter((path) => fs.existsSync(join(area.workTree, path, ".git")));
}

function unreadable(complaints: readonly string[], code: number): UserError {
  return new UserError("folder-unreadable", {
    what: "The folder could not be taken as it is.",
    why: complaints.slice(0, 3).join(" ") || `git ended with ${code}.`,
    next: "Make these files readable, rename or remove them, or list them in .gitignore.",
  });
}

async function forget(ground: Ground, area: Area, paths: readonly string[]): Promise<void> {
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  await ground.git(["update-index", "--force-remove", "-z", "--stdin"], {
    ...onFolder(ground, area.workTree, area.index),
    input,
  });
}

async function takeNested(
  ground: Ground,
  area: Area,
  inner: readonly { path: string; commit: string | null }[],
  depth: number,
): Promise<NestedFolder[]> {
  const taken: NestedFolder[] = [];
  for (const { path, commit } of inner) {
    const inside = join(area.workTree, path);
    if (!lstatIfExists(inside)?.isDirectory()) continue;
    const fromRoot = inside.slice(ground.root.length + 1);
    const { tree, nested } = await snapshot(ground, nestedArea(ground, fromRoot), depth + 1);
    taken.push({ path: fromRoot, tree, commit }, ...nested);
  }
  return taken;
}

// A `.git` next to files that the outer tree already has does not hide them, but it is still a repository.
function coveredRepositories(workTree: string, folders: readonly string[]): NestedFolder[] {
  return folders
    .filter((dir) => lstatIfExists(join(workTree, dir, ".git")) !== undefined)
    .map((path) => ({ path, tree: null, commit: null }));
}

const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");
const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
