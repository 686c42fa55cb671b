// The cached content of an index is never mistaken for that of another.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { groundOf } from "../../../testing/ground.ts";
import { makeRepository, open, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { snapshot } from "../files/snapshot.ts";
import { type Ground, onFolder } from "../ground.ts";
import { dropBroken, indexContent, indexEntries, indexTree } from "./index-content.ts";

afterAll(removeTemporaryFolders);

function gitsOwnTree(root: string): string {
  person(root, "add", "-A");
  return person(root, "write-tree").trim();
}

test("rules that replace another file are noticed, even if the number of files is the same", async () => {
  const root = makeRepository({ "a.txt": "one", "sub/b.txt": "two", "sub/c.txt": "three\r\n" });
  const { workspace } = await open(root, "git");
  await workspace.tree();
  fs.rmSync(join(root, "sub/b.txt"));
  write(root, { "sub/.gitattributes": "* text\n", "sub/c.txt": "four\r\n" });
  expect(await workspace.tree()).toBe(gitsOwnTree(root));
});

test("a folder that comes back has its own files, whatever was read in between", async () => {
  const root = makeRepository({ "a.txt": "one", "sub/b.txt": "two" });
  const { workspace } = await open(root, "git");
  const first = await workspace.tree();
  fs.renameSync(join(root, "sub"), join(root, "other"));
  const second = await workspace.tree();
  expect(await workspace.list(second)).toEqual(["a.txt", "other/b.txt"]);
  fs.renameSync(join(root, "other"), join(root, "sub"));
  expect(await workspace.tree()).toBe(first);
});

test("a repository nested in one with converted line ends is a link in the tree, as in git", async () => {
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

const header = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
const noEntries = Buffer.concat([header, createHash("sha1").update(header).digest()]);

describe("an index", () => {
  async function taken(files: Record<string, string> = { a: "1", "sub/b": "2" }) {
    const root = makeRepository(files);
    const ground = await groundOf(root);
    const { tree } = await snapshot(ground);
    const asked: string[] = [];
    const listening: Ground = {
      ...ground,
      git: (args, options) => {
        asked.push(args[0] ?? "");
        return ground.git(args, options);
      },
    };
    const where = onFolder(ground, root, ground.vault.index);
    return { root, ground, tree, where, listening, asked };
  }

  test("is read without git, and its tree is cached", async () => {
    const { ground, tree, where, listening, asked } = await taken();
    const entries = await indexEntries(listening, where);
    expect(entries.map(({ mode, path }) => [mode, path])).toEqual([
      ["100644", "a"],
      ["100644", "sub/b"],
    ]);
    expect(await indexTree(listening, where)).toBe(tree);
    expect(asked).toEqual([]);
    const fresh: Ground = { ...listening, memory: (await groundOf(ground.root)).memory };
    expect((await indexContent(fresh, where)).entries).toEqual(entries);
    expect(asked).toEqual([]);
    expect(await indexTree(fresh, where)).toBe(tree);
    expect(await indexTree(fresh, where)).toBe(tree);
    expect(asked).toEqual(["write-tree"]);
  });

  test("that was only rewritten has the same content, and one with other modes, bytes or names does not", async () => {
    const { root, ground, tree, where } = await taken();
    const first = await indexContent(ground, where);
    const later = new Date(Date.now() + 5000);
    fs.utimesSync(join(root, "a"), later, later);
    await snapshot(ground);
    expect(await indexContent(ground, where)).toBe(first);
    fs.chmodSync(join(root, "a"), 0o755);
    const runs = await snapshot(ground);
    expect(runs.tree).not.toBe(tree);
    expect((await indexContent(ground, where)).places).toBe(first.places);
    fs.chmodSync(join(root, "a"), 0o644);
    write(root, { a: "other" });
    expect((await snapshot(ground)).tree).not.toBe(tree);
    fs.renameSync(join(root, "sub/b"), join(root, "sub/c"));
    write(root, { a: "1" });
    const renamed = await snapshot(ground);
    expect([renamed.tree === tree, renamed.paths]).toEqual([false, ["a", "sub/c"]]);
    expect((await indexContent(ground, where)).places.folders).toEqual(["sub"]);
  });

  test("that is missing has no entries, and the empty tree", async () => {
    const { ground } = await taken();
    const where = onFolder(ground, ground.root, join(ground.vault.tmp, "none"));
    expect(await indexContent(ground, where)).toEqual({ entries: [], places: { paths: [], folders: [] }, tree: null });
    expect(await indexTree(ground, where)).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  });

  test("keeps non-ASCII names unchanged", async () => {
    const { ground, where } = await taken({ "ä/ö": "1", "x\u0001": "2" });
    expect((await indexContent(ground, where)).places).toEqual({ paths: ["x\u0001", "ä/ö"], folders: ["ä"] });
  });

  test.each([
    { what: "whole", spoil: (bytes: Buffer) => bytes, stays: true },
    { what: "without a checksum", spoil: (bytes: Buffer) => bytes.fill(0, bytes.length - 20), stays: true },
    { what: "cut short", spoil: (bytes: Buffer) => bytes.subarray(0, bytes.length - 1), stays: false },
    { what: "changed in one byte", spoil: (bytes: Buffer) => bytes.fill(7, 20, 21), stays: false },
    { what: "shorter than any", spoil: () => Buffer.from("DIRC"), stays: false },
    { what: "of another kind", spoil: (bytes: Buffer) => bytes.fill("X", 0, 4), stays: false },
    { what: "empty", spoil: () => Buffer.alloc(0), stays: false },
    { what: "whole, with no entries", spoil: () => noEntries, stays: true },
  ])("that is $what stays: $stays, and is checked once", async ({ spoil, stays }) => {
    const { ground } = await taken();
    const index = join(ground.vault.tmp, "index");
    fs.writeFileSync(index, spoil(fs.readFileSync(ground.vault.index)));
    dropBroken(ground, index);
    expect(fs.existsSync(index)).toBe(stays);
    fs.writeFileSync(index, "broken since");
    dropBroken(ground, index);
    expect(fs.existsSync(index)).toBe(true);
  });

  test("of a repository with longer ids is complete too", async () => {
    const root = join(makeRepository(), "longer");
    fs.mkdirSync(root);
    person(root, "init", "-q", "--object-format=sha256");
    write(root, { a: "1" });
    const ground = await groundOf(root);
    await snapshot(ground);
    const fresh: Ground = { ...ground, memory: (await groundOf(root)).memory };
    dropBroken(fresh, ground.vault.index);
    expect(fs.existsSync(ground.vault.index)).toBe(true);
  });
});
