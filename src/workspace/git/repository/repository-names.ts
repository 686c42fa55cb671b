// A repository's branch, refs and remotes, for scripts and tests that ask for them.
import * as fs from "node:fs";
import { join } from "node:path";
import { readIfExists } from "../../../host/disk.ts";
import { fields } from "../git.ts";
import type { Ground } from "../ground.ts";
import { locate } from "./repo.ts";
import type { Identity } from "./settings.ts";

export type RepositoryNames = {
  /** Null: no branch is checked out. */
  readonly branch: string | null;
  /** Full names: refs/tags/v1, refs/remotes/origin/main. */
  readonly refs: readonly string[];
  readonly remotes: readonly Remote[];
  readonly identity: Identity;
};
/** `url` without credentials; null: a local folder. */
export type Remote = { readonly name: string; readonly url: string | null };

const refsMax = 5000;
const nobody: Identity = { name: "Loopwright", email: "loop@loopwright.invalid" };

/** Read from files, like everything in the person's repository. */
export async function repositoryNames(ground: Ground): Promise<RepositoryNames> {
  const identity = ground.settings.identity ?? nobody;
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (repo === null) return { branch: "main", refs: [], remotes: [], identity };
  const head = readIfExists(join(repo.gitDir, "HEAD"))?.trim() ?? "";
  const packed = (readIfExists(join(repo.commonDir, "packed-refs")) ?? "").split("\n").flatMap((line) => {
    const name = /^[0-9a-f]{40,64} (refs\/\S+)$/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
  const loose = ["refs/heads", "refs/tags", "refs/remotes"].flatMap((folder) => filesBelow(repo.commonDir, folder));
  const where = { gitDir: repo.gitDir, commonDir: repo.commonDir };
  const settings = fields(await ground.git(["config", "--local", "--list", "-z"], { ...where, codes: [1, 128] }));
  return {
    branch: /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null,
    refs: [...new Set([...packed, ...loose])].filter(isPlainRef).sort().slice(0, refsMax),
    remotes: settings.flatMap(remoteOf),
    identity,
  };
}

// Omits symbolic refs, and names that a line of packed-refs cannot hold.
const isPlainRef = (name: string): boolean =>
  /^refs\/(?:heads|tags|remotes)\/[^\s~^:?*[\\]+$/.test(name) && !/\.lock$|\/HEAD$|\.\.|\/\.|\/\//.test(name);

function filesBelow(base: string, dir: string): string[] {
  try {
    return fs.readdirSync(join(base, dir), { withFileTypes: true }).flatMap((entry) => {
      const path = `${dir}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(base, path) : entry.isFile() ? [path] : [];
    });
  } catch {
    return []; // For example, no tags.
  }
}

function remoteOf(setting: string): Remote[] {
  const [key = "", url = ""] = setting.split("\n");
  const name = /^remote\.([\w.-]+)\.url$/.exec(key)?.[1];
  return name === undefined ? [] : [{ name, url: withoutCredentials(url) }];
}

function withoutCredentials(url: string): string | null {
  const web = /^(https?|ssh|git):\/\/(?:[^/@]*@)?([^/]+\/.*)$/.exec(url);
  if (web !== null) return `${web[1]}://${web[2]}`;
  return /^[\w.-]+@[\w.-]+:[^\s]+$/.test(url) ? url : null;
}
