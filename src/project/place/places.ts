// Where a run works if not in the person's folder: a worktree with its own branch, lock and vault. The note about it is in
// the vault of the person's folder.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type CommitId, isPlainName } from "../../core/ids.ts";
import { placeFile } from "../../formats/kept/vault-files.ts";
import { ensureDir, isErrno, readIfExists, writeAtomic } from "../../host/disk.ts";
import { acquireLock, type Holder, type Lock, whoHolds } from "../../host/lock/lock.ts";
import { removeTree } from "../../host/remove-tree.ts";
import type { BroughtRecords, Worktree } from "../../report/worktree.ts";
import { rootOfVault, vaultDirFor, vaultsDir } from "../../workspace/vault.ts";
import { locksDir, lockWorkspace } from "./lock.ts";
import { whoDrives } from "./who-drives.ts";

export type PlaceNote = {
  /** The run that it was made for. */
  readonly run: string;
  readonly branch: string;
  /** The person's branch that it was made from; null: HEAD was detached. */
  readonly onto: string | null;
  readonly base: CommitId;
  /** Hashes of the inputs as they were last copied from the person's folder; null: there was no such file. */
  readonly taken: Readonly<Record<string, string | null>>;
  /** `kept`: uncommitted files of the person's that landing left as they are. */
  readonly landed: { readonly commit: CommitId; readonly at: number; readonly kept?: readonly string[] } | null;
  /** Why it has not landed by itself. */
  readonly left: string | null;
  /** Left out: `loop land`. By a merge of the person's, once landing met lines that both had changed. */
  readonly landsBy?: Exclude<Worktree["landsBy"], "land"> | undefined;
  /** Uncommitted files of the person's that landing would overwrite. */
  readonly inTheWay?: readonly string[] | undefined;
  /** What became of the records of a run that ended without landing. */
  readonly records?: BroughtRecords | undefined;
};
export type Place = PlaceNote & {
  readonly name: string;
  /** The person's folder, and its vault. */
  readonly project: string;
  readonly above: string;
  /** The worktree, and its own vault. */
  readonly root: string;
  readonly vault: string;
};

const placesDir = (above: string): string => join(above, "places");
const notePath = (above: string, name: string): string => join(placesDir(above), name, "place.json");
const worktreesDir = (): string => join(vaultsDir(), "worktrees");

/** A place that has no note yet. */
export function newPlace(project: string, name: string, note: PlaceNote): Place {
  const above = vaultDirFor(project);
  return { ...note, name, project, above, root: rootAt(above, name), vault: join(placesDir(above), name, "vault") };
}

const rootAt = (above: string, name: string): string => join(worktreesDir(), basename(above), `loop-${name}`);

/** Every folder where runs of this project work: the person's, and the worktrees. */
export const rootsOf = (project: string): readonly string[] => [
  project,
  ...listPlaces(project).map((name) => rootAt(vaultDirFor(project), name)),
];

export function writePlace(place: Place): void {
  const { run, branch, onto, base, taken, landed, left, landsBy, inTheWay, records } = place;
  ensureDir(join(placesDir(place.above), place.name));
  const note = { version: 1, run, branch, onto, base, taken, landed, left, landsBy, inTheWay, records };
  writeAtomic(notePath(place.above, place.name), `${JSON.stringify(note, null, 2)}\n`);
}

export function readPlace(project: string, name: string): Place | null {
  if (!isPlainName(name)) return null;
  const path = notePath(vaultDirFor(project), name);
  const text = readIfExists(path);
  if (text === null) return null;
  const { version: _, ...note } = placeFile.mustParse<PlaceNote & { version: 1 }>(text, path);
  return newPlace(project, name, note);
}

/** The place that a run was begun in. Without its note, nothing of the run may happen: not in the person's folder either. */
export function placeOfRun(project: string, run: string, name: string): Place {
  const place = readPlace(project, name);
  if (place !== null) return place;
  throw new UserError("worktree-gone", {
    what: `The worktree of run ${run} is unknown.`,
    why: `It works in the worktree loop-${name}, and the note about that is missing: ${notePath(vaultDirFor(project), name)}`,
    next: `Restore the file, or start a new run. What it has committed: git log loop/${name}`,
  });
}

/** False: the name is taken. */
export function reserve({ above, name }: Place): boolean {
  ensureDir(placesDir(above));
  try {
    fs.mkdirSync(join(placesDir(above), name), { mode: 0o700 });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

export function listPlaces(project: string): string[] {
  const dir = placesDir(vaultDirFor(project));
  return fs.existsSync(dir) ? fs.readdirSync(dir).sort() : [];
}

export const forgetPlace = ({ above, name }: Place): void => removeTree(join(placesDir(above), name));

/** By its path, so that the lock is the same when the worktree has been removed. */
const keyOf = (place: Place) => ({ dir: locksDir(place.project), key: place.root });
export const lockPlace = (place: Place, about: string, steal = false): Promise<Lock> =>
  acquireLock({ ...keyOf(place), about, steal });

/** The lock of where a run works. */
export const lockAt = (root: string, place: Place | null, about: string, steal = false): Promise<Lock> =>
  place === null ? lockWorkspace(root, about, steal) : lockPlace(place, about, steal);
export const whoDrivesAt = (root: string, place: Place | null): Promise<Holder | null> =>
  place === null ? whoDrives(root) : whoHolds(keyOf(place));

/** The person's folder of a worktree that the loop made; any other folder is its own. */
export function projectOf(root: string): string {
  if (dirname(dirname(root)) !== realOr(worktreesDir())) return root;
  return rootOfVault(join(vaultsDir(), basename(dirname(root)))) ?? root;
}

function realOr(path: string): string {
  return fs.existsSync(path) ? fs.realpathSync(path) : path;
}
