// After someone else committed: their branch stays, and nothing that a session left behind is trusted.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  anId,
  exists,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

/** A session has worked, then a commit under the person's name was added. */
async function moved() {
  const world = await open(makeRepository(), "git");
  const { root, workspace } = world;
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "src/main.js": "unproved\n", "test/add.test.js": "// weakened\n", "left/over.js": "x" });
  write(root, { "by-hand.txt": "theirs\n" });
  person(root, "add", "by-hand.txt");
  person(root, "commit", "-qm", "by a person");
  const tip = person(root, "rev-parse", "HEAD").trim();
  return { ...world, checkpoint, tip };
}

test("the folder becomes a clean checkout of the new commit, and its old files can be restored", async () => {
  const { root, workspace, checkpoint, tip } = await moved();
  expect((await workspace.fold(checkpoint)).movedBy?.subject).toBe("by a person");
  const { quarantine, files } = await workspace.clear(checkpoint, "Pat committed");
  expect(files).toEqual(["left/over.js", "src/main.js", "test/add.test.js"]);
  expect(person(root, "rev-parse", "HEAD").trim()).toBe(tip);
  expect(person(root, "status", "--porcelain")).toBe("");
  expect([readText(root, "by-hand.txt"), exists(root, "left")]).toEqual(["theirs\n", false]);
  await workspace.quarantine.bringBack(quarantine ?? "", {});
  expect([readText(root, "src/main.js"), readText(root, "left/over.js")]).toEqual(["unproved\n", "x"]);
});

test("repeating it changes nothing", async () => {
  const { root, workspace, checkpoint, tip } = await moved();
  await workspace.clear(checkpoint, "once");
  expect(await workspace.clear(checkpoint, "twice")).toMatchObject({ quarantine: null, files: [] });
  expect([person(root, "rev-parse", "HEAD").trim(), person(root, "status", "--porcelain")]).toEqual([tip, ""]);
});

test("the session's staged files, hooks, configuration and refs are removed", async () => {
  const { root, workspace, checkpoint } = await moved();
  person(root, "add", "--all");
  person(root, "config", "core.hooksPath", "/tmp/evil");
  write(root, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n" });
  person(root, "branch", "mine-now", "HEAD~1");
  await workspace.clear(checkpoint, "why");
  expect(person(root, "diff", "--cached", "--name-only")).toBe("");
  expect(exists(root, ".git/hooks/pre-commit")).toBe(false);
  expect(readText(root, ".git/config")).not.toContain("evil");
  expect(person(root, "for-each-ref", "--format=%(refname)", "refs/heads").trim()).toBe("refs/heads/main");
});

test("rule files that hide themselves are found, and the files they hid are kept", async () => {
  const { root, workspace, checkpoint } = await moved();
  write(root, { "sub/.gitignore": "*\n", "sub/hidden.js": "hidden" });
  await workspace.clear(checkpoint, "why");
  expect(exists(root, "sub/hidden.js")).toBe(false);
  const entries = await workspace.quarantine.list();
  const kept = await Promise.all(entries.map(({ id }) => workspace.quarantine.files(id)));
  expect(kept.flat()).toContain("sub/hidden.js");
});

test("ignored files stay in place", async () => {
  const { root, workspace, checkpoint } = await moved();
  write(root, { ".env": "SECRET=1", "node_modules/a.js": "dep" });
  await workspace.clear(checkpoint, "why");
  expect([readText(root, ".env"), fs.existsSync(join(root, "node_modules/a.js"))]).toEqual(["SECRET=1", true]);
});
