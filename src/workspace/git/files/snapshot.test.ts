// The current folder with its nested repositories, and what a commit of them would contain.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askStore, groundOf } from "../../../testing/ground.ts";
import { exists, makeRepository, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { GitFailed } from "../git.ts";
import type { Ground } from "../ground.ts";
import { makeEqual } from "./make-equal.ts";
import { nestedArea, nestedVault, snapshot, topArea } from "./snapshot.ts";
import { commitForm, knownLinks, noteLinks, putNested } from "./tree.ts";

afterAll(removeTemporaryFolders);

const namesIn = (ground: Ground, tree: string | null | undefined): string[] =>
  askStore(ground, "ls-tree", "-r", "--name-only", tree ?? "")
    .split("\n")
    .filter((name) => name !== "");

function repositoryAt(dir: string, files: Record<string, string>, commits = true): string {
  write(dir, files);
  person(dir, "init", "-q");
  if (!commits) return "";
  person(dir, "add", "-A");
  person(dir, "commit", "-qm", "inner");
  return person(dir, "rev-parse", "HEAD").trim();
}

describe("a snapshot", () => {
  test("has every file that is not ignored, and their folders", async () => {
    const root = makeRepository({ ".gitignore": "*.log\n", a: "1", "b/c": "2" });
    write(root, { new: "3", "x.log": "ignored" });
    const ground = await groundOf(root);
    const taken = await snapshot(ground);
    expect(taken).toEqual({ tree: taken.tree, nested: [], paths: [".gitignore", "a", "b/c", "new"] });
    expect(namesIn(ground, taken.tree)).toEqual([".gitignore", "a", "b/c", "new"]);
    fs.rmSync(join(root, "a"));
    expect((await snapshot(ground)).paths).toEqual([".gitignore", "b/c", "new"]);
  });

  test("works despite a stale lock on the private index, or a damaged one", async () => {
    const root = makeRepository({ a: "1" });
    const ground = await groundOf(root);
    const { tree } = await snapshot(ground);
    fs.writeFileSync(`${ground.vault.index}.lock`, "");
    expect((await snapshot(ground)).tree).toBe(tree);
    fs.truncateSync(ground.vault.index, 40);
    const again: Ground = { ...(await groundOf(root)), vault: ground.vault };
    expect((await snapshot(again)).tree).toBe(tree);
  });

  test("has nested repositories at any depth, in order, each with its files and its commit", async () => {
    const root = makeRepository({ a: "1" });
    const z = repositoryAt(join(root, "z"), { f: "1" });
    const deep = repositoryAt(join(root, "b/inner/deep"), { g: "2" });
    const inner = repositoryAt(join(root, "b/inner"), { h: "3" });
    const ground = await groundOf(root);
    const { nested, tree, paths } = await snapshot(ground);
    expect(nested.map(({ path, commit }) => [path, commit])).toEqual([
      ["b/inner", inner],
      ["b/inner/deep", deep],
      ["z", z],
    ]);
    expect(nested.map((folder) => namesIn(ground, folder.tree))).toEqual([["h"], ["g"], ["f"]]);
    expect(namesIn(ground, tree)).toEqual(["a"]);
    expect(paths).toEqual(["a"]);
    write(root, { "z/new": "4" });
    const later = (await snapshot(ground)).nested.find(({ path }) => path === "z");
    expect(namesIn(ground, later?.tree)).toEqual(["f", "new"]);
  });

  test("has one without commits too", async () => {
    const root = makeRepository({ a: "1" });
    repositoryAt(join(root, "unborn"), { f: "1", "sub/g": "2" }, false);
    fs.mkdirSync(join(root, "empty"));
    write(root, { "plain/h": "3" });
    const ground = await groundOf(root);
    const { nested, tree } = await snapshot(ground);
    expect(nested.map(({ path, commit }) => [path, commit])).toEqual([["unborn", null]]);
    expect(namesIn(ground, nested[0]?.tree)).toEqual(["f", "sub/g"]);
    expect(namesIn(ground, tree)).toEqual(["a", "plain/h"]);
  });

  test("finds a .git next to files that the tree already has, but takes the files once", async () => {
    const root = makeRepository({ "sub/a": "1", "sub/deep/b": "2", c: "3" });
    const ground = await groundOf(root);
    await snapshot(ground);
    repositoryAt(join(root, "sub"), {});
    fs.symlinkSync("nowhere", join(root, "sub/deep/.git"));
    const { nested, tree } = await snapshot(ground);
    expect(nested).toEqual([
      { path: "sub", tree: null, commit: null },
      { path: "sub/deep", tree: null, commit: null },
    ]);
    expect(namesIn(ground, tree)).toEqual(["c", "sub/a", "sub/deep/b"]);
  });

  test("drops a repository that became a file or a link", async () => {
    const root = makeRepository({ a: "1" });
    repositoryAt(join(root, "one"), { f: "1" });
    repositoryAt(join(root, "two"), { f: "1" });
    const ground = await groundOf(root);
    expect((await snapshot(ground)).nested).toHaveLength(2);
    for (const name of ["one", "two"]) fs.rmSync(join(root, name), { recursive: true });
    write(root, { one: "a file" });
    fs.symlinkSync("a", join(root, "two"));
    const { nested, paths } = await snapshot(ground);
    expect([nested, paths]).toEqual([[], ["a", "one", "two"]]);
  });

  test("skips a repository in a folder whose name is not valid UTF-8", async () => {
    const root = makeRepository({ a: "1" });
    repositoryAt(join(root, "in"), { f: "1" });
    const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x6f, 0xff])]);
    fs.renameSync(join(root, "in"), odd);
    const { nested, paths } = await snapshot(await groundOf(root));
    expect([nested, paths]).toEqual([[], ["a"]]);
  });

  test("of repositories nested in each other stops at a certain depth", async () => {
    const root = makeRepository({ a: "1" });
    const depths = Array.from({ length: 11 }, (_, at) => Array.from({ length: at + 1 }, () => "in").join("/"));
    for (const path of [...depths].reverse()) repositoryAt(join(root, path), { f: "1" });
    const { nested } = await snapshot(await groundOf(root));
    expect(nested.map(({ path }) => path)).toEqual(depths.slice(0, 8));
  });

  test("of a folder without git ignores an existing one", async () => {
    const root = makeRepository({ a: "1" });
    const ground = { ...(await groundOf(root)), hasGit: false };
    expect(topArea(ground)).toEqual({ workTree: root, index: ground.vault.index, repo: null });
    expect(topArea({ ...ground, hasGit: true }).repo).toMatchObject({ gitDir: join(root, ".git") });
    person(root, "update-index", "--skip-worktree", "a");
    fs.rmSync(join(root, "a"));
    expect((await snapshot(ground)).paths).toEqual([]);
  });

  test("that git rejects names the files, and says what to do", async () => {
    const root = makeRepository({ a: "1" });
    const ground = await groundOf(root);
    const complaint = (stderr: string): Ground => ({
      ...ground,
      git: async (args, options) =>
        args[0] === "add" ? { code: 128, stdout: Buffer.alloc(0), stderr, cut: false } : ground.git(args, options),
    });
    const seen = (text: string) => snapshot(complaint(text));
    await expect(
      seen('error: open("x"): denied\nhint: h\nwarning: w\nfatal: adding files failed\n'),
    ).rejects.toMatchObject({
      code: "folder-unreadable",
      why: 'error: open("x"): denied',
      next: "Make these files readable, rename or remove them, or list them in .gitignore.",
    });
    await expect(seen("e1\ne2\ne3\ne4\n")).rejects.toMatchObject({ why: "e1 e2 e3" });
    await expect(seen("")).rejects.toMatchObject({ why: "git ended with 128." });
    const unborn = "error: 'u/' does not have a commit checked out\nfatal: adding files failed\n";
    expect((await seen(unborn)).paths).toEqual(["a"]);
    await expect(seen(`${unborn}error: other\n`)).rejects.toMatchObject({ why: "error: other" });
  });
});

test("a nested repository has its own place in the vault", async () => {
  const root = makeRepository({ a: "1" });
  repositoryAt(join(root, "in"), { f: "1" });
  const ground = await groundOf(root);
  const area = nestedArea(ground, "in");
  expect(area).toEqual({
    workTree: join(root, "in"),
    index: join(nestedVault(ground, "in"), "index"),
    repo: { gitDir: join(root, "in/.git"), commonDir: join(root, "in/.git"), gitFile: null },
  });
  expect(fs.statSync(nestedVault(ground, "in")).isDirectory()).toBe(true);
  expect(nestedVault(ground, "in")).not.toBe(nestedVault(ground, "on"));
  expect(nestedVault(ground, "in").startsWith(`${ground.vault.nested}/`)).toBe(true);
});

describe("in the form of a commit,", () => {
  const links = (ground: Ground, tree: string) =>
    askStore(ground, "ls-tree", "-r", tree)
      .split("\n")
      .filter((line) => line.startsWith("160000"))
      .map((line) => line.split("\t")[1]);

  test("the folder is unchanged if nothing is converted", async () => {
    const root = makeRepository({ a: "1\r\n" });
    const ground = await groundOf(root);
    const form = await commitForm(ground);
    expect(form.commitTree).toBe(form.tree);
    expect(form.commitIndex).toBe(ground.vault.index);
    expect(ground.memory.commitIndex).toBe(ground.vault.index);
    expect(fs.existsSync(ground.vault.commitIndex)).toBe(false);
  });

  test("line ends are converted, in a separate index", async () => {
    const root = makeRepository({ ".gitattributes": "* text\n", a: "1\r\n" });
    const ground = await groundOf(root);
    const form = await commitForm(ground);
    expect([
      askStore(ground, "cat-file", "-s", `${form.tree}:a`),
      askStore(ground, "cat-file", "-s", `${form.commitTree}:a`),
    ]).toEqual(["3", "2"]);
    expect([form.commitIndex, ground.memory.commitIndex]).toEqual([ground.vault.commitIndex, ground.vault.commitIndex]);
    write(root, { a: "1\r\n2\r\n" });
    fs.writeFileSync(`${ground.vault.commitIndex}.lock`, "");
    expect(askStore(ground, "cat-file", "-s", `${(await commitForm(ground)).commitTree}:a`)).toBe("4");
    fs.truncateSync(ground.vault.commitIndex, 40);
    const again: Ground = { ...(await groundOf(root)), vault: ground.vault };
    expect(askStore(ground, "cat-file", "-s", `${(await commitForm(again)).commitTree}:a`)).toBe("4");
  });

  test("a file that the person has unconverted keeps its blob, even if a rule would convert it", async () => {
    const root = makeRepository({ a: "1\r\n", b: "2" });
    const old = new Date("2026-01-02T03:04:05Z");
    fs.utimesSync(join(root, "a"), old, old);
    person(root, "update-index", "-q", "--refresh");
    write(root, { ".gitattributes": "* text\n" });
    const blob = person(root, "rev-parse", ":a").trim();
    const ground = await groundOf(root);
    const { commitTree } = await commitForm(ground);
    expect(askStore(ground, "rev-parse", `${commitTree}:a`)).toBe(blob);
    expect(fs.existsSync(`${ground.vault.commitIndex}.seed`)).toBe(false);
  });

  test("a recent snapshot is not repeated", async () => {
    const root = makeRepository({ a: "1" });
    const ground = await groundOf(root);
    const taken = await snapshot(ground);
    write(root, { a: "2" });
    expect((await commitForm(ground, taken)).commitTree).toBe(taken.tree);
    expect((await commitForm(ground)).commitTree).not.toBe(taken.tree);
  });

  test.each(["", "* text\n"])(
    "a nested repository is a link before the first agent, with the rules %j",
    async (rules) => {
      const root = makeRepository({ a: "1", ".gitattributes": rules });
      repositoryAt(join(root, "in"), { f: "1" });
      const ground = await groundOf(root);
      expect(knownLinks(ground)).toBeNull();
      const { commitTree } = await commitForm(ground);
      expect(links(ground, commitTree)).toEqual(["in"]);
      expect(namesIn(ground, commitTree)).toEqual([".gitattributes", "a", "in"]);
    },
  );

  test.each(["", "* text\n"])("a later nested repository is plain files, with the rules %j", async (rules) => {
    const root = makeRepository({ a: "1", ".gitattributes": rules });
    repositoryAt(join(root, "old"), { f: "1" });
    const ground = await groundOf(root);
    await noteLinks(ground, (await snapshot(ground)).nested);
    repositoryAt(join(root, "made"), { g: "1" });
    repositoryAt(join(root, "unborn"), { h: "1" }, false);
    const { commitTree } = await commitForm(ground);
    expect(links(ground, commitTree)).toEqual(["old"]);
    expect(namesIn(ground, commitTree)).toEqual([".gitattributes", "a", "made/g", "old", "unborn/h"]);
  });

  test("files inside a link are not added as well", async () => {
    const root = makeRepository({ a: "1" });
    repositoryAt(join(root, "in/deep"), { g: "1" });
    repositoryAt(join(root, "in"), { f: "1" });
    repositoryAt(join(root, "inside"), { h: "1" });
    const ground = await groundOf(root);
    const { nested } = await snapshot(ground);
    const index = join(ground.vault.tmp, "index");
    await putNested(ground, index, nested, new Set(["in"]));
    const listed = await ground.git(["ls-files"], { gitDir: ground.vault.store, index });
    expect(listed.stdout.toString().trim().split("\n")).toEqual(["in", "inside/h"]);
  });

  test("a folder whose files the outer tree already has adds nothing twice", async () => {
    const root = makeRepository({ "sub/a": "1" });
    const ground = await groundOf(root);
    await snapshot(ground);
    repositoryAt(join(root, "sub"), {});
    const form = await commitForm(ground);
    expect(form.commitTree).toBe(form.tree);
  });
});

describe("known links", () => {
  const folder = (path: string, given: object = {}) => ({
    path,
    tree: "1".repeat(40),
    commit: "2".repeat(40),
    ...given,
  });
  const note = (ground: Ground, ...nested: object[]) =>
    noteLinks(ground, nested as unknown as Parameters<typeof noteLinks>[1]);

  test("are those of the first checkpoint that have a commit and their own files", async () => {
    const ground = await groundOf(makeRepository());
    await note(ground, folder("b"), folder("a"), folder("unborn", { commit: null }), folder("covered", { tree: null }));
    expect([...(knownLinks(ground) ?? [])]).toEqual(["a", "b"]);
  });

  test("stay, and only links in the person's index are added later", async () => {
    const root = makeRepository();
    const ground = await groundOf(root);
    await note(ground, folder("first"));
    const head = person(root, "rev-parse", "HEAD").trim();
    await note(ground, folder("first"), folder("agents"));
    expect([...(knownLinks(ground) ?? [])]).toEqual(["first"]);
    person(root, "update-index", "--add", "--cacheinfo", `160000,${head},ünder/link`);
    await note(ground, folder("first"));
    expect([...(knownLinks(ground) ?? [])]).toEqual(["first"]);
    await note(ground, folder("ünder/link"));
    expect([...(knownLinks(ground) ?? [])]).toEqual(["first", "ünder/link"]);
  });

  test("are empty if the first checkpoint had none", async () => {
    const root = makeRepository();
    const ground = await groundOf(root);
    await note(ground);
    expect([...(knownLinks(ground) ?? ["not noted"])]).toEqual([]);
    fs.rmSync(join(root, ".git/index"));
    await note(ground, folder("agents"));
    expect([...(knownLinks(ground) ?? ["not noted"])]).toEqual([]);
  });
});

test("a link is also found in a split index", async () => {
  const root = makeRepository({ a: "1" });
  const head = person(root, "rev-parse", "HEAD").trim();
  person(root, "update-index", "--split-index");
  person(root, "update-index", "--add", "--cacheinfo", `160000,${head},link`);
  const ground = await groundOf(root);
  await noteLinks(ground, []);
  const added = [{ path: "link", tree: (await snapshot(ground)).tree, commit: head }];
  await noteLinks(ground, added);
  expect([...(knownLinks(ground) ?? [])]).toEqual(["link"]);
});

describe("making a folder equal to a tree", () => {
  async function begin(files: Record<string, string>) {
    const root = makeRepository(files);
    const ground = await groundOf(root);
    const { tree } = await snapshot(ground);
    const found: string[] = [];
    const equal = async () =>
      makeEqual(ground, topArea(ground), (await snapshot(ground)).tree, tree, async (seen) => {
        found.push(...namesIn(ground, seen));
      });
    return { root, ground, tree, found, equal };
  }

  test("restores changes, and removes new files", async () => {
    const { root, ground, tree, found, equal } = await begin({ a: "1", "b/c": "2" });
    write(root, { a: "9", "new/x": "3" });
    fs.rmSync(join(root, "b"), { recursive: true });
    await equal();
    expect((await snapshot(ground)).tree).toBe(tree);
    expect([exists(root, "new"), found]).toEqual([false, []]);
  });

  test("follows the tree's rules: files they ignore stay, even if an agent's rules showed them", async () => {
    const { root, found, equal } = await begin({ ".gitignore": "*.log\n", "sub/.gitignore": "*.tmp\n", a: "1" });
    write(root, {
      ".gitignore": "",
      "x.log": "ignored",
      "sub/y.tmp": "ignored too",
      "z.txt": "new",
      ":(top)x.log": "odd",
    });
    fs.rmSync(join(root, "sub/.gitignore"));
    await equal();
    expect(["x.log", "sub/y.tmp", "z.txt", ":(top)x.log"].map((path) => exists(root, path))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(found).toEqual([]);
  });

  test("removes rules that the tree does not have, keeps the files they hid, and removes those too", async () => {
    const { root, ground, tree, found, equal } = await begin({ a: "1" });
    write(root, { ".gitignore": "hidden\n", hidden: "x", "sub/.gitignore": "*.o\n", "sub/b.o": "y" });
    await equal();
    expect(["hidden", ".gitignore", "sub"].map((path) => exists(root, path))).toEqual([false, false, false]);
    expect((await snapshot(ground)).tree).toBe(tree);
    expect(found.sort()).toEqual(["a", "hidden", "sub/b.o"]);
  });

  test("gives up with a bug if the folder keeps changing", async () => {
    const { root, ground, tree } = await begin({ a: "1" });
    const area = topArea(ground);
    let rounds = 0;
    const meddling: Ground = {
      ...ground,
      git: async (args, options) => {
        const answer = await ground.git(args, options);
        if (args[0] === "read-tree") write(root, { [`new${rounds++}`]: "again" });
        return answer;
      },
    };
    await expect(makeEqual(meddling, area, tree, tree, async () => {})).rejects.toThrow(
      `could not be made equal to ${tree}`,
    );
    expect(rounds).toBe(6);
  });

  test("restores folder permissions where git could not write, and tries again", async () => {
    const { root, ground, tree, equal } = await begin({ a: "1", "sub/deep/b": "2" });
    write(root, { a: "9" });
    const { tree: now } = await snapshot(ground);
    for (const [path, mode] of [
      ["sub/deep", 0o055],
      ["sub", 0o500],
      [".git", 0o500],
      ["", 0o577],
    ] as const)
      fs.chmodSync(join(root, path), mode);
    let tries = 0;
    const failing: Ground = {
      ...ground,
      git: async (args, options) => {
        if (args[0] === "read-tree" && tries++ === 0) throw new GitFailed(args, 128, "denied");
        return ground.git(args, options);
      },
    };
    await makeEqual(failing, topArea(ground), now, tree, async () => {});
    expect(tries).toBe(2);
    const modes = ["", "sub", "sub/deep", ".git"].map((path) => fs.statSync(join(root, path)).mode & 0o777);
    fs.chmodSync(join(root, ".git"), 0o700); // Otherwise only root could clean up.
    expect(modes).toEqual([0o777, 0o700, 0o755, 0o500]);
    await equal();
  });

  test("does not mistake another failure for missing permissions", async () => {
    const { ground, tree } = await begin({ a: "1" });
    const broken: Ground = {
      ...ground,
      git: async (args, options) => {
        if (args[0] === "read-tree") throw new Error("not git's");
        return ground.git(args, options);
      },
    };
    await expect(makeEqual(broken, topArea(ground), tree, tree, async () => {})).rejects.toThrow("not git's");
  });
});
