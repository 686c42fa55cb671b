// The store's configuration: git reads the right settings from it, and no others.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { person, readText, removeTemporaryFolders, temporaryFolder } from "../../../testing/workspace-rig.ts";
import { openVault, type Vault } from "../../vault.ts";
import type { Settings } from "../repository/settings.ts";
import { prepareStore } from "./store.ts";

afterAll(removeTemporaryFolders);

const settings: Settings = {
  identity: null,
  excludes: "*.swp\n",
  attributes: "* text=auto\n",
  conversions: ["core.autocrlf=input"],
  fileSystem: ["core.ignorecase=true"],
  filters: [],
  objectFormat: "sha1",
  refFormat: "files",
  bare: false,
  partial: false,
};
function prepared(given: Partial<Settings> = {}): Vault {
  const vault = openVault(join(temporaryFolder(), "vault"), "/somewhere");
  prepareStore(vault, { ...settings, ...given });
  return vault;
}
const configOf = (dir: string, name: string): string =>
  person(dir, "config", "--file", join(dir, "config"), "--get-all", name).trim();

test("git opens the store, which keeps bytes unchanged, and its twin, which converts them", () => {
  const vault = prepared();
  expect(person(vault.store, "--git-dir=.", "rev-parse", "--git-dir").trim()).toBe(".");
  expect(configOf(vault.store, "core.autocrlf")).toBe("false");
  expect(configOf(vault.convert, "core.autocrlf")).toBe("input");
  for (const dir of [vault.store, vault.convert]) {
    expect(configOf(dir, "core.ignorecase")).toBe("true");
    expect(configOf(dir, "core.bare")).toBe("false");
    expect(configOf(dir, "core.repositoryformatversion")).toBe("0");
    expect(configOf(dir, "core.fsyncMethod")).toBe("batch");
  }
  expect(readText(vault.store, "info/attributes")).toMatch(/^\* -text /);
  expect(readText(vault.convert, "info/attributes")).toBe("* text=auto\n");
  expect(readText(vault.store, "objects/info/alternates")).toBe(`${vault.copy}/objects\n`);
  expect(fs.readdirSync(join(vault.copy, "objects")).sort()).toEqual(["info", "pack"]);
});

test("a SHA-256 repository has a SHA-256 store", () => {
  const vault = prepared({ objectFormat: "sha256" });
  expect(person(vault.store, "--git-dir=.", "rev-parse", "--show-object-format").trim()).toBe("sha256");
  expect(configOf(vault.store, "core.repositoryformatversion")).toBe("1");
});

test("a setting with any characters survives", () => {
  const value = 'a "quoted" \\ = part\nand a line';
  expect(configOf(prepared({ fileSystem: [`core.odd=${value}`] }).store, "core.odd")).toBe(value);
});

test("the person's ignored files are ignored, then the loop's own", () => {
  const lines = fs.readFileSync(prepared().exclude, "utf8").split("\n");
  expect(lines).toEqual([
    "*.swp",
    "/.loop/tasks/",
    "/.loop/records/",
    "/.loop/shape/",
    "/.loop/set-aside/",
    "/.loop/state.json*",
    "/.loop/.gitignore*",
    "/.loop-git-rebuild/",
    "/.loop-set-aside-*",
    "",
  ]);
});

test("reopening writes only changed files", () => {
  const vault = prepared();
  const written = [
    vault.exclude,
    join(vault.store, "HEAD"),
    join(vault.store, "config"),
    join(vault.convert, "config"),
  ];
  const inodes = () => written.map((path) => fs.statSync(path).ino);
  const before = inodes();
  prepareStore(vault, settings);
  expect(inodes()).toEqual(before);
  fs.writeFileSync(vault.exclude, "tampered");
  prepareStore(vault, { ...settings, conversions: [] });
  expect(readText(vault.exclude, "")).toContain("*.swp");
  expect(inodes().map((inode, at) => inode === before[at])).toEqual([false, true, true, false]);
});
