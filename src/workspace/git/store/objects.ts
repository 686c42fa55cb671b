// A second copy of a repository's objects, file by file: they never change, so only missing ones are copied.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import { ensureDir, isErrno, lstatIfExists, readIfExists, writeAtomic } from "../../../host/disk.ts";
import { makeRealDirs } from "../repository/git-files.ts";

const looseMax = 512 * 1024 * 1024;
const isLoose = /^[0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const isPackFile = /^pack\/pack-[0-9a-f]+\.(?:pack|idx|promisor)$/;

export type Copied = {
  /** Packs without an index. */
  packs: readonly string[];
  forged: readonly string[];
  /** A repack removed files during the copy, so their content is now in a file that was not listed. */
  vanished: boolean;
};

/**
 * Copies the missing files to `to` from a folder named `objects` (or any other bulk folder of a git folder). Git trusts
 * the names of loose objects and the indexes of packs, and an agent can write both. So a loose object is compared with
 * its name, and, unless no agent has had access to the repository yet (`trusted`), a pack is copied without its index:
 * the caller lets git build one.
 */
export function copyObjects(from: string, to: string, trusted: boolean): Copied {
  ensureDir(to);
  const isObjects = from.endsWith("/objects");
  const packs: string[] = [];
  const forged: string[] = [];
  let vanished = false;
  // An index makes a pack visible, so copy it after its pack.
  const names = filesIn(from).sort((one, other) => Number(one.endsWith(".idx")) - Number(other.endsWith(".idx")));
  for (const name of names) {
    if (isObjects && !isLoose.test(name) && !isPackFile.test(name)) continue;
    if (isObjects && name.endsWith(".idx") && !trusted) continue;
    const isPack = isObjects && name.endsWith(".pack");
    if (isPack && !trusted && !fs.existsSync(join(to, name.replace(/pack$/, "idx")))) packs.push(name);
    if (sameSize(join(from, name), join(to, name))) continue;
    if (isObjects && isLoose.test(name) && !isTrueObject(join(from, name), name, trusted)) forged.push(name);
    else if (!copyOne(from, to, name)) vanished = true;
  }
  if (isObjects && trusted) copyAlternates(from, to);
  return {
    packs,
    forged: forged.filter((name) => fs.existsSync(join(from, name))),
    vanished: vanished || forged.some((name) => !fs.existsSync(join(from, name))),
  };
}

/** Files of `kept` that are missing in `at` or have another size: damaged or removed. */
export function missingObjects(kept: string, at: string): string[] {
  return filesIn(kept).filter((name) => name !== "info/alternates" && !sameSize(join(kept, name), join(at, name)));
}

/** Restores named files in a repository. Never writes through a link. */
export function fillObjects(kept: string, at: string, names: readonly string[]): void {
  fs.mkdirSync(at, { recursive: true });
  for (const name of names) {
    makeRealDirs(at, dirname(name));
    replaceBy(join(kept, name), join(at, name), 0o444);
  }
}

function copyOne(from: string, to: string, name: string): boolean {
  ensureDir(dirname(join(to, name)));
  return replaceBy(join(from, name), join(to, name), 0o400);
}

function replaceBy(source: string, target: string, mode: number): boolean {
  // Runs in several worktrees share one copy.
  const beside = `${target}.${process.pid}.tmp`;
  try {
    fs.rmSync(beside, { force: true });
    fs.copyFileSync(source, beside, fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(beside, mode);
    fs.renameSync(beside, target);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false; // The person's own repack removed it meanwhile.
    throw error;
  }
}

// An unreadable file is not necessarily forged: it may be the person's only copy. But an agent may have locked its own.
const machines = ["EIO", "EMFILE", "ENFILE", "ENOMEM"];
const machinesOrThePersons = [...machines, "EACCES", "EPERM"];

function isTrueObject(path: string, name: string, trusted: boolean): boolean {
  try {
    if (fs.lstatSync(path).size > looseMax) return true;
    const id = name.replace("/", "");
    const bytes = inflateSync(fs.readFileSync(path));
    return (
      createHash(id.length === 40 ? "sha1" : "sha256")
        .update(bytes)
        .digest("hex") === id
    );
  } catch (error) {
    if ((trusted ? machinesOrThePersons : machines).some((code) => isErrno(error, code))) throw error;
    return false;
  }
}

// A repository may borrow objects from another by a path relative to itself; our copy is elsewhere.
function copyAlternates(from: string, to: string): void {
  const text = readIfExists(join(from, "info", "alternates"));
  const path = join(to, "info", "alternates");
  const absolute = (text ?? "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => resolve(from, line));
  ensureDir(dirname(path));
  if (absolute.length === 0) fs.rmSync(path, { force: true });
  else writeAtomic(path, `${absolute.join("\n")}\n`);
}

function sameSize(one: string, other: string): boolean {
  const size = (path: string) => {
    const stat = lstatIfExists(path);
    return stat?.isFile() ? stat.size : -1;
  };
  return size(one) === size(other);
}

function filesIn(dir: string): string[] {
  const found: string[] = [];
  const walk = (inside: string) => {
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(join(dir, inside), { withFileTypes: true });
    } catch (error) {
      if (isErrno(error, "ENOENT")) return;
      throw error;
    }
    // A repack writes a pack before it removes the packed files, so list packs last to miss nothing.
    for (const entry of entries.sort((one, other) => Number(one.name === "pack") - Number(other.name === "pack"))) {
      if (entry.isDirectory()) walk(`${inside}${entry.name}/`);
      else if (entry.isFile() && !/^\.complete$|^tmp_|\.tmp$/.test(entry.name)) found.push(inside + entry.name);
    }
  };
  walk("");
  return found;
}
