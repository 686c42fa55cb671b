// Everything in a git folder except its objects, stored by content: `.git` at a checkpoint, file by file.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import { ensureDir, isErrno, lstatIfExists, readBytesIfExists, statIfExists, writeAtomic } from "../../../host/disk.ts";
import type { Vault } from "../../vault.ts";

export type GitFile = { mode: number; hash: string; mtimeMs: number } | { link: string };
export type GitFiles = { files: Readonly<Record<string, GitFile>>; locks: readonly string[]; bulk: readonly string[] };

/** Copies every small file of a git folder to the vault. `bulk` names the folders that `objects.ts` copies instead. */
export function captureGitFiles(vault: Vault, gitDir: string): GitFiles {
  const files: Record<string, GitFile> = Object.create(null);
  const locks: string[] = [];
  const bulk: string[] = [];
  const walk = (dir: string) => {
    const entries = readDir(join(gitDir, dir));
    const isGitDir = entries.some(({ name }) => name === "HEAD") && !/^(?:refs|logs)\//.test(dir);
    for (const entry of entries) {
      const path = dir + entry.name;
      if (isGitDir && entry.isDirectory() && bulkNames.has(entry.name)) {
        bulk.push(path);
        take(vault, gitDir, `${path}/info/alternates`, files);
      } else if (entry.isDirectory()) walk(`${path}/`);
      else if (entry.name.endsWith(".lock")) locks.push(path);
      else take(vault, gitDir, path, files);
    }
  };
  walk("");
  return { files, locks, bulk };
}

// Nothing that git writes outside its object folders is this large; an agent could use such a file to fill memory.
const sizeMax = 1024 * 1024 * 1024;
const bulkNames = new Set(["objects", "lfs", "annex"]);

function readDir(path: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return [];
    throw error;
  }
}

function take(vault: Vault, gitDir: string, path: string, files: Record<string, GitFile>): void {
  const at = join(gitDir, path);
  const stat = lstatIfExists(at);
  if (stat?.isSymbolicLink()) files[path] = { link: fs.readlinkSync(at) };
  if (!stat?.isFile() || stat.size > sizeMax) return; // Sockets and pipes have no content.
  const bytes = readBytesIfExists(at);
  if (bytes !== null)
    files[path] = {
      mode: stat.mode & 0o777,
      hash: keepBytes(vault, bytes, path.endsWith(".sample") ? "soon" : "content"),
      mtimeMs: stat.mtimeMs,
    };
}

/**
 * Keeps bytes in the vault under their own hash. With "content", a power cut may lose the name, but the name never
 * refers to anything else. Names reach the disk in the order they were created, so a synced list of files, written
 * afterwards, guarantees the files too.
 */
export function keepBytes(vault: Vault, bytes: Uint8Array, synced: "soon" | "content" | "all" = "all"): string {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const path = keptAt(vault, hash);
  if (statIfExists(path)?.size === bytes.length) return hash;
  ensureDir(dirname(path));
  if (synced === "content") writeSynced(path, bytes);
  else writeAtomic(path, bytes, { durable: synced === "all" });
  return hash;
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const beside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const fd = fs.openSync(beside, "wx", 0o600);
  try {
    fs.writeFileSync(fd, bytes);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(beside, path);
}

const keptAt = (vault: Vault, hash: string): string => join(vault.gitFiles, hash.slice(0, 2), hash);

export function keptBytes(vault: Vault, hash: string): Buffer {
  const bytes = readBytesIfExists(keptAt(vault, hash));
  if (bytes === null || createHash("sha256").update(bytes).digest("hex") !== hash)
    throw new Bug(`the vault lost a file of .git: ${hash}`);
  return bytes;
}

export const textOf = (vault: Vault, file: GitFile | undefined): string | null =>
  file === undefined || "link" in file ? null : keptBytes(vault, file.hash).toString("utf8");

export const sameFile = (one: GitFile | undefined, other: GitFile | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other;
  if ("link" in one || "link" in other) return "link" in one && "link" in other && one.link === other.link;
  return one.hash === other.hash && (one.mode & 0o111) === (other.mode & 0o111);
};

/** Restores one file of a git folder; undefined removes it. Never writes through a link. */
export function putBackGitFile(vault: Vault, gitDir: string, path: string, file: GitFile | undefined): void {
  const at = join(gitDir, path);
  if (file === undefined) {
    if (hasRealFolder(gitDir, path)) removeWithFolders(gitDir, path);
    return;
  }
  makeRealDirs(gitDir, dirname(path));
  if (lstatIfExists(at)?.isDirectory()) fs.rmSync(at, { recursive: true });
  if ("link" in file) {
    fs.rmSync(at, { force: true });
    fs.symlinkSync(file.link, at);
    return;
  }
  writeAtomic(at, keptBytes(vault, file.hash), { mode: file.mode });
  fs.chmodSync(at, file.mode);
  // Git uses the time of its index to decide which entries to recheck, so restore the time too, rounded down.
  fs.utimesSync(at, Math.floor(file.mtimeMs / 1000), Math.floor(file.mtimeMs / 1000));
}

// Folders that every repository has, even if empty.
const lasting = new Set([
  "refs",
  "refs/heads",
  "refs/tags",
  "hooks",
  "info",
  "objects",
  "objects/info",
  "logs",
  "logs/refs",
]);

function removeWithFolders(gitDir: string, path: string): void {
  fs.rmSync(join(gitDir, path), { recursive: true, force: true });
  // Git takes an empty `rebase-merge` for a rebase in progress, so remove empty folders too.
  for (let dir = dirname(path); dir !== "." && !lasting.has(dir); dir = dirname(dir)) {
    if (fs.readdirSync(join(gitDir, dir)).length > 0) return;
    fs.rmdirSync(join(gitDir, dir));
  }
}

const hasRealFolder = (gitDir: string, path: string): boolean => {
  for (let dir = dirname(path); dir !== "."; dir = dirname(dir))
    if (!lstatIfExists(join(gitDir, dir))?.isDirectory()) return false;
  return true;
};

/** Creates folders below `base`, replacing links. */
export function makeRealDirs(base: string, dir: string): void {
  let at = base;
  for (const part of dir.split("/").filter((name) => name !== "." && name !== "")) {
    at = join(at, part);
    const stat = lstatIfExists(at);
    if (stat?.isDirectory()) continue;
    if (stat !== undefined) fs.rmSync(at, { force: true });
    fs.mkdirSync(at, 0o777);
  }
}
