// The base of every workspace operation: the folder, its vault, and git.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { defaults } from "../../formats/config/settings.ts";
import { statIfExists } from "../../host/disk.ts";
import type { Vault } from "../vault.ts";
import { fields, type Git, type GitOptions } from "./git.ts";
import type { Repo } from "./repository/repo.ts";
import type { Settings } from "./repository/settings.ts";
import { type Memory, newMemory } from "./store/memory.ts";

export type Ground = {
  root: string;
  vault: Vault;
  git: Git;
  settings: Settings;
  /** False for a plain folder: its `.git`, if any, is ignored. */
  hasGit: boolean;
  /** The most that a session's files may have, each and together. */
  bytesMax: number;
  memory: Memory;
};

/** What an opened workspace must know about the agents that work in it. */
export type SessionBounds = {
  /** The most that a session's files may have, each and together. */
  bytesMax?: number | undefined;
  /** A run is resumed: what is newer than the last checkpoint may be an agent's. */
  resumed?: boolean;
};

export const sessionBounds = (
  vault: Vault,
  { bytesMax = defaults.diskGb * 1e9, resumed = false }: SessionBounds,
): Pick<Ground, "bytesMax" | "memory"> => ({ bytesMax, memory: newMemory(resumed ? lastCheckpointAt(vault) : null) });

function lastCheckpointAt({ checkpoints }: Vault): number | null {
  const names = fs.existsSync(checkpoints) ? fs.readdirSync(checkpoints) : [];
  const times = names.map((name) => statIfExists(join(checkpoints, name))?.mtimeMs ?? 0);
  return times.length === 0 ? null : Math.max(...times);
}

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
