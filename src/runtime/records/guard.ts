// Protects the loop's own files: an edit while the loop works is undone and kept, never accepted.
import { UserError } from "../../core/errors.ts";
import { recordEdited, type Violation } from "../../core/event.ts";
import type { TreeId } from "../../core/ids.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import type { Ports, RunFiles, WorkspaceDisk } from "../ports.ts";
import { featuresPath, featuresSource, guardedPaths, inputPaths, isQueue } from "./paths.ts";

const place = (path: string): string => `known/${path}`;

/** The known content of a guarded file; null: no such file. */
export function known(files: RunFiles, path: string): string | null {
  return files.read(place(path));
}

export function remember(files: RunFiles, path: string, text: string): void {
  files.write(place(path), text, "derived");
}

/** Whether the workspace's file has exactly this content. Null: whether it does not exist. */
export const holds = (disk: Pick<WorkspaceDisk, "read">, path: string, text: string | null): boolean =>
  disk.read(path) === text;

/** Accepts the files as they are. Only valid if no agent has worked since the loop last looked. */
export function rememberAll(
  { disk, files }: { readonly disk: Pick<WorkspaceDisk, "read">; readonly files: RunFiles },
  recordsDir: string,
): void {
  for (const path of guardedPaths(recordsDir)) {
    const was = known(files, path);
    if (was !== null && holds(disk, path, was)) continue;
    const text = disk.read(path);
    if (text === null) continue;
    if (was !== null && path === featuresPath(recordsDir)) adoptQueue(files, path, text);
    remember(files, path, text);
  }
}

/** Statuses are written into a person's new queue from now on; observing it makes it part of the contract. */
function adoptQueue(files: RunFiles, path: string, text: string): void {
  try {
    parseFeaturesJson(text, path);
    files.write(featuresSource, text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // The edit is invalid and the loop overwrites it, so a copy of the person's text is kept.
    setAside(files, path, text);
  }
}

type Edited = Violation & { readonly kind: typeof recordEdited };

/**
 * Undoes edits made while the loop worked. They may be an agent's or a person's, so the edited content is kept first,
 * `loop recover` lists it, and no one is blamed.
 */
export function repairGuarded({ disk, files }: Pick<Ports, "disk" | "files">, recordsDir: string): Edited[] {
  const violations: Edited[] = [];
  for (const path of guardedPaths(recordsDir)) {
    const was = known(files, path);
    if (holds(disk, path, was)) continue;
    const is = disk.read(path);
    const kept = is === null ? null : setAside(files, path, is);
    disk.write(path, was);
    const what = is === null ? "deleted" : was === null ? "added" : "changed";
    const put = was === null ? "removed it" : "put it back";
    const how = isInput(path) ? " If you changed it, apply the change while the run is paused." : "";
    const where = kept === null ? "" : ` To see the change: loop recover ${kept}`;
    const told = `${path} was ${what} while the loop was at work; the loop ${put}.${how}${where}`;
    violations.push({ kind: recordEdited, what: told, grave: false });
  }
  return violations;
}

/**
 * The same after the loop itself has restored an earlier state: records that match that state are merely older, not
 * edited.
 */
export async function restoreGuarded(
  { disk, files, workspace }: Pick<Ports, "disk" | "files" | "workspace">,
  recordsDir: string,
  laid: TreeId,
): Promise<void> {
  for (const path of guardedPaths(recordsDir)) {
    const was = known(files, path);
    if (holds(disk, path, was)) continue;
    const older = (await workspace.read(laid, path))?.toString("utf8") ?? null;
    if (holds(disk, path, older)) disk.write(path, was);
  }
  repairGuarded({ disk, files }, recordsDir);
}

/** A file that people edit too, not only the loop. */
const isInput = (path: string): boolean => inputPaths.includes(path) || isQueue(path);

export const setAsideDir = "set-aside";
export const setAsideId = (hash: string): string => `s${hash}`;

/** Stored under its hash, so that a later one does not replace it. Returns the id that `loop recover` uses. */
function setAside(files: RunFiles, path: string, text: string): string {
  const hash = sha256(text).slice(0, 12);
  files.write(`${setAsideDir}/${hash}/${path}`, text);
  return setAsideId(hash);
}
