// Makes the folder and the repository exactly what a checkpoint recorded. Everything that was there is kept first.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import type { Checkpoint, Restored } from "../workspace.ts";
import { firstObstacle, treeOfPaths } from "./bring-back.ts";
import { type CheckpointRecord, keepNested, manifest, mustLoad, type NestedRecord } from "./checkpoint.ts";
import { changes } from "./compare.ts";
import { fields } from "./git.ts";
import { captureGitFiles, putBackGitFile, sameFile } from "./git-files.ts";
import { type Ground, onFolder } from "./ground.ts";
import { makeEqual } from "./make-equal.ts";
import { moveAside } from "./move-aside.ts";
import { addToQuarantine, asideFolder, newQuarantineId, setAside } from "./quarantine.ts";
import { rebuildNested } from "./rebuild.ts";
import { beforeOf, repair } from "./repair.ts";
import { nestedArea, nestedVault, type Snapshot, snapshot, topArea } from "./snapshot.ts";

export async function restore(ground: Ground, to: Checkpoint, why: string): Promise<Restored> {
  const record = mustLoad(ground, to);
  const now = await snapshot(ground);
  const nestedNow = await keepNested(ground, now.nested);
  const files = await differingPaths(ground, record, now, nestedNow);
  const blocking = await obstacles(ground, record.raw, now);
  const id = newQuarantineId();
  const isSame = files.length + blocking.length === 0;
  if (!isSame) await keepAll(ground, id, why, now, nestedNow, files, blocking);
  if (!isSame) {
    moveBlocking(ground, id, blocking);
    dissolveNew(ground, id, record, nestedNow);
    const keep = (tree: TreeId) => addToQuarantine(ground, id, { prefix: "", tree });
    const current = (await snapshot(ground)).tree;
    if (current !== now.tree) await keep(current);
    await makeEqual(ground, topArea(ground), current, record.raw, keep);
    for (const nested of record.nested) await restoreNested(ground, id, nested);
    await removeEmptyFolders(ground, record.at);
  }
  const before = beforeOf(ground, record);
  const repaired =
    before === null || record.repo === null
      ? null
      : await repair(ground, record, record.repo, before, { why, exact: true });
  return { tree: to.tree, quarantine: isSame ? (repaired?.quarantine ?? null) : id, files };
}

async function differingPaths(
  ground: Ground,
  record: CheckpointRecord,
  now: Snapshot,
  nestedNow: readonly NestedRecord[],
): Promise<string[]> {
  const found = (await changes(ground, now.tree, record.raw)).map(({ path }) => path);
  const empty = await treeOfPaths(ground, ground.root, []);
  const paths = new Set([...record.nested, ...nestedNow].map(({ path }) => path));
  for (const path of paths) {
    const [then, at] = [record.nested, nestedNow].map((list) => list.find((nested) => nested.path === path));
    const differs = await changes(ground, at?.tree ?? empty, then?.tree ?? empty);
    found.push(...differs.map((change) => `${path}/${change.path}`));
    if (at?.git !== then?.git || at?.gitFile !== then?.gitFile) found.push(`${path}/.git`);
  }
  return [...new Set(found)].sort();
}

/** Things on the way of the tree's files that are not part of the snapshot: ignored files, and folders with such in them. */
async function obstacles(ground: Ground, tree: TreeId, now: Snapshot): Promise<string[]> {
  const present = new Set(now.paths);
  const wanted = (await changes(ground, now.tree, tree)).filter(({ kind }) => kind !== "deleted");
  const found = wanted.map(({ path }) => firstObstacle(ground.root, path)?.slice(ground.root.length + 1));
  return [...new Set(found.filter((path) => path !== undefined && !present.has(path)))].filter(
    (path) => path !== undefined,
  );
}

async function keepAll(
  ground: Ground,
  id: string,
  why: string,
  now: Snapshot,
  nested: readonly NestedRecord[],
  paths: readonly string[],
  blocking: readonly string[],
): Promise<void> {
  const hidden = blocking.length === 0 ? [] : [{ prefix: "", tree: await treeOfPaths(ground, ground.root, blocking) }];
  await setAside(ground, { why, paths, nested, trees: [...hidden, { prefix: "", tree: now.tree }] }, id);
}

function moveBlocking(ground: Ground, id: string, blocking: readonly string[]): void {
  for (const [at, path] of blocking.entries())
    moveAside(join(ground.root, path), join(asideFolder(ground, id), "in-the-way", String(at)));
}

// Without its `.git` a repository that the agent made is a plain folder, and is dealt with as one.
function dissolveNew(ground: Ground, id: string, record: CheckpointRecord, nestedNow: readonly NestedRecord[]): void {
  const known = new Set(record.nested.map(({ path }) => path));
  for (const [at, { path }] of nestedNow.entries())
    if (!known.has(path))
      moveAside(join(ground.root, path, ".git"), join(asideFolder(ground, id), "nested", `${at}.git`));
}

async function restoreNested(ground: Ground, id: string, { path, tree, git, gitFile }: NestedRecord): Promise<void> {
  const workTree = join(ground.root, path);
  const before = git === null ? null : manifest(ground, git);
  const copy = join(nestedVault(ground, path), "copy");
  rebuildNested(
    ground,
    workTree,
    gitFile,
    before,
    copy,
    join(asideFolder(ground, id), "rebuilt", path.replaceAll("/", "_")),
  );
  if (before !== null) {
    const now = captureGitFiles(ground.vault, join(workTree, ".git"));
    for (const file of new Set([...Object.keys(before.files), ...Object.keys(now.files)]))
      if (!sameFile(before.files[file], now.files[file]))
        putBackGitFile(ground.vault, join(workTree, ".git"), file, before.files[file]);
  }
  if (tree === null) return;
  const area = nestedArea(ground, path);
  const prefix = `${path}/`;
  const current = (await snapshot(ground, area, Number.MAX_SAFE_INTEGER)).tree;
  await addToQuarantine(ground, id, { prefix, tree: current });
  await makeEqual(ground, area, current, tree, (found) => addToQuarantine(ground, id, { prefix, tree: found }));
}

/** Empty folders are in no tree. Those that are younger than the checkpoint, or were emptied since, are an agent's. */
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

const isYoung = (dir: string, since: number): boolean =>
  (fs.lstatSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;

/** Removes a folder that has nothing but empty folders in it. */
function removeEmpty(dir: string): boolean {
  const inside = fs.readdirSync(dir, { withFileTypes: true });
  if (!inside.every((entry) => entry.isDirectory() && entry.name !== ".git" && removeEmpty(join(dir, entry.name))))
    return false;
  fs.rmdirSync(dir);
  return true;
}
