// Makes the files of the folder match a tree, without touching the repository. Replaced files are kept first.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import type { TreeId } from "../../../core/ids.ts";
import type { Change, Restored, SetOptions } from "../../workspace.ts";
import type { Ground } from "../ground.ts";
import { changes } from "../store/compare.ts";
import { entries } from "../store/stored-trees.ts";
import { writeOut } from "../store/write-out.ts";
import { firstObstacle, treeOfPaths } from "./bring-back.ts";
import { moveAside } from "./move-aside.ts";
import { addToQuarantine, asideFolder, setAside } from "./quarantine.ts";
import { type CommitForm, commitForm } from "./tree.ts";

const roundsMax = 6;

/**
 * Compares what a commit of the folder would contain, so that a file that git converts is not rewritten if it is the
 * same to git. A restored rule file can reveal files that another had hidden: then there is another round.
 */
export async function setFiles(
  ground: Ground,
  tree: TreeId,
  { why, except, only }: SetOptions,
  committed: TreeId | null = null,
): Promise<Restored> {
  const touched = new Set<string>();
  let id: string | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const now = await commitForm(ground);
    const all = await differing(ground, now.commitTree, tree, except);
    const differ = only === undefined ? all : all.filter(({ path }) => only.has(path));
    if (differ.length === 0) return { tree, quarantine: id, files: [...touched].sort() };
    for (const { path } of differ) touched.add(path);
    // What a commit has is not lost when it is replaced.
    if (committed === null || (await isUnlike(ground, committed, now, differ)))
      id = await keep(ground, id, why, now, differ, except);
    await replace(ground, tree, differ, id);
  }
  throw new Bug(`the folder ${ground.root} could not be made equal to ${tree}`);
}

/** Skips nested repositories: a link to one cannot be written as a file. */
async function differing(
  ground: Ground,
  now: TreeId,
  tree: TreeId,
  except: ReadonlySet<string> | undefined,
): Promise<Change[]> {
  const found = (await changes(ground, now, tree)).filter(({ path }) => except?.has(path) !== true);
  if (found.length === 0) return [];
  const links = new Set<string>();
  for (const side of [now, tree])
    for (const { type, path } of await entries(ground, side)) if (type === "commit") links.add(path);
  return found.filter(({ path }) => !links.has(path));
}

/** Whether one of these files differs from a tree, or something that is in no tree is in its way. */
async function isUnlike(
  ground: Ground,
  committed: TreeId,
  now: CommitForm,
  differ: readonly Change[],
): Promise<boolean> {
  const unlike = new Set((await changes(ground, committed, now.commitTree)).map(({ path }) => path));
  return differ.some(({ path }) => unlike.has(path)) || hiddenBy(ground, now, differ).length > 0;
}

function hiddenBy(ground: Ground, now: CommitForm, differ: readonly Change[]): string[] {
  const inTheWay = differ.flatMap(({ path }) => firstObstacle(ground.root, path)?.slice(ground.root.length + 1) ?? []);
  return [...new Set(inTheWay)].filter((path) => !now.paths.includes(path));
}

async function keep(
  ground: Ground,
  id: string | null,
  why: string,
  now: CommitForm,
  differ: readonly Change[],
  except: ReadonlySet<string> = new Set(),
): Promise<string> {
  const hidden = hiddenBy(ground, now, differ);
  const paths = [...new Set([...differ.map(({ path }) => path), ...hidden])];
  const trees = [
    ...(hidden.length === 0 ? [] : [{ prefix: "", tree: await treeOfPaths(ground, ground.root, hidden) }]),
    { prefix: "", tree: now.tree },
  ];
  if (id === null) return setAside(ground, { why, paths, trees, except: [...except] });
  await addToQuarantine(ground, id, { trees, paths });
  return id;
}

async function replace(ground: Ground, tree: TreeId, differ: readonly Change[], id: string | null): Promise<void> {
  for (const { path, kind } of differ) {
    const at = firstObstacle(ground.root, path);
    if (at === null) continue;
    const isFolder = fs.lstatSync(at).isDirectory();
    // A folder in place of a file may contain ignored files, which no tree keeps.
    if (isFolder || at !== join(ground.root, path)) {
      if (id === null) throw new Bug(`${at} was in the way of a file, and was not kept`);
      moveAside(at, join(asideFolder(ground, id), "in-the-way", path));
    } else if (kind === "deleted") fs.rmSync(at, { force: true });
    if (kind === "deleted") removeEmptyAbove(ground.root, path);
  }
  const wanted = new Set(differ.filter(({ kind }) => kind !== "deleted").map(({ path }) => path));
  const files = (await entries(ground, tree)).filter(({ path, type }) => type === "blob" && wanted.has(path));
  await writeOut(ground, ground.root, files);
}

function removeEmptyAbove(root: string, path: string): void {
  for (let at = dirname(path); at !== "." && at !== ""; at = dirname(at)) {
    try {
      fs.rmdirSync(join(root, at));
    } catch {
      return; // Not empty, or already gone.
    }
  }
}
