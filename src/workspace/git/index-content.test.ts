// What is remembered of an index is never taken for what another one holds.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeRepository, open, person, removeTemporaryFolders, write } from "../../testing/workspace-suite.ts";

afterAll(removeTemporaryFolders);

function gitsOwnTree(root: string): string {
  person(root, "add", "-A");
  return person(root, "write-tree").trim();
}

test("rules that come in the place of another file are seen, though there are as many files as before", async () => {
  const root = makeRepository({ "a.txt": "one", "sub/b.txt": "two", "sub/c.txt": "three\r\n" });
  const { workspace } = await open(root, "git");
  await workspace.tree();
  fs.rmSync(join(root, "sub/b.txt"));
  write(root, { "sub/.gitattributes": "* text\n", "sub/c.txt": "four\r\n" });
  expect(await workspace.tree()).toBe(gitsOwnTree(root));
});

test("a folder that comes back has its own files, whichever were taken between", async () => {
  const root = makeRepository({ "a.txt": "one", "sub/b.txt": "two" });
  const { workspace } = await open(root, "git");
  const first = await workspace.tree();
  fs.renameSync(join(root, "sub"), join(root, "other"));
  const second = await workspace.tree();
  expect(await workspace.list(second)).toEqual(["a.txt", "other/b.txt"]);
  fs.renameSync(join(root, "other"), join(root, "sub"));
  expect(await workspace.tree()).toBe(first);
});

test("a repository inside one whose line ends are converted is a link in the tree, as git has it", async () => {
  const root = makeRepository({ ".gitattributes": "* text\n", "a.txt": "one\r\n" });
  const inner = join(root, "inner");
  fs.mkdirSync(inner);
  person(inner, "init", "-q");
  write(inner, { "b.txt": "two\r\n" });
  person(inner, "add", "-A");
  person(inner, "commit", "-qm", "inner");
  const { workspace } = await open(root, "git");
  expect(await workspace.tree()).toBe(gitsOwnTree(root));
});
