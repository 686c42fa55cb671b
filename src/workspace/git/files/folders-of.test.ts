// The parent folders of files.
import { expect, test } from "vitest";
import { foldersOf } from "./folders-of.ts";

test.each([
  { paths: [], folders: [] },
  { paths: ["top", "other"], folders: [] },
  { paths: ["a/b/c/x", "a/b/y", "a/d/z", "top"], folders: ["a", "a/b", "a/b/c", "a/d"] },
  { paths: ["sub/x", "subway/x"], folders: ["sub", "subway"] },
])("the folders of $paths are $folders", ({ paths, folders }) => {
  expect([...foldersOf(paths)].sort()).toEqual(folders);
});
