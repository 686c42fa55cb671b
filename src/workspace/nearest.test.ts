// Which workspace a folder belongs to.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder, write } from "../testing/workspace-rig.ts";
import { nearestWorkspace } from "./nearest.ts";

afterAll(removeTemporaryFolders);

test.each([
  { what: "a repository", files: { "a/.git/HEAD": "", "a/b/c/x": "" }, is: "a" },
  { what: "a loop.yaml", files: { "a/loop.yaml": "", "a/b/c/x": "" }, is: "a" },
  { what: "both, the nearer one", files: { "a/.git/HEAD": "", "a/b/loop.yaml": "", "a/b/c/x": "" }, is: "a/b" },
  { what: "one of its own", files: { "a/.git/HEAD": "", "a/b/c/loop.yaml": "" }, is: "a/b/c" },
  { what: "an empty .git above it", files: { "a/b/c/x": "" }, empty: "a/.git", is: "a/b/c" },
  { what: "an empty .git of its own", files: { "a/.git/HEAD": "" }, empty: "a/b/c/.git", is: "a/b/c" },
  { what: "nothing above it", files: { "a/b/c/x": "" }, is: "a/b/c" },
])("a folder with $what belongs to $is", ({ files, empty, is }) => {
  const dir = temporaryFolder();
  write(dir, files);
  if (empty !== undefined) fs.mkdirSync(join(dir, empty), { recursive: true });
  const link = join(temporaryFolder(), "link");
  fs.symlinkSync(join(dir, "a"), link);
  expect(nearestWorkspace(join(dir, "a/b/c"))).toBe(join(dir, is));
  expect(nearestWorkspace(join(link, "b/c"))).toBe(join(dir, is));
});

test("a folder with nothing above it is its own", () => {
  expect(nearestWorkspace("/")).toBe("/");
});
