// The person's index after a commit by the loop: it matches the commit, and no lock is ignored.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { treeId } from "../../../core/ids.ts";
import { groundOf } from "../../../testing/ground.ts";
import { makeRepository, person, readText, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { commitForm } from "../files/tree.ts";
import type { Ground } from "../ground.ts";
import { locate } from "../repository/repo.ts";
import { installIndex } from "./install-index.ts";

afterAll(removeTemporaryFolders);

async function begin(files: Record<string, string> = { a: "1\n", "b/c": "2\n" }) {
  const root = makeRepository(files);
  const ground = await groundOf(root);
  const { commitTree: tree } = await commitForm(ground);
  const install = (of: Ground = ground, to = tree) => {
    const repo = locate(root);
    if (repo === null) throw new Error("no repository");
    return installIndex(of, repo, to);
  };
  const beside = () => fs.readdirSync(join(root, ".git")).filter((name) => name.startsWith("index."));
  return { root, ground, tree, install, beside };
}
const staged = (root: string): string => person(root, "diff", "--cached", "--name-only");

describe("an installed index", () => {
  test("unstages files, is clean, and leaves no extra files", async () => {
    const { root, install, beside } = await begin();
    write(root, { a: "staged\n" });
    person(root, "add", "-A");
    write(root, { a: "1\n" });
    await install();
    expect([staged(root), person(root, "status", "--porcelain"), beside()]).toEqual(["", "", []]);
    expect(fs.statSync(join(root, ".git/index")).mode & 0o777).toBe(0o644);
  });

  test("matches the tree, not the folder", async () => {
    const { root, ground, install } = await begin();
    const old = treeId(person(root, "rev-parse", "HEAD^{tree}").trim());
    write(root, { a: "later\n", new: "new\n" });
    await commitForm(ground);
    await install(ground, old);
    expect(person(root, "status", "--porcelain")).toBe(" M a\n?? new\n");
  });

  test("is converted where git converts", async () => {
    const { root, ground, install } = await begin({ ".gitattributes": "* text\n", a: "1\r\n" });
    expect(ground.memory.commitIndex).toBe(ground.vault.commitIndex);
    await install();
    expect([staged(root), person(root, "status", "--porcelain")]).toEqual(["", ""]);
    expect(person(root, "cat-file", "-s", ":a")).toBe("2\n");
  });

  test("is rebuilt where nothing is cached", async () => {
    const { root, ground, tree, install } = await begin();
    const again: Ground = { ...(await groundOf(root)), vault: ground.vault };
    expect(again.memory.commitIndex).toBeNull();
    await install(again, tree);
    expect(person(root, "status", "--porcelain")).toBe("");
  });

  test("does not make git miss a change in the same instant", async () => {
    const { root, install } = await begin();
    write(root, { a: "9\n" });
    await install();
    expect(person(root, "status", "--porcelain")).toBe(" M a\n");
  });
});

describe("a lock", () => {
  test("held by someone else is respected: nothing is written, and the error names it", async () => {
    const { root, install, beside } = await begin();
    write(root, { ".git/index.lock": "theirs" });
    const before = fs.readFileSync(join(root, ".git/index"));
    await expect(install()).rejects.toMatchObject({
      code: "index-locked",
      why: `Another git process holds ${join(root, ".git/index.lock")}.`,
    });
    expect(readText(root, ".git/index.lock")).toBe("theirs");
    expect(fs.readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
    expect(beside()).toEqual(["index.lock"]);
  });

  test("that is a link to one of our files is not ours", async () => {
    const { root, install } = await begin();
    write(root, { ".git/index.loop-0": "half" });
    fs.symlinkSync("index.loop-0", join(root, ".git/index.lock"));
    await expect(install()).rejects.toMatchObject({ code: "index-locked" });
    expect(fs.lstatSync(join(root, ".git/index.lock")).isSymbolicLink()).toBe(true);
  });

  test("left by an earlier loop process is removed with its leftovers; other files stay", async () => {
    const { root, install, beside } = await begin();
    write(root, {
      ".git/index.loop-0": "half",
      ".git/index.loop-1": "none",
      ".git/index.mine": "x",
      ".git/loop-0": "y",
    });
    fs.linkSync(join(root, ".git/index.loop-0"), join(root, ".git/index.lock"));
    await install();
    expect(beside()).toEqual(["index.mine"]);
    expect([readText(root, ".git/index.mine"), readText(root, ".git/loop-0")]).toEqual(["x", "y"]);
    expect(person(root, "status", "--porcelain")).toBe("");
  });

  test("of our own is removed when the index cannot be installed", async () => {
    const { root, install, beside } = await begin();
    fs.rmSync(join(root, ".git/index"));
    write(root, { ".git/index/in the way": "" });
    await expect(install()).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(beside()).toEqual([]);
  });
});
