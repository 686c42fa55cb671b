// Where holds are kept. Light: every stop of every session of claude on this machine may come by here.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { isPlainName } from "../core/ids.ts";
import { lstatIfExists } from "../host/disk.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { vaultDirFor, vaultsDir } from "../workspace/vault.ts";

/** Beside the vaults. The name of a file is the session's: whose a hold is can be known when it cannot be read. */
const holdsDir = (): string => join(vaultsDir(), "hooks");
export const activeDir = (): string => join(holdsDir(), "active");
export const brokenDir = (): string => join(holdsDir(), "broken");
export const activeFile = (session: string): string => join(activeDir(), `${session}.json`);

/** A hold that was begun in a shell: the first session that is seen in the workspace takes it. */
export const waitingFile = (root: string): string => join(holdsDir(), "waiting", `${basename(vaultDirFor(root))}.json`);
export const endedDir = (root: string): string => join(vaultDirFor(root), "hook", "ended");

/**
 * The hold of a session, or null. Looked up by the session alone: an agent that changes its folder takes it along.
 * `folder` is where the session was started.
 */
export function holdOf(session: string, folder: string): string | null {
  if (!isPlainName(session)) return null;
  const file = activeFile(session);
  if (isThere(file)) return file;
  if (!isThere(join(holdsDir(), "waiting")) || !isThere(folder)) return null;
  const waiting = waitingFile(nearestWorkspace(folder));
  if (!isThere(waiting)) return null;
  fs.mkdirSync(activeDir(), { recursive: true, mode: 0o700 });
  try {
    fs.renameSync(waiting, file);
    return file;
  } catch {
    return null; // Another session was quicker, and it is theirs.
  }
}

export const mirrorPath = ".loop/hook/state.json";

/** The workspace in which a copy says that this session is held; null: none does. A hint, never more: anyone can write it. */
export function saysHeld(session: string, folder: string): string | null {
  if (!isPlainName(session) || !isThere(folder)) return null;
  const root = nearestWorkspace(folder);
  try {
    const { session: named } = JSON.parse(fs.readFileSync(join(root, mirrorPath), "utf8")) as { session?: unknown };
    return named === session ? root : null;
  } catch {
    return null;
  }
}

/** Something is there, whatever it is: a folder where a file should be is no reason to look away. */
const isThere = (path: string): boolean => lstatIfExists(path) !== undefined;
