// What the vault stores for a checkpoint, for the repository and for nested ones.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Bug } from "../../core/errors.ts";
import { commitId, treeId } from "../../core/ids.ts";
import { askStore, groundOf } from "../../testing/ground.ts";
import {
  agent,
  anId,
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../testing/workspace-rig.ts";
import {
  keepNested,
  keepRepository,
  keepTrees,
  loadCheckpoint,
  makeCheckpoint,
  manifest,
  mustLoad,
} from "./checkpoint.ts";
import { nestedVault, snapshot } from "./files/snapshot.ts";
import type { Ground } from "./ground.ts";

afterAll(removeTemporaryFolders);

const noHead = async () => null;
const make = (ground: Ground) => makeCheckpoint(ground, anId(), noHead);

describe("a checkpoint", () => {
  test("knows branch, commit and the tree of the commit, and the folder's current files", async () => {
    const root = makeRepository();
    const ground = await groundOf(root);
    write(root, { "new.txt": "new" });
    const from = Date.now();
    const made = await make(ground);
    const head = person(root, "rev-parse", "HEAD").trim();
    expect(made).toMatchObject({ branch: "main", head, headTree: person(root, "rev-parse", "HEAD^{tree}").trim() });
    expect(made.tree).not.toBe(made.headTree);
    const record = mustLoad(ground, made);
    expect(record).toMatchObject({ version: 1, checkpoint: made, raw: made.tree, nested: [], own: "" });
    expect(record.repo).toEqual({ gitDir: join(root, ".git"), commonDir: join(root, ".git"), gitFile: null });
    expect(record.at).toBeGreaterThanOrEqual(from);
    expect(record.at).toBeLessThanOrEqual(Date.now());
    expect(Object.keys(manifest(ground, record.git ?? "").files)).toContain("HEAD");
  });

  test("of a repository without commits has no commit", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q", "-b", "trunk");
    const made = await make(await groundOf(root));
    expect(made).toEqual({ id: made.id, tree: made.tree, branch: "trunk", head: null });
  });

  test("of a plain folder has the head that its workspace reports, and no repository", async () => {
    const root = join(temporaryFolder(), "plain");
    write(root, { a: "1" });
    const ground = await groundOf(root);
    const made = await make(ground);
    expect(made).toEqual({ id: made.id, tree: made.tree, branch: null, head: null });
    expect(mustLoad(ground, made)).toMatchObject({ repo: null, git: null, own: "" });
    const commit = commitId(askStore(ground, "commit-tree", made.tree, "-m", "x"));
    const next = await makeCheckpoint(ground, anId(), async () => commit);
    expect(next).toMatchObject({ head: commit, headTree: made.tree, branch: null });
  });

  test("of a plain folder ignores a .git in it", async () => {
    const root = makeRepository();
    const ground: Ground = { ...(await groundOf(root)), hasGit: false };
    expect(mustLoad(ground, await make(ground))).toMatchObject({ repo: null, git: null });
  });

  test("of a linked worktree knows where its git files are", async () => {
    const main = makeRepository();
    const root = join(temporaryFolder(), "linked");
    person(main, "worktree", "add", "-q", "-b", "side", root);
    const ground = await groundOf(root);
    const made = await make(ground);
    expect(made.branch).toBe("side");
    expect(mustLoad(ground, made)).toMatchObject({
      own: "worktrees/linked/",
      repo: { gitFile: readText(root, ".git") },
    });
  });

  test("is made once per id", async () => {
    const root = makeRepository();
    const ground = await groundOf(root);
    const first = await make(ground);
    write(root, { "src/main.js": "other" });
    expect(await makeCheckpoint(ground, first.id, noHead)).toEqual(first);
    expect((await make(ground)).tree).not.toBe(first.tree);
  });

  test("cannot be made while .git is missing", async () => {
    const root = makeRepository();
    const ground = await groundOf(root);
    fs.rmSync(join(root, ".git"), { recursive: true });
    await expect(make(ground)).rejects.toThrow(Bug);
  });

  test("that was never made does not exist, and restoring it is a bug", async () => {
    const ground = await groundOf(makeRepository());
    const id = anId();
    expect(loadCheckpoint(ground, id)).toBeNull();
    const none = { id, tree: treeId("1".repeat(40)), head: null, branch: null };
    expect(() => mustLoad(ground, none)).toThrow(`the vault has no checkpoint ${id}`);
  });

  test("holds the folder, the tree a commit would have, and nested repositories by a ref", async () => {
    const root = makeRepository({ ".gitattributes": "* text\n", "a.txt": "one\r\n" });
    const inner = join(root, "inner");
    write(inner, { b: "2" });
    person(inner, "init", "-q");
    person(inner, "add", "-A");
    person(inner, "commit", "-qm", "inner");
    const ground = await groundOf(root);
    const made = await make(ground);
    const record = mustLoad(ground, made);
    const held = askStore(ground, "ls-tree", `refs/checkpoints/${made.id}`).split("\n");
    expect(held.map((line) => line.split(/\s/)[2])).toEqual([record.raw, made.tree, record.nested[0]?.tree]);
    expect(record.raw).not.toBe(made.tree);
    expect(record.nested).toMatchObject([
      { path: "inner", commit: person(inner, "rev-parse", "HEAD").trim(), gitFile: null, git: expect.any(String) },
    ]);
  });
});

test("a file in .git that is larger than anything git writes there is skipped", async () => {
  const root = makeRepository();
  write(root, { ".git/huge": "" });
  fs.truncateSync(join(root, ".git/huge"), 1024 * 1024 * 1024 + 1);
  const ground = await groundOf(root);
  const { files } = await keepRepository(ground, join(root, ".git"), ground.vault.copy, true);
  expect(Object.keys(files.files)).not.toContain("huge");
});

test("kept trees are each stored once, in order", async () => {
  const root = makeRepository();
  const ground = await groundOf(root);
  const { tree } = await snapshot(ground);
  const sub = treeId(askStore(ground, "rev-parse", `${tree}:src`));
  await keepTrees(ground, "refs/deep/er/x", [sub, tree, sub]);
  expect(askStore(ground, "ls-tree", "refs/deep/er/x").split("\n")).toEqual([
    `040000 tree ${sub}\t0`,
    `040000 tree ${tree}\t1`,
  ]);
});

describe("a shallow history", () => {
  async function shallow() {
    const from = makeRepository();
    person(from, "commit", "-q", "--allow-empty", "-m", "second");
    const root = join(temporaryFolder(), "clone");
    person(from, "clone", "-q", "--depth=1", `file://${from}`, root);
    const ground = await groundOf(root);
    const keep = (trusted: boolean, copy = ground.vault.copy) =>
      keepRepository(ground, join(root, ".git"), copy, trusted);
    return { root, ground, keep };
  }

  test("ends in the store where it ends in the repository, until the rest is fetched", async () => {
    const { root, ground, keep } = await shallow();
    await keep(true);
    expect(readText(ground.vault.store, "shallow")).toBe(readText(root, ".git/shallow"));
    expect(askStore(ground, "log", "--format=%s", person(root, "rev-parse", "HEAD").trim())).toBe("second");
    person(root, "fetch", "-q", "--unshallow");
    await keep(true);
    expect(exists(ground.vault.store, "shallow")).toBe(false);
  });

  test("is known from the first checkpoint, without an earlier look", async () => {
    const { root, ground } = await shallow();
    await make(ground);
    expect(readText(ground.vault.store, "shallow")).toBe(readText(root, ".git/shallow"));
  });

  test("created by an agent is not trusted, nor is that of a nested repository", async () => {
    const { root, ground, keep } = await shallow();
    await keep(false);
    expect(exists(ground.vault.store, "shallow")).toBe(false);
    await keep(true, join(ground.vault.nested, "copy"));
    expect(exists(ground.vault.store, "shallow")).toBe(false);
    await keep(true);
    fs.rmSync(join(root, ".git/shallow"));
    await keep(false);
    expect(exists(ground.vault.store, "shallow")).toBe(true);
  });
});

describe("nested repositories", () => {
  const withInner = (who: typeof person = person) => {
    const root = makeRepository();
    const inner = join(root, "inner");
    write(inner, { b: "2" });
    who(inner, "init", "-q");
    who(inner, "add", "-A");
    who(inner, "commit", "-qm", "inner");
    return { root, inner };
  };
  const record = { path: "inner", tree: null, commit: null };
  const copyOf = (ground: Ground) => join(nestedVault(ground, "inner"), "copy");

  test("are copied with their own objects", async () => {
    const { root, inner } = withInner();
    const ground = await groundOf(root);
    const [kept] = await keepNested(ground, [record]);
    expect(Object.keys(manifest(ground, kept?.git ?? "").files)).toContain("HEAD");
    expect(kept).toMatchObject({ ...record, gitFile: null });
    const head = person(inner, "rev-parse", "HEAD").trim();
    expect(exists(copyOf(ground), `objects/${head.slice(0, 2)}/${head.slice(2)}`)).toBe(true);
  });

  test("are never trusted: we index their packs ourselves, and borrow no objects", async () => {
    const { root, inner } = withInner(agent);
    agent(inner, "repack", "-qad");
    const elsewhere = makeRepository();
    write(inner, { ".git/objects/info/alternates": `${elsewhere}/.git/objects\n` });
    const [index = ""] = fs.readdirSync(join(inner, ".git/objects/pack")).filter((name) => name.endsWith(".idx"));
    fs.chmodSync(join(inner, ".git/objects/pack", index), 0o644);
    fs.writeFileSync(join(inner, ".git/objects/pack", index), "a lie");
    const ground = await groundOf(root);
    await keepNested(ground, [record]);
    const copied = join(copyOf(ground), "objects/pack", index);
    expect(fs.statSync(copied).size).toBeGreaterThan(1000);
    expect(exists(copyOf(ground), "objects/info/alternates")).toBe(false);
    expect(exists(copyOf(ground), "objects/.complete")).toBe(false);
  });

  test("that live elsewhere have only their .git file kept, and missing ones nothing", async () => {
    const root = makeRepository();
    person(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", makeRepository(), "sub");
    const ground = await groundOf(root);
    const none = { path: "none", tree: null, commit: null };
    expect(await keepNested(ground, [{ ...record, path: "sub" }, none])).toEqual([
      { path: "sub", tree: null, commit: null, git: null, gitFile: "gitdir: ../.git/modules/sub\n" },
      { ...none, git: null, gitFile: null },
    ]);
  });
});
