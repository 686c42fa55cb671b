// The person's git settings that the loop follows. Read before an agent runs, and stored in the vault.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { restoreOrRemove, settingsFile } from "../../../formats/kept/vault-files.ts";
import { readIfExists, writeAtomic } from "../../../host/disk.ts";
import type { Vault } from "../../vault.ts";
import { fields, type Git } from "../git.ts";
import type { Repo } from "./repo.ts";

export type Identity = { name: string; email: string };
export type Settings = {
  identity: Identity | null;
  /** Rules of the global excludes file and of `.git/info/exclude`, in that order. */
  excludes: string;
  /** The same for attributes. */
  attributes: string;
  /** Settings that define how files and blobs correspond, as `name=value`. */
  conversions: readonly string[];
  fileSystem: readonly string[];
  /** Names of filters that the person has a program for (`lfs`, …). */
  filters: readonly string[];
  objectFormat: string;
  refFormat: string;
  bare: boolean;
  partial: boolean;
};

/** For a folder without git: ignores the person's configuration, so the same folder gives the same trees anywhere. */
export const plainSettings: Settings = {
  identity: { name: "Loopwright", email: "loop@loopwright.invalid" },
  excludes: "",
  attributes: "",
  conversions: [],
  fileSystem: [],
  filters: [],
  objectFormat: "sha1",
  refFormat: "files",
  bare: false,
  partial: false,
};

const conversionNames = ["core.autocrlf", "core.eol", "core.checkroundtripencoding"];
const fileSystemNames = [
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.trustctime",
  "core.checkstat",
];

/** `git config` runs nothing; it is the only command that sees the person's own files. */
export async function readSettings(git: Git, root: string, repo: Repo | null): Promise<Settings> {
  const where = repo === null ? {} : { gitDir: repo.gitDir, commonDir: repo.commonDir };
  const listed = fields(await git(["config", "--list", "-z", "--includes"], { ...where, asThePerson: true }));
  const values = new Map(listed.map((field) => split(field)));
  const pick = (names: readonly string[]) =>
    names.flatMap((name) => (values.get(name) === undefined ? [] : [`${name}=${values.get(name)}`]));
  const own = (name: string) => (repo === null ? "" : (readIfExists(join(repo.commonDir, "info", name)) ?? ""));
  return {
    identity: identityOf(values),
    excludes: `${globalFile(values.get("core.excludesfile"), root, "ignore")}\n${own("exclude")}\n`,
    attributes: `${globalFile(values.get("core.attributesfile"), root, "attributes")}\n${own("attributes")}\n`,
    conversions: pick(conversionNames),
    fileSystem: pick(fileSystemNames),
    filters: [...values.keys()].flatMap((name) => /^filter\.(.+)\.(?:clean|process)$/.exec(name)?.[1] ?? []),
    objectFormat: values.get("extensions.objectformat") ?? "sha1",
    refFormat: values.get("extensions.refstorage") ?? "files",
    bare: values.get("core.bare") === "true" && repo?.gitFile === null,
    partial: values.has("extensions.partialclone") || [...values.keys()].some((name) => name.endsWith(".promisor")),
  };
}

// A later value of the same name wins, as it does in git.
const split = (field: string): [string, string] => {
  const at = field.indexOf("\n");
  return at < 0 ? [field, "true"] : [field.slice(0, at), field.slice(at + 1)];
};

function identityOf(values: ReadonlyMap<string, string>): Identity | null {
  const { env } = process;
  const name = env["GIT_AUTHOR_NAME"] || values.get("author.name") || values.get("user.name");
  const email = env["GIT_AUTHOR_EMAIL"] || values.get("author.email") || values.get("user.email") || env["EMAIL"];
  return name && email ? { name, email } : null;
}

function globalFile(configured: string | undefined, root: string, name: string): string {
  const standard = join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git", name);
  const path = configured === undefined ? standard : configured.replace(/^~\//, `${homedir()}/`);
  try {
    return readIfExists(isAbsolute(path) ? path : resolve(root, path)) ?? "";
  } catch {
    return ""; // Like git, continue without an unreadable file.
  }
}

export function saveSettings(vault: Vault, settings: Settings): void {
  writeAtomic(vault.settings, `${JSON.stringify(settings, null, 2)}\n`);
}

export function loadSettings(vault: Vault): Settings | null {
  const text = readIfExists(vault.settings);
  // Read again, it could hold what an agent has configured since.
  return text === null ? null : settingsFile.mustParse<Settings>(text, vault.settings, restoreOrRemove);
}
