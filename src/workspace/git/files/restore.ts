// Makes the folder and the repository exactly match a checkpoint. Everything replaced is kept first.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import type { TreeId } from "../../../core/ids.ts";
import { lstatIfExists } from "../../../host/disk.ts";
import type { Checkpoint, Restored } from "../../workspace.ts";
import { type CheckpointRecord, keepNested, manifest, mustLoad, type NestedRecord } from "../checkpoint.ts";
import { fields } from "../git.ts";
import { type Ground, onFolder } from "../ground.ts";
import { captureGitFiles, putBackGitFile, sameFile } from "../repository/git-files.ts";
import { fillAll, rebuildNested } from "../repository/rebuild.ts";
import { beforeOf, repair } from "../repository/repair.ts";
import { changes } from "../store/compare.ts";
import { firstObstacle, treeOfPaths } from "./bring-back.ts";
import { makeEqual } from "./make-equal.ts";
import { moveAside } from "./move-aside.ts";
import { addToQuarantine, asideFolder, type Findings, newQuarantineId, setAside } from "./quarantine.ts";
import { isRealFolder } from "./real-folder.ts";
import { selfHiding } from "./self-hiding.ts";
import { nestedArea, nestedVault, type Snapshot, snapshot, topArea } from "./snapshot.ts";
import { setUnfitAside } from "./unfit.ts";

const roundsMax = 6;

export async function restore(
  ground: Ground,
  to: Checkpoint,
  why: string,
  ours: ReadonlySet<string> = new Set(),
): Promise<Restored> {
  const record = mustLoad(ground, to);
  await setUnfitAside(ground);
  const now = await snapshot(ground);
  const nestedNow = await keepNested(ground, now.nested);
  const differing = await differingPaths(ground, record, now, nestedNow);
  const files = differing.filter((path) => !ours.has(path));
  const blocking = await obstacles(ground, record.raw, now);
  const id = newQuarantineId();
  const hiding = await selfHiding(ground, record.at);
  const isWork = files.length + blocking.length + hiding.length > 0;
  if (isWork || differing.length > 0) {
    await keepAll(ground, id, { why, paths: files, except: [...ours] }, now, nestedNow, blocking);
    moveBlocking(ground, id, blocking);
    await restoreFiles(ground, id, record, nestedNow);
    for (const nested of record.nested) await restoreNested(ground, id, nested);
    await removeEmptyFolders(ground, record.at);
  }
  const before = beforeOf(ground, record);
  const repaired =
    before === null || record.repo === null
      ? null
      : await repair(ground, record, record.repo, before, { why, exact: true });
  return { tree: to.tree, quarantine: isWork ? id : (repaired?.quarantine ?? null), files };
}

async function restoreFiles(
  ground: Ground,
  id: string,
  record: CheckpointRecord,
  nestedNow: readonly NestedRecord[],
): Promise<void> {
  const known = new Set(record.nested.map(({ path }) => path));
  const keep = (tree: TreeId) => keepFound(ground, id, { prefix: "", tree }, record.raw);
  let made = nestedNow.filter(({ path }) => !known.has(path));
  for (let round = 0; round < roundsMax; round++) {
    dissolve(ground, id, made);
    await unhideInto(ground, id, record.at);
    await reclaimNested(ground, id, record);
    const current = (await snapshot(ground)).tree;
    await keep(current);
    await makeEqual(ground, topArea(ground), current, record.raw, keep);
    // An agent's rules can also have hidden a repository that it made.
    const left = (await snapshot(ground)).nested.filter(({ path }) => !known.has(path));
    if (left.length === 0 && (await selfHiding(ground, record.at)).length === 0) return;
    made = await keepNested(ground, left);
    await addToQuarantine(ground, id, { nested: made, paths: made.map(({ path }) => path) });
  }
  throw new Bug(`repositories keep turning up in ${ground.root}`);
}

/** Adds a tree that was found later, with the paths in which it differs from its replacement. */
async function keepFound(
  ground: Ground,
  id: string,
  found: { prefix: string; tree: TreeId },
  replacement: TreeId,
): Promise<void> {
  const differ = await changes(ground, found.tree, replacement);
  await addToQuarantine(ground, id, { trees: [found], paths: differ.map(({ path }) => found.prefix + path) });
}

// Without the rule file, the next snapshot shows the files it hid.
async function unhideInto(ground: Ground, id: string, since: number): Promise<void> {
  const hiding = await selfHiding(ground, since);
  if (hiding.length === 0) return;
  const trees = [{ prefix: "", tree: await treeOfPaths(ground, ground.root, hiding) }];
  await addToQuarantine(ground, id, { trees, paths: hiding });
  for (const path of hiding) fs.rmSync(join(ground.root, path), { force: true });
}

/** The same with a new entry; null: no rule file hid itself. */
export async function unhide(ground: Ground, why: string, since: number): Promise<string | null> {
  const hiding = await selfHiding(ground, since);
  if (hiding.length === 0) return null;
  const id = await setAside(ground, { why, paths: hiding });
  await unhideInto(ground, id, since);
  return id;
}

/**
 * A known nested repository that lost its `.git` looks like plain files to the outer tree, which would remove them by
 * its own rules. So it gets its `.git` back first, and its files are dropped from the outer index.
 */
async function reclaimNested(ground: Ground, id: string, record: CheckpointRecord): Promise<void> {
  const inner = record.nested.filter(({ path, tree }) => tree !== null && isRealFolder(ground.root, path));
  if (inner.length === 0) return;
  for (const nested of inner) putBackDotGit(ground, id, nested);
  const where = onFolder(ground, ground.root, ground.vault.index);
  const tracked = fields(await ground.git(["ls-files", "-z"], where), "latin1");
  const prefixes = inner.map(({ path }) => `${Buffer.from(path).toString("latin1")}/`);
  const theirs = tracked.filter((path) => prefixes.some((prefix) => path.startsWith(prefix)));
  const input = Buffer.from(theirs.map((path) => `${path}\0`).join(""), "latin1");
  if (theirs.length > 0) await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input });
}

async function differingPaths(
  ground: Ground,
  record: CheckpointRecord,
  now: Snapshot,
  nestedNow: readonly NestedRecord[],
): Promise<string[]> {
  const found = (await changes(ground, now.tree, record.raw)).map(({ path }) => path);
  const paths = new Set([...record.nested, ...nestedNow].map(({ path }) => path));
  if (paths.size === 0) return found.sort();
  const empty = await treeOfPaths(ground, ground.root, []);
  for (const path of paths) {
    const [then, at] = [record.nested, nestedNow].map((list) => list.find((nested) => nested.path === path));
    const differs = await changes(ground, at?.tree ?? empty, then?.tree ?? empty);
    found.push(...differs.map((change) => `${path}/${change.path}`));
    if (at?.git !== then?.git || at?.gitFile !== then?.gitFile) found.push(`${path}/.git`);
  }
  return [...new Set(found)].sort();
}

/** Obstacles to the tree's files that are not in the snapshot: ignored files, and folders that contain them. */
async function obstacles(ground: Ground, tree: TreeId, now: Snapshot): Promise<string[]> {
  const present = new Set(now.paths);
  const wanted = (await changes(ground, now.tree, tree)).filter(({ kind }) => kind !== "deleted");
  const found = wanted.flatMap(({ path }) => firstObstacle(ground.root, path)?.slice(ground.root.length + 1) ?? []);
  return [...new Set(found.filter((path) => !present.has(path)))];
}

async function keepAll(
  ground: Ground,
  id: string,
  about: Pick<Findings, "why" | "paths" | "except">,
  now: Snapshot,
  nested: readonly NestedRecord[],
  blocking: readonly string[],
): Promise<void> {
  const hidden = blocking.length === 0 ? [] : [{ prefix: "", tree: await treeOfPaths(ground, ground.root, blocking) }];
  const paths = [...new Set([...(about.paths ?? []), ...blocking])];
  await setAside(ground, { ...about, paths, nested, trees: [...hidden, { prefix: "", tree: now.tree }] }, id);
}

function moveBlocking(ground: Ground, id: string, blocking: readonly string[]): void {
  for (const [at, path] of blocking.entries())
    moveAside(join(ground.root, path), join(asideFolder(ground, id), "in-the-way", String(at)));
}

// Without its `.git`, a repository that the agent made is treated as a plain folder.
function dissolve(ground: Ground, id: string, made: readonly NestedRecord[]): void {
  for (const { path } of made) {
    const aside = join(asideFolder(ground, id), "nested", `${randomBytes(4).toString("hex")}.git`);
    moveAside(join(ground.root, path, ".git"), aside);
  }
}

function putBackDotGit(ground: Ground, id: string, { path, git, gitFile }: NestedRecord): void {
  const workTree = join(ground.root, path);
  const before = git === null ? null : manifest(ground, git);
  const copy = join(nestedVault(ground, path), "copy");
  const aside = join(asideFolder(ground, id), "rebuilt", path.replaceAll("/", "_"));
  rebuildNested(ground, workTree, gitFile, before, copy, aside);
  if (before === null) return;
  fillAll(before, copy, join(workTree, ".git")); // Another repository in its place may lack this one's objects.
  const now = captureGitFiles(ground.vault, join(workTree, ".git"));
  const all = [...new Set([...Object.keys(before.files), ...Object.keys(now.files)])];
  for (const file of all.filter((name) => !sameFile(before.files[name], now.files[name])))
    putBackGitFile(ground.vault, join(workTree, ".git"), file, before.files[file]);
}

async function restoreNested(ground: Ground, id: string, nested: NestedRecord): Promise<void> {
  const { path, tree } = nested;
  putBackDotGit(ground, id, nested);
  if (tree === null) return;
  const area = nestedArea(ground, path);
  const current = (await snapshot(ground, area, Number.MAX_SAFE_INTEGER)).tree;
  const keep = (found: TreeId) => keepFound(ground, id, { prefix: `${path}/`, tree: found }, tree);
  await keep(current);
  await makeEqual(ground, area, current, tree, keep);
}

/** Empty folders are in no tree. Those newer than the checkpoint, or emptied since, are an agent's. */
async function removeEmptyFolders(ground: Ground, since: number): Promise<void> {
  for (let round = 0; round < 64; round++) {
    const listed = await ground.git(
      ["ls-files", "--others", "--directory", "--exclude-standard", "-z"],
      onFolder(ground, ground.root, ground.vault.index),
    );
    const dirs = fields(listed)
      .filter((path) => path.endsWith("/"))
      .map((path) => join(ground.root, path));
    const removed = dirs.filter((dir) => isYoung(dir, since) && removeEmpty(dir));
    if (removed.length === 0) return;
  }
}

const isYoung = (dir: string, since: number): boolean => (lstatIfExists(dir)?.mtimeMs ?? 0) >= since;

/** Removes a folder that contains only empty folders. */
function removeEmpty(dir: string): boolean {
  const inside = fs.readdirSync(dir, { withFileTypes: true });
  if (!inside.every((entry) => entry.isDirectory() && entry.name !== ".git" && removeEmpty(join(dir, entry.name))))
    return false;
  fs.rmdirSync(dir);
  return true;
}
