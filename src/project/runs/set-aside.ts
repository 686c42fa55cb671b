// The loop's own inputs as edited while the loop worked: kept by the run, and listed with the quarantine.
import * as fs from "node:fs";
import { join, posix } from "node:path";
import { UserError } from "../../core/errors.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { ensureDir, isErrno, writeAtomic } from "../../host/disk.ts";
import { setAsideDir, setAsideId } from "../../runtime/records/guard.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { QuarantineEntry } from "../../workspace/workspace.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";
import { runDir } from "./home.ts";
import { listRuns } from "./list-runs.ts";

/** `in` is the folder of its run where such files are kept. */
type SetAside = QuarantineEntry & { readonly path: string; readonly from: string; readonly in: string };

/** One entry for each version of each file, oldest first. */
export function listSetAside(root: string): SetAside[] {
  const vault = vaultDirFor(root);
  const found = listRuns(root).flatMap((run) => entriesOf(join(runDir(vault, run), setAsideDir)));
  return found.sort((one, other) => one.at - other.at || one.id.localeCompare(other.id));
}

function entriesOf(dir: string): SetAside[] {
  return namesIn(dir).flatMap((hash) =>
    filesBelow(join(dir, hash)).map((path): SetAside => {
      const from = join(dir, hash, path);
      const at = fs.statSync(from).mtimeMs;
      const why = `${path}, changed while the loop was at work; to use it, bring it back while the run is paused`;
      return { id: setAsideId(hash), at, why, files: 1, path, from, in: dir };
    }),
  );
}

function filesBelow(dir: string): string[] {
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(dir, entry.name)).map((below) => posix.join(entry.name, below))
      : entry.isFile()
        ? [entry.name]
        : [],
  );
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

/** Undefined: there is no such entry. */
export const findSetAside = (root: string, id: string): SetAside | undefined =>
  listSetAside(root).find((entry) => entry.id === id);

/** Restores the file, or writes it below another folder. Returns its path. The file it replaces is kept as well. */
export function bringBackSetAside(root: string, entry: SetAside, to?: string): string {
  const { path } = entry;
  const text = fs.readFileSync(entry.from, "utf8");
  if (to === undefined) {
    const disk = workspaceDisk(root);
    const now = disk.read(path);
    if (now !== null && now !== text) keep(entry, now);
    disk.write(path, text);
    return path;
  }
  const there = join(to, path);
  if (fs.existsSync(there))
    throw new UserError("in-the-way", {
      what: "Nothing was brought back.",
      why: `${there} is there already.`,
      next: "Name another folder.",
    });
  fs.mkdirSync(join(there, ".."), { recursive: true });
  fs.writeFileSync(there, text, { flag: "wx" });
  return there;
}

function keep({ in: dir, path }: SetAside, text: string): void {
  const to = join(dir, sha256(text).slice(0, 12), path);
  ensureDir(join(to, ".."));
  writeAtomic(to, text);
}
