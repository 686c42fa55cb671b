// The base of every workspace operation: the folder, its vault, and git.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Vault } from "../vault.ts";
import { fields, type Git, type GitOptions } from "./git.ts";
import type { Memory } from "./memory.ts";
import type { Repo } from "./repo.ts";
import type { Settings } from "./settings.ts";

export type Ground = {
  root: string;
  vault: Vault;
  git: Git;
  settings: Settings;
  /** False for a plain folder: its `.git`, if any, is ignored. */
  hasGit: boolean;
  memory: Memory;
};

/** Options that run git on the vault's store. */
export const inStore = (ground: Ground): GitOptions => ({ gitDir: ground.vault.store });

/** The same with the folder and one of our indexes, and the ignore rules. */
export const onFolder = (ground: Ground, workTree: string, index: string): GitOptions & { index: string } => ({
  gitDir: ground.vault.store,
  workTree,
  index,
  config: [`core.excludesFile=${ground.vault.exclude}`],
});

/** Objects are in the store, but line ends and the like are converted as the person's git would. */
export const converting = (ground: Ground, workTree: string, index: string): GitOptions & { index: string } => ({
  ...onFolder(ground, workTree, index),
  gitDir: ground.vault.convert,
  objects: join(ground.vault.store, "objects"),
});

export const temporary = (ground: Ground, kind: string): string =>
  join(ground.vault.tmp, `${kind}-${randomBytes(6).toString("hex")}`);

/** A temporary index to work in. */
export async function withTemporaryIndex<T>(
  ground: Ground,
  from: string | null,
  use: (index: string) => Promise<T>,
): Promise<T> {
  const index = temporary(ground, "index");
  try {
    if (from !== null) copyIndex(from, index);
    return await use(index);
  } finally {
    fs.rmSync(index, { force: true });
    fs.rmSync(`${index}.lock`, { force: true });
  }
}

/**
 * Copies an index so that git rechecks the same entries: it compares an entry by content if it changed in the same
 * instant as the index was written, and takes that instant from the file's time.
 */
export function copyIndex(from: string, to: string): void {
  const { mtimeMs } = fs.statSync(from);
  fs.copyFileSync(from, to);
  fs.chmodSync(to, 0o600);
  const seconds = Math.floor(mtimeMs / 1000) - 1;
  fs.utimesSync(to, seconds, seconds);
}

/** Copies the person's index for git to read from the store; false when there is none. */
export function copyTheirIndex(ground: Ground, repo: Repo | null, to: string): boolean {
  const theirs = repo === null ? null : join(repo.gitDir, "index");
  if (repo === null || theirs === null || !fs.existsSync(theirs)) return false;
  // Git looks for the shared part of a split index in the git folder.
  for (const name of fs.readdirSync(repo.gitDir).filter((file) => file.startsWith("sharedindex.")))
    for (const dir of [ground.vault.store, ground.vault.convert])
      fs.copyFileSync(join(repo.gitDir, name), join(dir, name));
  copyIndex(theirs, to);
  return true;
}

/** Removes a lock that a killed git left on one of our indexes. We hold the workspace lock, so no live git has it. */
export const unlockIndex = (index: string): void => fs.rmSync(`${index}.lock`, { force: true });

/**
 * Those of the paths (in latin1) that a folder's rules ignore. Git reads them as patterns, where a leading colon is
 * special; after "./" nothing is.
 */
export async function ignoredAmong(
  ground: Ground,
  where: GitOptions,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1");
  const options = { ...where, input, codes: [1], env: { GIT_LITERAL_PATHSPECS: "0" } };
  const answer = await ground.git(["check-ignore", "-z", "--stdin", ...flags], options);
  return fields(answer, "latin1").map((path) => path.slice(2));
}
