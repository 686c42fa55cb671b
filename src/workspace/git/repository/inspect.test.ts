// What a run learns before it starts, for repositories in every condition.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  anId,
  gitAs,
  makeRepository,
  open,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

/** Two branches that change the same line. */
function conflicting(): string {
  const root = makeRepository();
  person(root, "checkout", "-qb", "side");
  write(root, { "README.md": "side\n" });
  person(root, "commit", "-qam", "side");
  person(root, "checkout", "-q", "main");
  write(root, { "README.md": "main\n" });
  person(root, "commit", "-qam", "main");
  return root;
}
const failing = (root: string, ...args: string[]) => {
  try {
    person(root, ...args);
  } catch {}
};

test.each([
  { name: "a merge", kind: "merge-in-progress", begin: (root: string) => failing(root, "merge", "side") },
  { name: "a rebase", kind: "rebase-in-progress", begin: (root: string) => failing(root, "rebase", "side") },
  {
    name: "a cherry-pick",
    kind: "cherry-pick-in-progress",
    begin: (root: string) => failing(root, "cherry-pick", "side"),
  },
  {
    name: "a revert",
    kind: "revert-in-progress",
    begin: (root: string) => failing(root, "revert", "HEAD~1..HEAD", "--no-edit", "-n"),
  },
  { name: "a bisection", kind: "bisect-in-progress", begin: (root: string) => person(root, "bisect", "start") },
  { name: "a locked index", kind: "index-locked", begin: (root: string) => write(root, { ".git/index.lock": "" }) },
])("$name in progress is an obstacle, and stays as it is", async ({ kind, begin }) => {
  const root = conflicting();
  begin(root);
  const { workspace } = await open(root, "git");
  const { obstacles } = await workspace.inspect();
  expect(obstacles.map((obstacle) => obstacle.kind)).toContain(kind);
  expect((await workspace.inspect()).obstacles).toEqual(obstacles);
});

test("a bare repository is refused", async () => {
  const root = makeRepository();
  person(root, "config", "core.bare", "true");
  const { workspace } = await open(root, "git");
  expect((await workspace.inspect()).obstacles.map(({ kind }) => kind)).toEqual(["bare-repository"]);
});

test("a folder inside a repository is refused, and the repository is named", async () => {
  const root = makeRepository();
  await expect(open(join(root, "src"), "git")).rejects.toMatchObject({
    code: "not-a-repository",
    why: expect.stringContaining(root),
  });
});

describe("a missing identity", () => {
  test("is an obstacle", async () => {
    const root = makeRepository();
    person(root, "config", "--unset", "user.email");
    const saved = { ...process.env };
    Object.assign(process.env, { HOME: "/nonexistent", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
    for (const name of ["GIT_AUTHOR_EMAIL", "EMAIL"]) delete process.env[name];
    try {
      const { workspace } = await open(root, "git");
      expect((await workspace.inspect()).obstacles.map(({ kind }) => kind)).toEqual(["no-git-identity"]);
    } finally {
      process.env = saved;
    }
  });
});

describe("uncommitted work", () => {
  test("is listed, and survives inspection and checkpoint byte for byte", async () => {
    const root = makeRepository();
    write(root, { "staged.txt": "staged\n", "src/main.js": "staged\n" });
    person(root, "add", "-A");
    write(root, { "src/main.js": "and changed again\n", "untracked.txt": "u", "README.md": "unstaged\n" });
    person(root, "rm", "-q", "--cached", "test/add.test.js");
    const files = [".git/index", ".git/HEAD", ".git/config", "src/main.js", "staged.txt", "untracked.txt"];
    const bytes = () => files.map((path) => fs.readFileSync(join(root, path)).toString("base64"));
    const before = bytes();
    const { workspace } = await open(root, "git");
    const { dirty, branch } = await workspace.inspect();
    await workspace.checkpoint(anId());
    await workspace.tree();
    expect(dirty).toEqual(["README.md", "src/main.js", "staged.txt", "test/add.test.js", "untracked.txt"]);
    expect(branch).toBe("main");
    expect(bytes()).toEqual(before);
    expect(person(root, "diff", "--cached", "--name-only")).toBe("src/main.js\nstaged.txt\ntest/add.test.js\n");
  });

  test("of the person's index is restored after an agent changed the index", async () => {
    const root = makeRepository();
    write(root, { "src/main.js": "staged\n" });
    person(root, "add", "-A");
    const { workspace } = await open(root, "git");
    const before = fs.readFileSync(join(root, ".git/index"));
    const checkpoint = await workspace.checkpoint(anId());
    gitAs("agent", root, ["reset", "-q", "--hard"]);
    await workspace.restore(checkpoint, "why");
    expect(fs.readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
    expect(person(root, "status", "--porcelain")).toBe("M  src/main.js\n");
  });

  test("is empty in a clean repository, even a detached one", async () => {
    const root = makeRepository();
    person(root, "checkout", "-q", "--detach");
    const { workspace } = await open(root, "git");
    expect(await workspace.inspect()).toEqual({
      branch: null,
      head: person(root, "rev-parse", "HEAD").trim(),
      dirty: [],
      obstacles: [],
    });
  });

  test("that was touched in the same instant as the index is found", async () => {
    const root = makeRepository({ "a.txt": "one\n" });
    const when = new Date(Date.now() - 5000);
    fs.utimesSync(join(root, "a.txt"), when, when);
    person(root, "update-index", "--refresh");
    fs.writeFileSync(join(root, "a.txt"), "two\n");
    fs.utimesSync(join(root, "a.txt"), when, when);
    fs.utimesSync(join(root, ".git/index"), when, when);
    const { workspace } = await open(root, "git");
    expect((await workspace.inspect()).dirty).toEqual(["a.txt"]);
  });
});

test("the person's global ignore rules count", async () => {
  const root = makeRepository();
  const rules = join(temporaryFolder(), "ignore");
  fs.writeFileSync(rules, "*.swp\n");
  person(root, "config", "core.excludesFile", rules);
  write(root, { "x.swp": "swap", ".git/info/exclude": "private/\n", "private/x": "x" });
  const { workspace } = await open(root, "git");
  expect((await workspace.inspect()).dirty).toEqual([]);
});
