// Holds on disk: the authoritative file, the copy in the workspace, and the records of ended holds.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { endedHoldFile } from "../formats/kept/other-files.ts";
import { ensureDir, isErrno, writeAtomic } from "../host/disk.ts";
import { ignoreOurOwn } from "../project/place/ignore-own.ts";
import { workspaceDisk } from "../project/place/workspace-disk.ts";
import { type Hold, type HoldText, holdText, mirrorText, parseHold } from "./hold.ts";
import { activeDir, brokenDir, endedDir, mirrorPath, waitingFile } from "./places.ts";

export type Ending = "met" | "breaker" | "released";
export type Found = { readonly file: string; readonly session: string | null; readonly read: HoldText };

export function readHold(file: string): HoldText {
  try {
    return parseHold(fs.readFileSync(file, "utf8"));
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

export function writeHold(file: string, hold: Hold): void {
  ensureDir(dirname(file));
  writeAtomic(file, holdText(hold));
}

/** Rewritten whenever it differs. The agent's own edits to it are mentioned, and have no other effect. */
export function mirrorHold(file: string, hold: Hold): void {
  const disk = workspaceDisk(hold.root);
  const text = mirrorText(hold, sessionOf(file));
  ignoreOurOwn(disk);
  if (disk.read(mirrorPath) !== text) disk.write(mirrorPath, text);
}

/** Null: the copy is unchanged. */
export function whatBecameOfMirror(file: string, hold: Hold): "missing" | "edited" | null {
  const text = workspaceDisk(hold.root).read(mirrorPath);
  if (text === null) return "missing";
  // It may have been written before a session took the hold.
  return [sessionOf(file), null].some((session) => text === mirrorText(hold, session)) ? null : "edited";
}

/** The hold itself is removed last: if we are killed in between, it still exists and ends again. */
export function endHold(file: string, hold: Hold, ending: Ending, why: string): void {
  const dir = endedDir(hold.root);
  ensureDir(dir);
  const name = `${new Date().toISOString().replaceAll(/[-:.]/g, "")}-${basename(file)}`;
  writeAtomic(
    join(dir, name),
    `${JSON.stringify({ version: 1, ending, why, session: sessionOf(file), hold }, null, 2)}\n`,
  );
  removeMirror(hold.root);
  fs.rmSync(file, { force: true });
}

export function removeMirror(root: string): void {
  if (fs.existsSync(root)) workspaceDisk(root).write(mirrorPath, null);
}

/** Kept, whatever it contains. */
export function setBrokenAside(file: string): string {
  ensureDir(brokenDir());
  const to = join(brokenDir(), `${Date.now()}-${basename(file)}`);
  fs.renameSync(file, to);
  return to;
}

export type Ended = {
  readonly ending: Ending;
  readonly why: string;
  readonly session: string | null;
  readonly hold: Hold;
  readonly file: string;
};

type Stored = Pick<Ended, "ending" | "why" | "session"> & { readonly hold: unknown };

/** The last hold that ended here. */
export function lastEnded(root: string): Ended | null {
  for (const name of listed(endedDir(root)).sort().reverse()) {
    const file = join(endedDir(root), name);
    try {
      const kept = endedHoldFile.parseIfPossible<Stored>(fs.readFileSync(file, "utf8"));
      const read = kept === null ? null : parseHold(JSON.stringify(kept.hold));
      if (kept !== null && read?.ok === true) return { ...kept, hold: read.hold, file };
    } catch {
      // Skip an unreadable record.
    }
  }
  return null;
}

/** The holds of a workspace, and unreadable ones, since those may belong to it. */
export function holdsOf(root: string): Found[] {
  const active = listed(activeDir())
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(activeDir(), name));
  const waiting = waitingFile(root);
  const files = [...active, ...(fs.existsSync(waiting) ? [waiting] : [])];
  return files
    .map((file) => ({ file, session: file === waiting ? null : sessionOf(file), read: readHold(file) }))
    .filter(({ read }) => !read.ok || read.hold.root === root);
}

const sessionOf = (file: string): string | null =>
  dirname(file) === activeDir() ? basename(file).replace(/\.json$/, "") : null;

function listed(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
