// Copying objects trusts nothing that an agent could have written, and a commit copies over only new ones.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commitId, treeId } from "../../../core/ids.ts";
import { askStore, groundOf } from "../../../testing/ground.ts";
import {
  agent,
  exists,
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { handOver } from "../commits/hand-over.ts";
import { snapshot } from "../files/snapshot.ts";
import type { Ground } from "../ground.ts";
import { copyRepository } from "./keep-objects.ts";

afterAll(removeTemporaryFolders);

const packsIn = (dir: string): string[] => fs.readdirSync(join(dir, "objects/pack")).sort();

describe("a copy of the objects", () => {
  async function begin(who: typeof person = person) {
    const root = makeRepository();
    who(root, "repack", "-qad");
    const ground = await groundOf(root);
    const copy = join(temporaryFolder(), "copy");
    const take = (trusted: boolean, bulk = ["objects"]) =>
      copyRepository(ground, join(root, ".git"), copy, bulk, trusted);
    const [index = ""] = packsIn(join(root, ".git")).filter((name) => name.endsWith(".idx"));
    const indexFile = join(root, ".git/objects/pack", index);
    return { root, copy, take, index, indexFile, pack: index.replace(/idx$/, "pack") };
  }
  const lie = (path: string, text = "a lie") => {
    fs.chmodSync(path, 0o644);
    fs.writeFileSync(path, text);
  };

  test("is taken unchecked the first time, and marked as complete", async () => {
    const { copy, take, index, indexFile } = await begin();
    lie(indexFile);
    expect(await take(true)).toEqual([]);
    expect(fs.readFileSync(join(copy, "objects/pack", index), "utf8")).toBe("a lie");
    expect(exists(copy, "objects/.complete")).toBe(true);
  });

  test("is not taken unchecked once it is complete, nor from an untrusted folder", async () => {
    const { root, copy, take, index, indexFile, pack } = await begin();
    expect(await take(true)).toEqual([]);
    write(root, { new: "1" });
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "more");
    agent(root, "repack", "-qad");
    const [next = ""] = packsIn(join(root, ".git")).filter((name) => name.endsWith(".idx"));
    expect(next).not.toBe(index);
    lie(join(root, ".git/objects/pack", next));
    expect(await take(true)).toEqual([{ folder: "objects", names: [`pack/${next}`] }]);
    expect(fs.readFileSync(join(copy, "objects/pack", next), "utf8")).not.toBe("a lie");
    expect(packsIn(copy).filter((name) => name.endsWith(".idx"))).toEqual([index, next].sort());
    expect([exists(copy, `objects/pack/${pack}`), fs.existsSync(indexFile)]).toEqual([true, false]);
  });

  test("indexes packs itself, and an honest index is no forgery", async () => {
    const { copy, take, index, indexFile } = await begin(agent);
    expect(await take(false)).toEqual([]);
    expect(fs.readFileSync(join(copy, "objects/pack", index)).equals(fs.readFileSync(indexFile))).toBe(true);
    expect(exists(copy, "objects/.complete")).toBe(false);
    expect(await take(false)).toEqual([]);
  });

  test("does not complain about a pack without an index", async () => {
    const { copy, take, index, indexFile } = await begin(agent);
    fs.rmSync(indexFile);
    expect(await take(false)).toEqual([]);
    expect(exists(copy, `objects/pack/${index}`)).toBe(true);
  });

  test("excludes an invalid pack, and names it with its index", async () => {
    const { root, copy, take, index, pack } = await begin(agent);
    lie(join(root, ".git/objects/pack", pack));
    expect(await take(false)).toEqual([{ folder: "objects", names: [`pack/${pack}`, `pack/${index}`] }]);
    expect(packsIn(copy)).toEqual([]);
  });

  test("does not take a failure outside git for a forgery", async () => {
    const { root, copy } = await begin(agent);
    const ground = await groundOf(root);
    const broken: Ground = { ...ground, git: () => Promise.reject(new Error("no process left")) };
    await expect(copyRepository(broken, join(root, ".git"), copy, ["objects"], false)).rejects.toThrow(
      "no process left",
    );
    expect(packsIn(copy)).toHaveLength(1);
  });

  test("covers every named folder separately", async () => {
    const { root, copy, take } = await begin();
    const name = "12".repeat(20);
    write(root, { ".git/lfs/a/b": "large", [`.git/objects/${name.slice(0, 2)}/${name.slice(2)}`]: "forged" });
    expect(await take(true, ["lfs", "objects"])).toEqual([
      { folder: "objects", names: [`${name.slice(0, 2)}/${name.slice(2)}`] },
    ]);
    expect(fs.readFileSync(join(copy, "lfs/a/b"), "utf8")).toBe("large");
    expect(exists(copy, "lfs/.complete")).toBe(true);
  });
});

describe("copying a commit over", () => {
  async function begin(parent: boolean, spread: (root: string) => void = () => {}) {
    const root = makeRepository({ a: "1", "sub/b": "2", "sub/deep/c": "3", "other/d": "4" });
    spread(root);
    const ground = await groundOf(root);
    await copyRepository(ground, join(root, ".git"), ground.vault.copy, ["objects"], true);
    const head = commitId(person(root, "rev-parse", "HEAD").trim());
    write(root, { "sub/deep/c": "changed", "new/e": "5" });
    const tree = treeId((await snapshot(ground)).tree);
    const parents = parent ? ["-p", head] : [];
    const made = commitId(askStore(ground, "commit-tree", tree, ...parents, "-m", "made"));
    const objects = join(root, ".git/objects");
    const before = loose(objects);
    await handOver(ground, made, { tree, parent: parent ? head : null }, objects);
    return { root, ground, made, tree, objects, came: loose(objects).filter((id) => !before.includes(id)) };
  }
  const loose = (objects: string): string[] =>
    fs
      .readdirSync(objects, { recursive: true, encoding: "utf8" })
      .filter((name) => /^..\/[0-9a-f]{38}$/.test(name))
      .map((name) => name.replace("/", ""));
  const ofTree = (ground: Ground, tree: string, ...paths: string[]) =>
    paths.map((path) => askStore(ground, "rev-parse", `${tree}:${path}`));

  test("gives the repository the commit, changed folders and new files, and nothing else", async () => {
    const { root, ground, made, tree, came } = await begin(true);
    const needed = ofTree(ground, tree, "", "sub", "sub/deep", "sub/deep/c", "new", "new/e");
    expect(came.sort()).toEqual([...needed, made].sort());
    person(root, "update-ref", "refs/heads/handed", made);
    expect(person(root, "fsck", "--no-dangling")).toBe("");
  });

  test("gives the whole tree if there is no parent", async () => {
    const { root, made } = await begin(false);
    person(root, "update-ref", "refs/heads/handed", made);
    expect(person(root, "ls-tree", "-r", "--name-only", "handed").split("\n")).toHaveLength(6);
    expect(person(root, "fsck", "--no-dangling")).toBe("");
  });

  test("does not run git where every object is loose", async () => {
    const { ground, made, tree, objects } = await begin(true);
    const path = join(objects, made.slice(0, 2), made.slice(2));
    fs.rmSync(path);
    const deaf: Ground = { ...ground, git: () => Promise.reject(new Error("asked")) };
    await handOver(deaf, made, { tree, parent: null }, objects);
    expect(fs.existsSync(path)).toBe(true);
  });

  test("leaves an existing object alone", async () => {
    const { ground, made, tree, objects } = await begin(true);
    const path = join(objects, made.slice(0, 2), made.slice(2));
    const { ino } = fs.statSync(path);
    await handOver(ground, made, { tree, parent: null }, objects);
    expect(fs.statSync(path).ino).toBe(ino);
  });

  test("skips a link to another repository's commit", async () => {
    const root = makeRepository({ a: "1" });
    const ground = await groundOf(root);
    const input = `160000 commit ${"1".repeat(40)}\tlink\n`;
    const tree = treeId(
      (await ground.git(["mktree", "--missing"], { gitDir: ground.vault.store, input })).stdout.toString().trim(),
    );
    const made = commitId(askStore(ground, "commit-tree", tree, "-m", "made"));
    const packs = packsIn(join(root, ".git"));
    await handOver(ground, made, { tree, parent: null }, join(root, ".git/objects"));
    expect(person(root, "cat-file", "-t", made)).toBe("commit\n");
    expect(packsIn(join(root, ".git"))).toEqual(packs);
  });

  test("extracts objects from a pack of the store, and leaves nothing behind", async () => {
    const root = makeRepository({ a: "1" });
    const ground = await groundOf(root);
    await copyRepository(ground, join(root, ".git"), ground.vault.copy, ["objects"], true);
    const head = commitId(person(root, "rev-parse", "HEAD").trim());
    write(root, { b: "2" });
    const { tree } = await snapshot(ground);
    const made = commitId(askStore(ground, "commit-tree", tree, "-p", head, "-m", "made"));
    askStore(ground, "update-ref", "refs/heads/x", made);
    askStore(ground, "repack", "-qad");
    askStore(ground, "prune-packed");
    for (const parent of [head, null]) {
      await handOver(ground, made, { tree, parent }, join(root, ".git/objects"));
      person(root, "update-ref", "refs/heads/handed", made);
      expect(person(root, "fsck", "--no-dangling")).toBe("");
    }
    expect(fs.readdirSync(ground.vault.tmp)).toEqual([]);
  });
});
