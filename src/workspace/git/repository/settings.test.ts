// What is read from the person's git configuration, from the same places as git.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { openVault } from "../../vault.ts";
import { makeGit } from "../git.ts";
import { locate } from "./repo.ts";
import { loadSettings, readSettings, saveSettings } from "./settings.ts";

afterAll(removeTemporaryFolders);

const saved = { ...process.env };
let home = "";
beforeEach(() => {
  home = temporaryFolder();
  for (const name of Object.keys(process.env))
    if (name.startsWith("GIT_") || name === "EMAIL") delete process.env[name];
  Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(home, "xdg"), GIT_CONFIG_NOSYSTEM: "1" });
});
afterEach(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, saved);
});
// A worker thread keeps the home folder of its process, regardless of its environment.
const needsHome = (skip: (why: string) => void): void => {
  if (homedir() !== home) skip("the home folder cannot be set here");
};

const read = (root: string) => readSettings(makeGit(temporaryFolder()), root, locate(root));
function repository(config: Record<string, string> = {}): string {
  const root = makeRepository();
  for (const name of ["user.name", "user.email"]) person(root, "config", "--unset-all", name);
  for (const [name, value] of Object.entries(config)) person(root, "config", name, value);
  return root;
}

test("a folder without a repository has git's defaults", async () => {
  expect(await read(temporaryFolder())).toMatchObject({
    identity: null,
    conversions: [],
    filters: [],
    objectFormat: "sha1",
    refFormat: "files",
    bare: false,
    partial: false,
  });
});

describe("the identity", () => {
  const user = { "user.name": "User", "user.email": "user@x" };
  test.each([
    { config: user, env: {}, is: { name: "User", email: "user@x" } },
    {
      config: { ...user, "author.name": "Author", "author.email": "author@x" },
      env: {},
      is: { name: "Author", email: "author@x" },
    },
    {
      config: user,
      env: { GIT_AUTHOR_NAME: "Env", GIT_AUTHOR_EMAIL: "env@x", EMAIL: "other@x" },
      is: { name: "Env", email: "env@x" },
    },
    { config: { "user.name": "User" }, env: { EMAIL: "mail@x" }, is: { name: "User", email: "mail@x" } },
    { config: user, env: { EMAIL: "mail@x" }, is: { name: "User", email: "user@x" } },
    { config: { "user.name": "User" }, env: {}, is: null },
    { config: { "user.email": "user@x" }, env: {}, is: null },
    { config: {}, env: {}, is: null },
  ])("with $config and $env is $is", async ({ config, env, is }) => {
    Object.assign(process.env, env);
    expect((await read(repository(config))).identity).toEqual(is);
  });
});

test("settings for conversions and the file system are copied, others are not", async () => {
  const config = { "core.autocrlf": "input", "core.eol": "lf", "core.ignorecase": "true", "core.pager": "evil" };
  const { conversions, fileSystem } = await read(repository(config));
  expect(conversions).toEqual(["core.autocrlf=input", "core.eol=lf"]);
  expect(fileSystem).toContain("core.ignorecase=true");
  expect(fileSystem.join()).not.toContain("pager");
});

test("a later value wins, and a name without one means true", async () => {
  const root = repository({ "core.autocrlf": "input" });
  person(root, "config", "--add", "core.autocrlf", "false");
  fs.appendFileSync(join(root, ".git/config"), "[core]\n\tignorecase\n");
  const { conversions, fileSystem } = await read(root);
  expect(conversions).toEqual(["core.autocrlf=false"]);
  expect(fileSystem).toContain("core.ignorecase=true");
});

test("filters are those with a clean program", async () => {
  const names = {
    "filter.lfs.clean": "x",
    "filter.a.b.process": "x",
    "filter.out.smudge": "x",
    "myfilter.x.clean": "x",
  };
  expect([...(await read(repository(names))).filters].sort()).toEqual(["a.b", "lfs"]);
});

test.each([
  { config: { "core.bare": "true" }, is: { bare: true, partial: false } },
  { config: { "core.bare": "false" }, is: { bare: false, partial: false } },
  { config: { "remote.origin.promisor": "true" }, is: { bare: false, partial: true } },
  {
    config: { "core.repositoryformatversion": "1", "extensions.partialclone": "origin" },
    is: { bare: false, partial: true },
  },
])("a repository with $config is $is", async ({ config, is }) => {
  expect(await read(repository(config))).toMatchObject(is);
});

test("a worktree of a bare repository is not bare", async () => {
  const root = repository({ "core.bare": "true" });
  const linked = join(temporaryFolder(), "linked");
  person(root, "--git-dir=.git", "worktree", "add", "-q", linked);
  expect((await read(linked)).bare).toBe(false);
});

test("the formats of objects and refs are read", async () => {
  const root = temporaryFolder();
  person(root, "init", "-q", "--object-format=sha256");
  expect(await read(root)).toMatchObject({ objectFormat: "sha256", refFormat: "files" });
});

describe("rules of what is ignored, and attributes,", () => {
  test("come from the person's standard path and from the repository, in that order", async () => {
    const root = repository();
    write(home, { "xdg/git/ignore": "mine", "xdg/git/attributes": "* mine" });
    write(root, { ".git/info/exclude": "own", ".git/info/attributes": "* own" });
    expect(await read(root)).toMatchObject({ excludes: "mine\nown\n", attributes: "* mine\n* own\n" });
  });

  test("come from the home folder if no other path is set", async ({ skip }) => {
    needsHome(skip);
    delete process.env["XDG_CONFIG_HOME"];
    write(home, { ".config/git/ignore": "mine" });
    const root = repository();
    fs.rmSync(join(root, ".git/info"), { recursive: true, force: true });
    expect((await read(root)).excludes).toBe("mine\n\n");
  });

  test.for([
    { what: "a whole path", named: () => join(home, "rules") },
    { what: "a path below the home folder", named: () => "~/rules" },
  ])("come from $what that is configured", async ({ named }, { skip }) => {
    if (named().startsWith("~")) needsHome(skip);
    write(home, { rules: "configured", "xdg/git/ignore": "not this" });
    const root = repository({ "core.excludesFile": named(), "core.attributesFile": "rules-of-the-folder" });
    write(root, { "rules-of-the-folder": "* relative" });
    const { excludes, attributes } = await read(root);
    expect(excludes).toMatch(/^configured\n/);
    expect(attributes).toMatch(/^\* relative\n/);
  });

  test("that cannot be read are empty", async () => {
    const root = repository({ "core.excludesFile": join(home, "none") });
    fs.rmSync(join(root, ".git/info"), { recursive: true, force: true });
    expect((await read(root)).excludes).toBe("\n\n");
  });
});

test("the settings are stored in the vault", async () => {
  const vault = openVault(join(temporaryFolder(), "vault"), "/somewhere");
  expect(loadSettings(vault)).toBeNull();
  const settings = await read(repository());
  saveSettings(vault, settings);
  expect(loadSettings(vault)).toEqual(settings);
});
