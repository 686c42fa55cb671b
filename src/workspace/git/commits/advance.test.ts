// Landing: a branch moves forward together with its index and files, or not at all.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type CommitId, commitId, treeId } from "../../../core/ids.ts";
import {
  everything,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { openBranch, openWorkspace } from "../../open.ts";

afterAll(removeTemporaryFolders);

const tip = (root: string, ref = "HEAD") => commitId(person(root, "rev-parse", ref).trim());
const none: ReadonlySet<string> = new Set();

/** main, and one commit ahead of it on `ahead`. */
async function twoCommits() {
  const root = makeRepository();
  person(root, "switch", "-qc", "ahead");
  write(root, { "src/main.js": "ahead\n", "new/file.txt": "new\n" });
  fs.rmSync(join(root, "README.md"));
  person(root, "add", "-A");
  person(root, "commit", "-qm", "ahead");
  person(root, "switch", "-q", "main");
  const vaultDir = join(temporaryFolder(), "vault");
  const branch = await openBranch({ root, vaultDir });
  return { root, vaultDir, branch, from: tip(root), to: tip(root, "ahead") };
}

test("moves branch, index and files", async () => {
  const { root, branch, from, to } = await twoCommits();
  expect(await branch.advance({ from, to, yields: none })).toEqual({ is: "advanced", quarantine: null });
  expect(tip(root, "main")).toBe(to);
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(readText(root, "new/file.txt")).toBe("new\n");
  expect(person(root, "reflog", "-1", "--format=%gs").trim()).toBe("loop land: Fast-forward");
});

test("refuses a branch that has moved", async () => {
  const { root, branch, from, to } = await twoCommits();
  person(root, "commit", "-q", "--allow-empty", "-m", "theirs");
  const before = everything(root);
  expect(await branch.advance({ from, to, yields: none })).toEqual({ is: "moved", head: tip(root) });
  expect(everything(root)).toEqual(before);
});

test.each([
  { name: "changed", does: (root: string) => write(root, { "src/main.js": "theirs\n" }), paths: ["src/main.js"] },
  { name: "untracked", does: (root: string) => write(root, { "new/file.txt": "theirs\n" }), paths: ["new/file.txt"] },
  {
    name: "staged",
    does: (root: string) => {
      write(root, { "test/add.test.js": "staged\n" });
      person(root, "add", "-A");
    },
    paths: ["test/add.test.js"],
  },
])("refuses when a file that is $name would be overwritten, and changes nothing", async ({ does, paths }) => {
  const { root, branch, from, to } = await twoCommits();
  does(root);
  const [files, index] = [everything(root), fs.readFileSync(join(root, ".git/index"))];
  expect(await branch.advance({ from, to, yields: none })).toEqual({ is: "in-the-way", paths });
  expect([everything(root), tip(root)]).toEqual([files, from]);
  expect(fs.readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
});

test("leaves uncommitted changes to other files alone, and replaces files that may yield", async () => {
  const { root, vaultDir, branch, from, to } = await twoCommits();
  write(root, { "test/add.test.js": "theirs\n", "src/main.js": "older\n" });
  const advanced = await branch.advance({ from, to, yields: new Set(["src/main.js"]) });
  expect(readText(root, "test/add.test.js")).toBe("theirs\n");
  expect(readText(root, "src/main.js")).toBe("ahead\n");
  expect(person(root, "status", "--porcelain")).toBe(" M test/add.test.js\n");
  const { quarantine } = await openWorkspace({ root, vaultDir, kind: "git" });
  expect(await quarantine.files(advanced.is === "advanced" ? (advanced.quarantine ?? "") : "")).toContain(
    "src/main.js",
  );
});

test("finishes after a crash between the branch and the files", async () => {
  const { root, vaultDir, branch, from, to } = await twoCommits();
  fs.writeFileSync(join(vaultDir, "advance-pending"), `${from} ${to}`);
  person(root, "update-ref", "HEAD", to);
  expect(await branch.advance({ from, to, yields: none })).toMatchObject({ is: "advanced" });
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(await branch.advance({ from, to, yields: none })).toEqual({ is: "moved", head: to });
});

test("joins two branches in one commit, once", async () => {
  const { root, branch, from, to } = await twoCommits();
  const tree = treeId(person(root, "rev-parse", "ahead^{tree}").trim());
  const order = { tree, parents: [from, to] as const, from, subject: "merge", body: "", trailers: { "Loop-Run": "x" } };
  const made = await branch.join(order);
  expect(await branch.join(order)).toBe(made);
  expect(person(root, "log", "-1", "--format=%P").trim()).toBe(`${from} ${to}`);
  expect(person(root, "status", "--porcelain")).toBe("");
});

test("fills a new worktree, with the line ends that the attributes ask for", async () => {
  const root = makeRepository({ ".gitattributes": "*.bat eol=crlf\n", "run.bat": "one\ntwo\n", "a.txt": "a\n" });
  const dir = join(temporaryFolder(), "worktree");
  person(root, "worktree", "add", "-q", "--no-checkout", "-b", "loop/work", dir);
  const branch = await openBranch({ root: dir, vaultDir: join(temporaryFolder(), "vault") });
  await branch.checkOut();
  expect(person(dir, "status", "--porcelain")).toBe("");
  expect([readText(dir, "run.bat"), readText(dir, "a.txt")]).toEqual(["one\r\ntwo\r\n", "a\n"]);
});

test("a repository with filters, submodules, or without a commit, is bound to its folder", async () => {
  const root = makeRepository();
  const bound = async () => (await openBranch({ root, vaultDir: join(temporaryFolder(), "vault") })).boundHere();
  expect(await bound()).toBeNull();
  person(root, "config", "filter.lfs.clean", "cat");
  expect(await bound()).toBeNull();
  write(root, { ".gitattributes": "*.md filter=lfs\n" });
  expect(await bound()).toContain("git-lfs");
  fs.rmSync(join(root, ".gitattributes"));
  person(root, "update-index", "--add", "--cacheinfo", `160000,${tip(root)},module`);
  person(root, "commit", "-qm", "a submodule");
  expect(await bound()).toContain("submodules");
  person(root, "switch", "-q", "--orphan", "empty");
  expect(await bound()).toContain("no commit");
});

test("an ignored file in the place of one that lands is named, and nothing moves", async () => {
  const root = makeRepository({ "a/b.txt": "b\n", ".gitignore": "*.log\n" });
  person(root, "switch", "-qc", "ahead");
  fs.rmSync(join(root, "a"), { recursive: true });
  write(root, { a: "a file\n" });
  person(root, "add", "-A");
  person(root, "commit", "-qm", "ahead");
  person(root, "switch", "-q", "main");
  write(root, { "a/mine.log": "mine\n" });
  const from = tip(root);
  const branch = await openBranch({ root, vaultDir: join(temporaryFolder(), "vault") });
  expect(await branch.advance({ from, to: tip(root, "ahead"), yields: none })).toEqual({
    is: "in-the-way",
    paths: ["a/mine.log"],
  });
  expect([tip(root), readText(root, "a/mine.log"), readText(root, "a/b.txt")]).toEqual([from, "mine\n", "b\n"]);
});

/** Lands rules that show what the person's hide, and files in the place of theirs. */
function withRulesThatShow(files: Record<string, string>): { root: string; ahead: CommitId } {
  const root = makeRepository({ "src/a.js": "1\n", ".gitignore": "out/\n.env\n" });
  person(root, "switch", "-qc", "ahead");
  write(root, { "src/.gitignore": "!out\n!out/**\n!.env\n", ...files });
  person(root, "add", "-A", "--force");
  person(root, "commit", "-qm", "ahead");
  const ahead = tip(root, "ahead");
  person(root, "switch", "-q", "main");
  return { root, ahead };
}

test.each([
  ["a file", { "src/.env": "theirs\n" }, { "src/.env": "mine\n" }, ["src/.env"]],
  ["a file in a folder", { "src/out/keep": "theirs\n" }, { "src/out/keep": "mine\n" }, ["src/out/keep"]],
])("ignored files that a landing rule shows are not replaced: %s", async (_, files, mine, paths) => {
  const { root, ahead } = withRulesThatShow(files);
  write(root, mine);
  const from = tip(root);
  const branch = await openBranch({ root, vaultDir: join(temporaryFolder(), "vault") });
  expect(await branch.advance({ from, to: ahead, yields: none })).toEqual({ is: "in-the-way", paths });
  expect(Object.keys(mine).map((path) => readText(root, path))).toEqual(Object.values(mine));
});

test("a link in the place of a folder that lands is not replaced", async () => {
  const { root, ahead } = withRulesThatShow({ "src/out/keep": "theirs\n" });
  fs.symlinkSync("../elsewhere", join(root, "src/out"));
  const branch = await openBranch({ root, vaultDir: join(temporaryFolder(), "vault") });
  const advanced = await branch.advance({ from: tip(root), to: ahead, yields: none });
  expect(advanced).toEqual({ is: "in-the-way", paths: ["src/out"] });
});

test("other files that a landing rule shows stay, and an equal one is not in the way", async () => {
  const { root, ahead } = withRulesThatShow({ "src/out/keep": "same\n" });
  write(root, { "src/out/keep": "same\n", "src/out/other": "mine\n", "src/.env": "mine\n" });
  const branch = await openBranch({ root, vaultDir: join(temporaryFolder(), "vault") });
  expect(await branch.advance({ from: tip(root), to: ahead, yields: none })).toMatchObject({ is: "advanced" });
  expect(["src/out/keep", "src/out/other", "src/.env"].map((path) => readText(root, path))).toEqual([
    "same\n",
    "mine\n",
    "mine\n",
  ]);
});
