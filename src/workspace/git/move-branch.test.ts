// What a commit does during concurrent changes, which commit counts as already made, and whose name it has.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import { askStore, groundOf } from "../../testing/ground.ts";
import {
  exists,
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../testing/workspace-rig.ts";
import { adoptable, commit, commitInStore } from "./commits/commit.ts";
import { commitForm } from "./files/tree.ts";
import { GitFailed } from "./git.ts";
import type { Ground } from "./ground.ts";
import { copyRepository } from "./store/keep-objects.ts";

afterAll(removeTemporaryFolders);

const trailers = { "Loop-Run": "r1" };
const idOf = (root: string, rev: string) => commitId(person(root, "rev-parse", rev).trim());

async function begin(root = makeRepository({ a: "1\n" })) {
  const ground = await groundOf(root);
  write(root, { b: "2\n" });
  const tree = (await commitForm(ground)).commitTree;
  const parent = idOf(root, "HEAD");
  return { root, ground, order: { tree, parent, subject: "s", body: "", trailers } };
}

describe("a branch", () => {
  test("that someone else moves at the same moment stays theirs", async () => {
    const { root, ground, order } = await begin();
    const meddling: Ground = {
      ...ground,
      git: async (args, options) => {
        if (args[0] === "update-ref") person(root, "commit", "-q", "--allow-empty", "-m", "theirs");
        return ground.git(args, options);
      },
    };
    const done = await commit(meddling, order);
    expect(done).toEqual({ is: "moved", head: idOf(root, "HEAD") });
    expect(person(root, "log", "-1", "--format=%s")).toBe("theirs\n");
    expect(person(root, "diff", "--cached", "--name-only")).toBe("");
  });

  test("that is locked but has not moved is a failure, and stays", async () => {
    const { root, ground, order } = await begin();
    write(root, { ".git/refs/heads/main.lock": "" });
    await expect(commit(ground, order)).rejects.toBeInstanceOf(GitFailed);
    expect(idOf(root, "HEAD")).toBe(order.parent);
  });

  test("records a bounded reason in its reflog, in the person's name", async () => {
    const { root, ground, order } = await begin();
    await commit(ground, { ...order, subject: "x".repeat(500) });
    const [said = "", who] = person(root, "reflog", "-1", "--format=%gs|%gn <%ge>").trim().split("|");
    expect([said.length, said.startsWith("commit: xxx"), who]).toEqual([200, true, "Pat Person <pat@example.org>"]);
    expect(exists(ground.vault.dir, "commit-pending")).toBe(false);
    const made = idOf(root, "HEAD");
    expect(ground.memory.commitTrees.get(made)).toBe(order.tree);
  });
});

test("a commit has the person as its author and as its committer, and the parent it was given", async () => {
  const { ground, order } = await begin();
  await copyRepository(ground, join(ground.root, ".git"), ground.vault.copy, ["objects"], true);
  const format = "--format=%an|%ae|%cn|%ce|%P|%T";
  const made = await commitInStore(ground, order);
  const who = "Pat Person|pat@example.org|Pat Person|pat@example.org";
  expect(askStore(ground, "log", "-1", format, made)).toBe(`${who}|${order.parent}|${order.tree}`);
  const root = await commitInStore(ground, { ...order, parent: null });
  expect(askStore(ground, "log", "-1", format, root)).toBe(`${who}||${order.tree}`);
  const nobody: Ground = { ...ground, settings: { ...ground.settings, identity: null } };
  await expect(commitInStore(nobody, order)).rejects.toMatchObject({ code: "no-git-identity" });
});

describe("the commit that an order already made", () => {
  async function built(build: (root: string) => void) {
    const { root, ground, order } = await begin();
    build(root);
    await copyRepository(ground, join(root, ".git"), ground.vault.copy, ["objects"], true);
    return {
      root,
      ground,
      order,
      find: (parent = order.parent as typeof order.parent | null) =>
        adoptable(ground, idOf(root, "HEAD"), { ...order, parent }),
    };
  }
  const add = (root: string, message: string) => person(root, "commit", "-q", "--allow-empty", "-m", message);
  const ours = "s\n\nLoop-Run: r1";

  test("is found at the tip, and below other people's commits", async () => {
    const { root, find } = await built((at) => {
      add(at, ours);
      add(at, "one");
      add(at, "two");
    });
    expect(await find()).toBe(idOf(root, "HEAD~2"));
    expect(await find(null)).toBe(idOf(root, "HEAD~2"));
  });

  test("is not found at the parent or below it, nor without the trailers", async () => {
    const { root, find } = await built((at) => {
      add(at, ours);
      add(at, "s\n\nLoop-Run: r2");
    });
    expect(await find(idOf(root, "HEAD~1"))).toBeNull();
    expect(await find(idOf(root, "HEAD"))).toBeNull();
    expect(await find()).toBe(idOf(root, "HEAD~1"));
  });

  test("is not searched for without a limit, nor in a missing history", async () => {
    const { find, ground, order } = await built((at) => {
      add(at, ours);
      for (let nth = 0; nth < 50; nth++) add(at, `${nth}`);
    });
    expect(await find()).toBeNull();
    expect(await adoptable(ground, commitId("12".repeat(20)), order)).toBeNull();
  });
});

test("the first commit of a repository is made only where there is none", async () => {
  const root = join(temporaryFolder(), "unborn");
  fs.mkdirSync(root);
  person(root, "init", "-q", "-b", "main");
  const ground = await groundOf(root, { identity: { name: "x", email: "x@x" } });
  write(root, { a: "1\n" });
  const order = { tree: (await commitForm(ground)).commitTree, parent: null, subject: "s", body: "", trailers };
  expect((await commit(ground, order)).is).toBe("made");
  expect(await commit(ground, { ...order, trailers: { "Loop-Run": "r2" } })).toEqual({
    is: "moved",
    head: idOf(root, "HEAD"),
  });
});
