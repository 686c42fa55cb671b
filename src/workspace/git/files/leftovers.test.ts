// Checks' leftovers in a scratch folder are removed, and its own files stay.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exists, removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import { removeLeftovers } from "./leftovers.ts";

afterAll(removeTemporaryFolders);

const latin1 = (path: string): string => Buffer.from(path).toString("latin1");

function left(files: Record<string, string>, paths: readonly string[], more: (dir: string) => void = () => {}) {
  const dir = join(temporaryFolder(), "ünder");
  fs.mkdirSync(dir);
  write(dir, files);
  more(dir);
  removeLeftovers(dir, paths.map(latin1));
  return fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

test("files of the tree stay, at every depth, and all others are removed", () => {
  const files = { a: "", "b.log": "", "deep/er/c": "", "deep/er/d": "", "deep/e": "", "other/f": "" };
  expect(left(files, ["a", "deep/er/c"])).toEqual(["a", "deep/er/c"]);
});

test("a folder without files of the tree is removed, empty or not", () => {
  const dir = temporaryFolder();
  write(dir, { "kept/a": "", "gone/b": "" });
  fs.mkdirSync(join(dir, "kept/empty"));
  removeLeftovers(dir, ["kept/a"]);
  expect([exists(dir, "kept/a"), exists(dir, "kept/empty"), exists(dir, "gone")]).toEqual([true, false, false]);
});

test("the folder's own .git stays, and a deeper one is removed", () => {
  expect(left({ ".git/HEAD": "", "sub/a": "", "sub/.git/HEAD": "" }, ["sub/a"])).toEqual([".git/HEAD", "sub/a"]);
});

test("a folder where the tree has a file is removed, and so is a link where it has a folder", () => {
  const elsewhere = temporaryFolder();
  write(elsewhere, { b: "somebody's" });
  const link = (dir: string) => fs.symlinkSync(elsewhere, join(dir, "sub"));
  expect(left({ "a/inside": "" }, ["a", "sub/b"], link)).toEqual([]);
  expect(exists(elsewhere, "b")).toBe(true);
});

test("a link of the tree stays, and is not followed", () => {
  const elsewhere = temporaryFolder();
  write(elsewhere, { b: "somebody's" });
  expect(left({}, ["link"], (dir) => fs.symlinkSync(elsewhere, join(dir, "link")))).toEqual(["link"]);
  expect(exists(elsewhere, "b")).toBe(true);
});

test("non-ASCII names are told apart", () => {
  expect(left({ "ä/ö": "", "ä/o": "", "a/ö": "" }, ["ä/ö"])).toEqual(["ä/ö"]);
});

test("with no file in the tree everything is removed", () => {
  expect(left({ a: "", "b/c": "" }, [])).toEqual([]);
});
