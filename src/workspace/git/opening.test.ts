// Opening a repository: its settings, one operation at a time, and the errors when it cannot be used.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import { groundOf } from "../../testing/ground.ts";
import {
  agent,
  anId,
  exists,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../testing/workspace-rig.ts";
import { inspect } from "./repository/inspect.ts";

afterAll(removeTemporaryFolders);

const order = { body: "", trailers: { "Loop-Run": "r1" } };

describe("settings", () => {
  const commitBy = async (workspace: Awaited<ReturnType<typeof open>>["workspace"], root: string) => {
    write(root, { new: `${Math.random()}` });
    const parent = person(root, "rev-parse", "HEAD").trim();
    const tree = await workspace.tree();
    await workspace.commit({ ...order, tree, subject: "s", trailers: { at: parent }, parent: commitId(parent) });
    return person(root, "log", "-1", "--format=%an").trim();
  };

  test("are those of the first opening, until a run starts and reads them again", async () => {
    const root = makeRepository();
    const first = await open(root, "git");
    agent(root, "config", "user.name", "Not Pat");
    expect(await commitBy(first.workspace, root)).toBe("Pat Person");
    const { workspace } = await open(root, "git", first.vaultDir);
    expect(await commitBy(workspace, root)).toBe("Pat Person");
    await workspace.inspect();
    expect(await commitBy(workspace, root)).toBe("Not Pat");
    const third = await open(root, "git", first.vaultDir);
    expect(await commitBy(third.workspace, root)).toBe("Not Pat");
  });

  test("about line ends are copied to the store when a run starts", async () => {
    const root = makeRepository({ a: "1\r\n" });
    const { workspace } = await open(root, "git");
    person(root, "config", "core.autocrlf", "input");
    await workspace.inspect();
    write(root, { b: "2\r\n" });
    expect((await workspace.read(await workspace.tree(), "b"))?.toString()).toBe("2\n");
  });
});

describe("a folder", () => {
  test("outside any repository is refused, with advice on what to do", async () => {
    const root = temporaryFolder();
    await expect(open(root, "git")).rejects.toMatchObject({
      code: "not-a-repository",
      why: `${root} is not a git repository.`,
      next: "Run git init there, or pass --no-git.",
    });
  });

  test("inside a repository is refused, and the error names the repository", async () => {
    const root = makeRepository();
    await expect(open(join(root, "src"), "git")).rejects.toMatchObject({
      why: `${join(root, "src")} is a folder inside the repository ${root}`,
      next: `Start in ${root}, or pass --no-git.`,
    });
  });

  test("without .git is opened, and reports it", async () => {
    const root = makeRepository();
    const { workspace } = await open(root, "git");
    fs.rmSync(join(root, ".git"), { recursive: true });
    expect(await workspace.inspect()).toMatchObject({
      branch: null,
      head: null,
      dirty: [],
      obstacles: [{ kind: "git-missing" }],
    });
    const tree = await workspace.tree();
    await expect(workspace.commit({ ...order, tree, subject: "s", parent: null })).rejects.toThrow(".git is gone");
    await expect(workspace.checkpoint(anId())).rejects.toThrow(".git is gone");
  });
});

test("concurrent operations run one after another, even after one failed", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  write(root, { a: "1" });
  const missing = { id: anId(), tree: await workspace.tree(), head: null, branch: null };
  const all = await Promise.allSettled([
    workspace.tree(),
    workspace.restore(missing, "why"),
    workspace.checkpoint(anId()),
    workspace.tree(),
    workspace.inspect(),
  ]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
});

describe("an obstacle", () => {
  async function obstacles(does: (root: string) => void) {
    const root = makeRepository();
    does(root);
    const ground = await groundOf(root, { identity: { name: "Pat Person", email: "pat@example.org" } });
    const { obstacles: found, dirty } = await inspect(ground);
    return { kinds: found.map(({ kind }) => kind), dirty, root, found };
  }

  test.each([
    { file: "MERGE_HEAD", kind: "merge-in-progress" },
    { file: "rebase-merge", kind: "rebase-in-progress" },
    { file: "rebase-apply", kind: "rebase-in-progress" },
    { file: "CHERRY_PICK_HEAD", kind: "cherry-pick-in-progress" },
    { file: "REVERT_HEAD", kind: "revert-in-progress" },
    { file: "BISECT_LOG", kind: "bisect-in-progress" },
    { file: "index.lock", kind: "index-locked" },
  ])("is $file, and the files are inspected anyway", async ({ file, kind }) => {
    const { kinds, dirty } = await obstacles((root) => write(root, { [`.git/${file}`]: "", new: "1" }));
    expect([kinds, dirty]).toEqual([[kind], ["new"]]);
  });

  test("is listed with the others", async () => {
    const { kinds, found, root } = await obstacles((at) => write(at, { ".git/MERGE_HEAD": "", ".git/index.lock": "" }));
    expect(kinds).toEqual(["merge-in-progress", "index-locked"]);
    expect(found[0]).toEqual({
      kind: "merge-in-progress",
      why: "A merge is in progress.",
      next: "git merge --continue, or git merge --abort",
    });
    expect(found[1]?.next).toContain(join(root, ".git/index.lock"));
  });

  test("is an invalid HEAD", async () => {
    const { kinds } = await obstacles((root) => write(root, { ".git/HEAD": "nonsense\n" }));
    expect(kinds).toEqual(["head-unreadable"]);
  });

  test.each([
    { given: { bare: true }, kind: "bare-repository" },
    { given: { refFormat: "reftable" }, kind: "ref-format" },
  ])("is $kind, and uncommitted work is not listed", async ({ given, kind }) => {
    const root = makeRepository();
    write(root, { new: "1" });
    const { obstacles: found, dirty } = await inspect(await groundOf(root, given));
    expect([found.map((obstacle) => obstacle.kind), dirty]).toEqual([[kind], []]);
  });

  test("is a person without a name", async () => {
    const root = makeRepository();
    const { obstacles: found, dirty } = await inspect(await groundOf(root, { identity: null }));
    expect([found.map(({ kind }) => kind), dirty]).toEqual([["no-git-identity"], []]);
    const { workspace, vaultDir } = await open(makeRepository(), "git");
    expect(exists(vaultDir, "settings.json")).toBe(true);
    const settings = JSON.parse(readText(vaultDir, "settings.json"));
    write(vaultDir, { "settings.json": JSON.stringify({ ...settings, identity: null }) });
    const again = await open(workspace.root, "git", vaultDir);
    const tree = await again.workspace.tree();
    const head = person(workspace.root, "rev-parse", "HEAD").trim();
    await expect(
      again.workspace.commit({ ...order, tree, subject: "s", parent: commitId(head) }),
    ).rejects.toMatchObject({ code: "no-git-identity" });
    expect(person(workspace.root, "rev-parse", "HEAD").trim()).toBe(head);
  });
});

test("uncommitted work is staged and unstaged paths, each once, in order", async () => {
  const root = makeRepository({ a: "1", b: "2", c: "3" });
  write(root, { a: "staged", b: "staged" });
  person(root, "add", "-A");
  write(root, { a: "1", b: "again", d: "new" });
  fs.rmSync(join(root, "c"));
  expect((await inspect(await groundOf(root))).dirty).toEqual(["a", "b", "c", "d"]);
});

test("in a repository without a commit everything is uncommitted", async () => {
  const root = join(temporaryFolder(), "unborn");
  fs.mkdirSync(root);
  person(root, "init", "-q", "-b", "trunk");
  write(root, { a: "1", b: "2" });
  person(root, "add", "a");
  const found = await inspect(await groundOf(root, { identity: { name: "x", email: "x@x" } }));
  expect(found).toEqual({ branch: "trunk", head: null, dirty: ["a", "b"], obstacles: [] });
});
