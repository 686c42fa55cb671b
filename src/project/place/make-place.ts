// Makes a worktree ready for a run: its branch, its files, the loop's inputs as the person has them, the dependencies.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { CommitId } from "../../core/ids.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { lstatIfExists } from "../../host/disk.ts";
import { layInstalled } from "../../proof/rooms/folder/lay-installed.ts";
import { removeAll } from "../../proof/rooms/places.ts";
import type { RoomTerms } from "../../proof/rooms/room.ts";
import { guardedPaths, notWork } from "../../runtime/records/paths.ts";
import {
  addWorktree,
  isWorktree,
  removeBranch,
  removeWorktree,
  tipOf,
} from "../../workspace/git/repository/worktree.ts";
import { openBranch, openWorkspace } from "../../workspace/open.ts";
import { openVault, prepareWorktreeVault } from "../../workspace/vault.ts";
import type { Texts } from "../config/read-once.ts";
import { forgetBeginning, hasBegun } from "../runs/begun.ts";
import {
  forgetPlace,
  listPlaces,
  newPlace,
  type Place,
  readPlace,
  reserve,
  whoDrivesAt,
  writePlace,
} from "./places.ts";
import { workspaceDisk } from "./workspace-disk.ts";

/** An empty folder for git, in the vault of the person's folder. */
export const gitHome = (place: Pick<Place, "above" | "project">): string => openVault(place.above, place.project).home;

/** A free name, close to the wanted one. It is reserved: another process that begins now gets another one. */
export async function freshPlace(
  project: string,
  wanted: string,
  about: Pick<Place, "run" | "onto" | "base" | "landsBy">,
): Promise<Place> {
  await sweepUnused(project);
  const plain = wanted === "held" ? "held-work" : wanted;
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    const place = newPlace(project, name, { ...about, branch: `loop/${name}`, taken: {}, landed: null, left: null });
    if (fs.existsSync(place.root) || (await tipOf(project, place.branch, gitHome(place))) !== null) continue;
    if (reserve(place)) return place;
  }
}

/** After a crash before the run had begun: a place that no run uses. */
async function sweepUnused(project: string): Promise<void> {
  for (const name of listPlaces(project)) {
    const place = readPlace(project, name);
    if (place === null || hasBegun(project, place.run) || (await whoDrivesAt(project, place)) !== null) continue;
    // It may have begun and ended since.
    if (hasBegun(project, place.run)) continue;
    forgetBeginning(project, place.run);
    await unmake(place);
  }
}

export async function unmake(place: Place): Promise<void> {
  removeWorktree(place.project, place.root);
  await removeBranch(place.project, place.branch, place.base, gitHome(place));
  forgetPlace(place);
}

/** The note comes first, so that a crash leaves nothing that the next start does not find. */
export async function makePlace(place: Place, terms: RoomTerms): Promise<void> {
  writePlace(place);
  await checkOutPlace(place, terms, place.base);
}

/** Makes the worktree again if a person has removed it. True if it was. */
export async function restorePlace(place: Place, terms: RoomTerms, head: CommitId | null): Promise<boolean> {
  if (isWorktree(place.project, place.root)) return false;
  const tip = await tipOf(place.project, place.branch, gitHome(place));
  const at = tip ?? head ?? place.landed?.commit ?? place.base;
  try {
    removeWorktree(place.project, place.root);
    await checkOutPlace(place, terms, at);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "worktree-not-made") throw error;
    throw new UserError("worktree-gone", {
      what: `The worktree of the run was removed: ${place.root}`,
      why: `It could not be made again. ${error.why}`,
      next: `git worktree prune, then: loop continue. What it has committed: git log ${place.branch}`,
    });
  }
  return true;
}

async function checkOutPlace(place: Place, terms: RoomTerms, at: CommitId): Promise<void> {
  const { project, above, root, vault, branch } = place;
  await addWorktree({ root: project, dir: root, branch, at }, gitHome(place));
  if (!fs.existsSync(vault)) prepareWorktreeVault(vault, { root: fs.realpathSync(root), project, above });
  await (await openBranch({ root, vaultDir: vault })).checkOut();
  await layInstalled({ project, vaultDir: above, commit: at, to: fs.realpathSync(root) }, terms);
}

/** Copies the loop's own inputs as the person has them. Only those that have changed since the last time. */
export function takeInputs(place: Place, recordsDir: string, texts: Texts): Place {
  const disk = workspaceDisk(place.root);
  const taken = { ...place.taken };
  for (const path of guardedPaths(recordsDir)) {
    const text = texts[path] ?? null;
    const hash = text === null ? null : sha256(text);
    if (path in taken && taken[path] === hash) continue;
    taken[path] = hash;
    // A configuration file may be a link, which is part of the commit.
    const isLink = lstatIfExists(join(place.root, path))?.isSymbolicLink() === true;
    if (!isLink && disk.read(path) !== text) disk.write(path, text);
  }
  const now = { ...place, taken };
  writePlace(now);
  return now;
}

/** Those of the inputs that are in the person's folder as the run took them: the run's version may replace them. */
export function untouchedInputs(place: Place): Set<string> {
  const disk = workspaceDisk(place.project);
  const isSame = ([path, hash]: [string, string | null]): boolean => {
    const text = disk.read(path);
    return (text === null ? null : sha256(text)) === hash;
  };
  return new Set(Object.entries(place.taken).flatMap((entry) => (isSame(entry) ? [entry[0]] : [])));
}

/** Removes the worktree. What is uncommitted in it goes to quarantine; the branch stays unless nothing is left on it. */
export async function dropPlace(place: Place, recordsDir: string): Promise<void> {
  const tip = await tipOf(place.project, place.branch, gitHome(place));
  if (tip !== null && isWorktree(place.project, place.root)) {
    const where = { root: place.root, vaultDir: place.vault };
    const tree = await (await openBranch(where)).treeOf(tip);
    const workspace = await openWorkspace({ ...where, kind: "git", resumed: true });
    const why = `it was left uncommitted in the worktree of ${place.branch}, which was removed`;
    await workspace.setFiles(tree, { why, except: notWork(recordsDir) });
  }
  removeWorktree(place.project, place.root);
  for (const folder of ["rooms", "scratch"]) removeAll(join(place.vault, folder));
  await removeBranch(place.project, place.branch, place.landed?.commit ?? place.base, gitHome(place));
}
