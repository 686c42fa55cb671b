// Removes what no proof, run or recovery needs any more: packages and checkouts for rooms that have not been used for long,
// raw output and checkpoints of runs that ended long ago, the vaults of worktrees that landed long ago, and what agents wrote over ignored
// files long ago. Journals, proofs, reports, replies and quarantine stay.
import * as fs from "node:fs";
import { join } from "node:path";
import { placeFile } from "../../formats/kept/vault-files.ts";
import { lstatIfExists, readIfExists, writeAtomic } from "../../host/disk.ts";
import { readState } from "../../proof/rooms/kept-state.ts";
import { preparePlaces, removeAll } from "../../proof/rooms/places.ts";
import { rootOfVault } from "../../workspace/vault.ts";
import type { PlaceNote } from "../place/places.ts";
import { layersDir } from "../walls/ignored-apart.ts";

const day = 24 * 3_600_000;
export const pruning = { ageMs: 30 * day, bytes: 2 ** 30, everyMs: day } as const;

export type Pruned = { readonly removed: number; readonly bytes: number };

/** At most once a day: sizes have to be counted file by file. The workspace is locked, and no run of it is driven. */
export function pruneVault(vault: string, isOver: (run: string) => boolean, now = Date.now()): Pruned | null {
  const stamp = join(vault, "pruned.json");
  const last = lstatIfExists(stamp)?.mtimeMs ?? 0;
  if (Math.abs(now - last) < pruning.everyMs) return null;
  const removed = [
    ...pruneLayers(vault, now),
    ...pruneRuns(vault, isOver, now),
    ...pruneLanded(vault, now),
    ...pruneApart(vault, now),
  ];
  const pruned = { removed: removed.length, bytes: removed.reduce((sum, bytes) => sum + bytes, 0) };
  writeAtomic(stamp, `${JSON.stringify({ version: 1, at: new Date(now).toISOString(), ...pruned })}\n`);
  fs.utimesSync(stamp, new Date(now), new Date(now));
  return pruned;
}

/** The sizes of what was removed. Layers of the last base and those used today stay: another command may use them. */
function pruneLayers(vault: string, now: number): readonly number[] {
  const places = preparePlaces(vault);
  const current = new Set((readState(places)?.layers ?? []).map(({ name }) => name.replace(/\/files$/, "")));
  const found = [places.kept, places.installed, places.trees, places.modules]
    .flatMap((folder) => foldersIn(folder).map((name) => join(folder, name)))
    .map((path) => ({ path, usedAt: fs.statSync(path).mtimeMs, bytes: sizeOf(path) }))
    .sort((one, other) => other.usedAt - one.usedAt);
  let kept = 0;
  return found.flatMap(({ path, usedAt, bytes }) => {
    const isNeeded = current.has(path.slice(places.dir.length + 1)) || now - usedAt < day;
    if (isNeeded || (now - usedAt < pruning.ageMs && kept + bytes <= pruning.bytes)) {
      kept += bytes;
      return [];
    }
    removeAll(path);
    return [bytes];
  });
}

/** What agents and checks printed in runs that ended long ago, and their checkpoints. A run that can be resumed needs both. */
function pruneRuns(vault: string, isOver: (run: string) => boolean, now: number): readonly number[] {
  const runs = join(vault, "runs");
  return foldersIn(runs).flatMap((run) => {
    const dir = join(runs, run);
    const journal = lstatIfExists(join(dir, "events.jsonl"));
    if (journal === undefined || now - journal.mtimeMs < pruning.ageMs || !isOver(run)) return [];
    const sessions = join(dir, "sessions");
    const printed = foldersIn(sessions).flatMap((session) =>
      fs
        .readdirSync(join(sessions, session))
        .filter((name) => /^std(?:out|err)-\d+$/.test(name))
        .map((name) => join(sessions, session, name)),
    );
    return [...printed, join(dir, "output"), join(dir, "seen"), ...checkpointsOf(vault, run)].flatMap((path) => {
      const bytes = sizeOf(path);
      if (bytes === 0) return [];
      removeAll(path);
      return [bytes];
    });
  });
}

/** The record of each, and the ref that names its tree. */
const checkpointsOf = (vault: string, run: string): readonly string[] =>
  ["checkpoints", "store.git/refs/checkpoints"].flatMap((folder) =>
    namesIn(join(vault, folder))
      .filter((name) => name.startsWith(`${run}.`))
      .map((name) => join(vault, folder, name)),
  );

/** Its commits are in the repository, where proofs find them. The note stays, so that its runs can still be read. */
function pruneLanded(vault: string, now: number): readonly number[] {
  const places = join(vault, "places");
  return foldersIn(places).flatMap((name) => {
    const own = join(places, name, "vault");
    const note = readIfExists(join(places, name, "place.json")) ?? "";
    const landed = placeFile.parseIfPossible<PlaceNote & { version: 1 }>(note)?.landed ?? null;
    if (landed === null || now - landed.at < pruning.ageMs || !fs.existsSync(own) || isInUse(own)) return [];
    const bytes = sizeOf(own);
    removeAll(own);
    return [bytes];
  });
}

/** What agents wrote over ignored files. Small files are in quarantine, too. */
function pruneApart(vault: string, now: number): readonly number[] {
  const stores = foldersIn(layersDir(vault)).map((name) => join(layersDir(vault), name));
  return stores.flatMap((store) => {
    if (now - fs.statSync(store).mtimeMs < pruning.ageMs) return [];
    removeAll(store);
    return [0]; // Not counted: an agent may have closed folders in it.
  });
}

/** A run that rests goes on in its worktree, and what was set aside can still be recovered. */
function isInUse(own: string): boolean {
  const root = rootOfVault(own);
  const quarantine = join(own, "quarantine");
  return (root !== null && fs.existsSync(root)) || (fs.existsSync(quarantine) && fs.readdirSync(quarantine).length > 0);
}

function foldersIn(path: string): readonly string[] {
  if (lstatIfExists(path)?.isDirectory() !== true) return [];
  return fs
    .readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

const namesIn = (path: string): readonly string[] =>
  lstatIfExists(path)?.isDirectory() === true ? fs.readdirSync(path) : [];

function sizeOf(path: string): number {
  const stat = lstatIfExists(path);
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  const names = fs.readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => {
    const inside = lstatIfExists(join(path, name));
    return sum + (inside?.isFile() === true ? inside.size : 0);
  }, 0);
}
