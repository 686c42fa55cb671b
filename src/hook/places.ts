// Where holds are stored. Light: every stop of every claude session on this machine may pass through here.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { isPlainName } from "../core/ids.ts";
import { lstatIfExists } from "../host/disk.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { vaultDirFor, vaultsDir } from "../workspace/vault.ts";

/** Next to the vaults. The file is named after the session, so that the owner of an unreadable hold is still known. */
const holdsDir = (): string => join(vaultsDir(), "hooks");
export const activeDir = (): string => join(holdsDir(), "active");
export const brokenDir = (): string => join(holdsDir(), "broken");
export const activeFile = (session: string): string => join(activeDir(), `${session}.json`);

/** A hold begun in a shell: the first session seen in the workspace takes it. */
export const waitingFile = (root: string): string => join(holdsDir(), "waiting", `${basename(vaultDirFor(root))}.json`);
export const endedDir = (root: string): string => join(vaultDirFor(root), "hook", "ended");

/**
 * The hold of a session, or null. Looked up by session only, so that it follows an agent into another folder. `folder`
 * is where the session was started.
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
    return null; // Another session was faster and has it.
  }
}

export const mirrorPath = ".loop/hook/state.json";

/**
 * The workspace whose copy says that this session is held; null: there is none. Only a hint, since anyone can write it.
 */
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

/** Any kind of entry counts: a folder in place of a file must not hide a hold. */
const isThere = (path: string): boolean => lstatIfExists(path) !== undefined;
