// A folder reached without a link.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import { removeLeftovers } from "./leftovers.ts";
import { isRealFolder } from "./real-folder.ts";

afterAll(removeTemporaryFolders);

test.each([
  { path: ".", real: true },
  { path: "a", real: true },
  { path: "a/b", real: true },
  { path: "./a/./b", real: true },
  { path: "a/file", real: false },
  { path: "a/none", real: false },
  { path: "link", real: false },
  { path: "link/b", real: false },
])("$path is a real folder: $real", ({ path, real }) => {
  const base = temporaryFolder();
  write(base, { "a/b/x": "", "a/file": "" });
  fs.symlinkSync("a", join(base, "link"));
  expect(isRealFolder(base, path)).toBe(real);
});

test("a check's leftovers of any kind are removed, and the checkout stays", () => {
  const dir = temporaryFolder();
  const kept = ["a/b/c/file", "a/b/other", "top", ".git/HEAD", "a/caf\u00e9"];
  const left = ["a/new", "a/b/c/new", "new/deep/x", "a/b/other2/.git/x", "top2", "a/.git/HEAD"];
  write(dir, Object.fromEntries([...kept, ...left].map((path) => [path, ""])));
  fs.symlinkSync("top", join(dir, "link"));
  fs.symlinkSync("b", join(dir, "a/gone"));
  const latin1 = kept.filter((path) => path !== ".git/HEAD").map((path) => Buffer.from(path).toString("latin1"));
  removeLeftovers(dir, latin1);
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  expect(files.map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)).sort()).toEqual(
    [...kept].sort(),
  );
  expect(fs.readdirSync(dir).sort()).toEqual([".git", "a", "top"]);
});

test("a folder in place of a file of the checkout is a leftover, and so is a file in place of a folder", () => {
  const dir = temporaryFolder();
  write(dir, { "file/x": "", folder: "" });
  removeLeftovers(dir, ["file", "folder/x"]);
  expect(fs.readdirSync(dir)).toEqual([]);
});
