// Reads the store like git does, from loose files and from packs.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { treeId } from "../../../core/ids.ts";
import { askStore, groundOf } from "../../../testing/ground.ts";
import { makeRepository, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { keepRepository } from "../checkpoint.ts";
import type { Ground } from "../ground.ts";
import { changes, diff, list, read } from "./compare.ts";
import { newMemory } from "./memory.ts";
import { entries, entryAt, rawTree, readBlob, readObjects } from "./stored-trees.ts";

afterAll(removeTemporaryFolders);

const files = {
  "a.txt": "one\n",
  "same/one": "same\n",
  "twin/one": "same\n",
  "sub/deep/b.txt": "two\n",
  "sub/ä": "three\n",
  "tab\tin it": "four\n",
};

/** A repository with packed or loose objects. */
async function stored(packed: boolean) {
  const root = makeRepository(files);
  if (packed) person(root, "repack", "-qad");
  const ground = await groundOf(root);
  await keepRepository(ground, join(root, ".git"), ground.vault.copy, true);
  const tree = treeId(person(root, "rev-parse", "HEAD^{tree}").trim());
  return { root, ground, tree };
}

describe.each([true, false])("in a store that has a pack: %s", (packed) => {
  test("lists all files of a tree, in git's order, with mode and id", async () => {
    const { ground, tree } = await stored(packed);
    const listed = askStore(ground, "-c", "core.quotePath=false", "ls-tree", "-r", "-z", tree)
      .split("\0")
      .filter((text) => text !== "")
      .map((text) => /^(\S+) (\S+) (\S+)\t(.*)$/s.exec(text)?.slice(1));
    const found = await entries(ground, tree);
    expect(found.map(({ mode, type, id, path }) => [mode, type, id, path])).toEqual(listed);
    expect(await entries(ground, tree)).toEqual(found);
    expect(await list(ground, tree)).toEqual(found.map(({ path }) => path));
  });

  test("an object is read with its type, many in one query, each once", async () => {
    const { ground, tree } = await stored(packed);
    const blobs = ["a.txt", "sub/deep/b.txt"].map((path) => askStore(ground, "rev-parse", `${tree}:${path}`));
    const found = await readObjects(ground, [...blobs, tree, tree]);
    expect([...found.keys()].sort()).toEqual([...blobs, tree].sort());
    expect(blobs.map((id) => found.get(id)?.bytes.toString())).toEqual(["one\n", "two\n"]);
    expect(blobs.map((id) => found.get(id)?.type)).toEqual(["blob", "blob"]);
    expect(found.get(tree)?.type).toBe("tree");
    expect(await readObjects(ground, [])).toEqual(new Map());
  });

  test("a blob is returned unchanged, even a large one", async () => {
    const { root, ground, tree } = await stored(packed);
    const id = askStore(ground, "rev-parse", `${tree}:a.txt`);
    expect((await readBlob(ground, id)).toString()).toBe("one\n");
    expect((await readBlob(ground, id)).toString()).toBe("one\n");
    expect(ground.memory.blobs.get(id)?.toString()).toBe("one\n");
    write(root, { big: "x".repeat(64 * 1024), bigger: "x".repeat(64 * 1024 + 1) });
    const [big, bigger] = ["big", "bigger"].map((path) => person(root, "hash-object", "-w", path).trim());
    await keepRepository(ground, join(root, ".git"), ground.vault.copy, false);
    expect((await readBlob(ground, big ?? "")).length).toBe(64 * 1024);
    expect((await readBlob(ground, bigger ?? "")).length).toBe(64 * 1024 + 1);
    expect([ground.memory.blobs.get(big ?? "")?.length, ground.memory.blobs.get(bigger ?? "")]).toEqual([
      64 * 1024,
      undefined,
    ]);
  });
});

test("the error names a missing object, and one that is not a tree", async () => {
  const { ground, tree } = await stored(false);
  const none = treeId("12".repeat(20));
  await expect(readObjects(ground, [none])).rejects.toThrow(`the vault has no object ${none}`);
  await expect(entries(ground, none)).rejects.toThrow(none);
  const blob = askStore(ground, "rev-parse", `${tree}:a.txt`);
  await expect(rawTree(ground, blob)).rejects.toThrow(`${blob} is no tree but a blob`);
});

test("a folder is read once, and cached by its id", async () => {
  const { ground, tree } = await stored(true);
  let asked = 0;
  const counting: Ground = {
    ...ground,
    git: (...args) => {
      asked++;
      return ground.git(...args);
    },
  };
  await entries(counting, tree);
  expect(asked).toBe(3); // One for each level: all its folders in one query.
  await entries(counting, tree);
  await rawTree(counting, tree);
  expect(asked).toBe(3);
  await entries({ ...counting, memory: newMemory() }, tree);
  expect(asked).toBe(6);
});

test("the empty tree has no files", async () => {
  const { ground } = await stored(false);
  const empty = treeId(askStore(ground, "hash-object", "-w", "-t", "tree", "/dev/null"));
  expect(await entries(ground, empty)).toEqual([]);
  expect(await rawTree(ground, empty)).toEqual([]);
});

test.each([
  ["a.txt", "100644"],
  ["sub", "40000"],
  ["sub/deep", "40000"],
  ["sub/ä", "100644"],
  ["sub/deep/b.txt", "100644"],
  ["none", null],
  ["sub/none", null],
  ["a.txt/in", null],
])("the entry at %s has the mode %s", async (path, mode) => {
  const { ground, tree } = await stored(false);
  const found = await entryAt(ground, tree, path);
  expect(found?.mode ?? null).toBe(mode);
  if (found !== null) expect(found.id).toBe(askStore(ground, "rev-parse", `${tree}:${path}`));
});

describe("two trees", () => {
  async function two(change: (root: string) => void) {
    const { root, ground, tree } = await stored(false);
    change(root);
    person(root, "add", "-A");
    const to = treeId(person(root, "write-tree").trim());
    await keepRepository(ground, join(root, ".git"), ground.vault.copy, false);
    return { ground, from: tree, to };
  }

  test("that are equal have no differences, and git is not asked", async () => {
    const { ground, tree } = await stored(false);
    const deaf: Ground = { ...ground, git: () => Promise.reject(new Error("asked")) };
    expect(await changes(deaf, tree, tree)).toEqual([]);
  });

  test("differ in paths, in order, with line counts, for any names", async () => {
    const { ground, from, to } = await two((root) => {
      write(root, { "a.txt": "one\ntwo\nthree\n", "tab\tin it": "other\n", "b\nc": "new\n", "z.bin": "\0" });
      write(root, { B: "capital" });
      fs.rmSync(join(root, "sub/ä"));
      fs.chmodSync(join(root, "same/one"), 0o755);
    });
    const found = [
      { path: "B", kind: "added", binary: false, lines: 1 },
      { path: "a.txt", kind: "modified", binary: false, lines: 2 },
      { path: "b\nc", kind: "added", binary: false, lines: 1 },
      { path: "same/one", kind: "modified", binary: false, lines: 0, mode: true, executable: true },
      { path: "sub/ä", kind: "deleted", binary: false, lines: 1 },
      { path: "tab\tin it", kind: "modified", binary: false, lines: 2 },
      { path: "z.bin", kind: "added", binary: true, lines: 0 },
    ];
    expect(await changes(ground, from, to)).toEqual(found);
    const deaf: Ground = { ...ground, git: () => Promise.reject(new Error("asked")) };
    expect(await changes(deaf, from, to)).toEqual(found);
    await expect(changes(deaf, to, from)).rejects.toThrow("asked");
  });

  test("a renamed file is a deleted and an added one", async () => {
    const { ground, from, to } = await two((root) => fs.renameSync(join(root, "a.txt"), join(root, "c.txt")));
    expect((await changes(ground, from, to)).map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "deleted"],
      ["c.txt", "added"],
    ]);
    expect(await diff(ground, from, to, 10_000)).toContain("-one\n");
  });

  test("have a diff that is cut after a full line", async () => {
    const { ground, from, to } = await two((root) => write(root, { "a.txt": "long line\n".repeat(50) }));
    const whole = await diff(ground, from, to, 10_000);
    expect(whole.endsWith("+long line\n")).toBe(true);
    const bytesMax = whole.length - 15;
    const cut = await diff(ground, from, to, bytesMax);
    const [, kept = "", note = ""] = /^(.*\n)(\[.*\]\n)$/s.exec(cut) ?? [];
    expect(note).toBe(`[The diff is longer and was cut after ${bytesMax} bytes.]\n`);
    expect(whole.startsWith(kept)).toBe(true);
    expect(kept.length).toBe(whole.length - 22);
    expect(await diff(ground, from, to, whole.length)).toBe(whole);
  });

  test.each(["", ".", "..", "sub/", "/a.txt", "sub//deep", "./a.txt", "sub/../a.txt", "sub/.", "sub"])(
    "nothing is read at %j",
    async (path) => {
      const { ground, tree } = await stored(false);
      expect(await read(ground, tree, path)).toBeNull();
    },
  );

  test("a link to a commit is not a file: it is neither listed nor read", async () => {
    const { root, ground } = await stored(false);
    person(root, "update-index", "--add", "--cacheinfo", `160000,${person(root, "rev-parse", "HEAD").trim()},link`);
    const tree = treeId(person(root, "write-tree").trim());
    await keepRepository(ground, join(root, ".git"), ground.vault.copy, false);
    expect(await list(ground, tree)).not.toContain("link");
    expect(await read(ground, tree, "link")).toBeNull();
    expect((await read(ground, tree, "sub/ä"))?.toString()).toBe("three\n");
    expect((await entries(ground, tree)).find(({ path }) => path === "link")?.type).toBe("commit");
  });
});
