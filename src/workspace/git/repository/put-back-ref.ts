// Restores a ref by git's rules for its files: lock, compare, rename.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { isErrno, lstatIfExists, readIfExists } from "../../../host/disk.ts";

/** A ref that an agent moved: its current value and the one to restore; null means that the ref does not exist. */
export type RefChange = { name: string; from: string | null; to: string | null };

/**
 * Writes the files directly, not by `git update-ref`: an agent can leave names and contents that git refuses to touch.
 * Removals come first, because `a` and `a/b` cannot both be refs.
 */
export function putBackRefs(commonDir: string, changes: readonly RefChange[]): void {
  const removals = changes.filter(({ to }) => to === null);
  for (const change of removals) locked(commonDir, change, () => remove(commonDir, change.name));
  for (const { name } of removals) pruneEmpty(commonDir, dirname(name));
  for (const change of changes) if (change.to !== null) write(commonDir, change, change.to);
}

function write(commonDir: string, change: RefChange, to: string): void {
  const path = join(commonDir, change.name);
  removeEmptyTree(path);
  fs.mkdirSync(dirname(path), { recursive: true });
  locked(commonDir, change, (lock) => {
    fs.writeFileSync(lock, `${to}\n`);
    const fd = fs.openSync(lock, "r");
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    fs.renameSync(lock, path);
  });
}

function locked(commonDir: string, change: RefChange, act: (lock: string) => void): void {
  const lock = join(commonDir, `${change.name}.lock`);
  fs.mkdirSync(dirname(lock), { recursive: true });
  try {
    fs.closeSync(fs.openSync(lock, "wx", 0o644));
  } catch (error) {
    if (isErrno(error, "EEXIST")) throw busy(change.name, "another git command has it locked");
    throw error;
  }
  try {
    if (current(commonDir, change.name) !== change.from) throw busy(change.name, "it was moved meanwhile");
    act(lock);
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

const busy = (name: string, why: string): UserError =>
  new UserError("ref-busy", {
    what: `The ref ${name} was not put back.`,
    why: `Somebody else works in this repository: ${why}.`,
    next: "Wait until it is done, then run: loop continue",
  });

function current(commonDir: string, name: string): string | null {
  const loose = lstatIfExists(join(commonDir, name));
  if (loose !== undefined && !loose.isDirectory())
    return loose.isFile() ? (readIfExists(join(commonDir, name))?.trim() ?? null) : "broken";
  const packed = (readIfExists(join(commonDir, "packed-refs")) ?? "")
    .split("\n")
    .find((line) => line.endsWith(` ${name}`));
  return packed?.split(" ")[0] ?? null;
}

function remove(commonDir: string, name: string): void {
  const packed = join(commonDir, "packed-refs");
  const lines = (readIfExists(packed) ?? "").split("\n");
  const kept = lines.filter(
    (line, at) => !line.endsWith(` ${name}`) && !(line.startsWith("^") && lines[at - 1]?.endsWith(` ${name}`)),
  );
  if (kept.length !== lines.length) {
    fs.writeFileSync(`${packed}.lock`, kept.join("\n"), { flag: "wx", mode: 0o644 });
    fs.renameSync(`${packed}.lock`, packed);
  }
  fs.rmSync(join(commonDir, name), { force: true });
}

function pruneEmpty(commonDir: string, dir: string): void {
  for (let at = dir; at.split("/").length > 2; at = dirname(at)) {
    try {
      fs.rmdirSync(join(commonDir, at));
    } catch {
      return; // Not empty, or already gone.
    }
  }
}

function removeEmptyTree(path: string): void {
  if (!lstatIfExists(path)?.isDirectory()) return;
  for (const name of fs.readdirSync(path)) removeEmptyTree(join(path, name));
  fs.rmdirSync(path);
}
