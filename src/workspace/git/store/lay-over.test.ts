// Overlaying files on a tree, and reading an index, without git: the result is the same as git's.
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { treeId } from "../../../core/ids.ts";
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
import type { LaidFile } from "../../workspace.ts";
import { checksumOf, parseIndex } from "../index/index-file.ts";
import { openRoomSource } from "../rooms/room-source.ts";

afterAll(removeTemporaryFolders);

const name = fc.constantFrom("a", "a.b", "a-b", "b", "ä", "a0");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const laid: fc.Arbitrary<LaidFile> = fc.record({
  path,
  content: fc.option(fc.constantFrom("", "one\n", "two\n"), { nil: null }),
});

/** No path is a parent folder of another. */
const areApart = (files: readonly LaidFile[]): boolean =>
  files.every((one) => files.every((other) => one === other || !`${other.path}/`.startsWith(`${one.path}/`)));

test("a tree with an overlay is the tree that git makes of the same files", async () => {
  const root = makeRepository({ "keep/me": "kept\n" });
  const { workspace, vaultDir } = await open(root, "git");
  const base = await workspace.tree();
  const inStore = { GIT_DIR: join(vaultDir, "store.git"), GIT_INDEX_FILE: join(vaultDir, "test-index") };
  await fc.assert(
    fc.asyncProperty(fc.array(laid, { minLength: 1, maxLength: 6 }).filter(areApart), async (files) => {
      const ours = await workspace.tree(files);
      gitAs("person", root, ["read-tree", base], inStore);
      for (const { path: at, content } of files) {
        if (content === null) continue;
        fs.writeFileSync(join(vaultDir, "content"), content);
        const blob = gitAs("person", root, ["hash-object", join(vaultDir, "content")], inStore).trim();
        gitAs("person", root, ["update-index", "--add", "--cacheinfo", `100644,${blob},${at}`], inStore);
      }
      expect(ours).toBe(gitAs("person", root, ["write-tree"], inStore).trim());
      expect(gitAs("person", root, ["fsck", "--strict", "--no-dangling", ours], inStore)).toBe("");
    }),
    { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 25) },
  );
});

test.each([
  ["a file where a folder was", { path: "src", content: "a file\n" }, ["README", "src"]],
  [
    "a file in a folder that was a file",
    { path: "README/in", content: "inside\n" },
    ["README/in", "src/deep/a", "src/b"],
  ],
  ["nothing where a folder is", { path: "src", content: null }, ["README", "src/b", "src/deep/a"]],
  ["nothing where the last file of a folder was", { path: "src/deep/a", content: null }, ["README", "src/b"]],
])("overlays %s", async (_, file, expected) => {
  const { workspace } = await open(makeRepository({ README: "r\n", "src/deep/a": "a\n", "src/b": "b\n" }), "git");
  expect([...(await workspace.list(await workspace.tree([file])))].sort()).toEqual([...expected].sort());
});

test("an executable file stays executable after an overlay", async () => {
  const root = makeRepository({ "run.sh": "one\n" });
  fs.chmodSync(join(root, "run.sh"), 0o755);
  const { workspace } = await open(root, "git");
  const { dir } = await workspace.scratch("s", await workspace.tree([{ path: "run.sh", content: "two\n" }]), {
    bring: [],
  });
  expect(fs.statSync(join(dir, "run.sh")).mode & 0o100).toBe(0o100);
  expect(fs.readFileSync(join(dir, "run.sh"), "utf8")).toBe("two\n");
});

test("names that are not valid UTF-8 survive an overlay", async () => {
  const root = makeRepository({ a: "a\n" });
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0x66])]), "odd");
  const { workspace, vaultDir } = await open(root, "git");
  const tree = await workspace.tree([{ path: "b", content: "b" }]);
  const listed = gitAs("person", root, ["ls-tree", "--name-only", tree], { GIT_DIR: join(vaultDir, "store.git") });
  expect(listed).toContain("\\377");
});

test("a clean checkout has files whose names are not valid UTF-8", async () => {
  const root = makeRepository({ a: "a\n" });
  const odd = Buffer.from([0x66, 0xff, 0x66]);
  fs.mkdirSync(Buffer.concat([Buffer.from(`${root}/`), odd]));
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), odd, Buffer.from("/"), odd]), "odd");
  const { workspace, vaultDir } = await open(root, "git");
  const source = await openRoomSource({ root, vaultDir, kind: "git" });
  const tree = await workspace.tree();
  const to = temporaryFolder();
  await source.lay(
    tree,
    (await source.entries(tree)).map(({ path }) => path),
    to,
  );
  expect(fs.readdirSync(to, { encoding: "latin1" }).sort()).toEqual(["a", "f\xfff"]);
  expect(fs.readdirSync(Buffer.concat([Buffer.from(`${to}/`), odd]), { encoding: "latin1" })).toEqual(["f\xfff"]);
});

test.each(["2", "4"])("an index of version %s is read as git reads it", (version) => {
  const root = makeRepository({
    "a/b/c": "1\n",
    "a/b/cd": "2\n",
    "a/bc": "3\n",
    z: "4\n",
    [`${"long/".repeat(40)}x`]: "5\n",
  });
  fs.symlinkSync("a/bc", join(root, "link"));
  fs.writeFileSync(join(root, "later"), "");
  person(root, "add", "link");
  person(root, "add", "--intent-to-add", "later");
  person(root, "update-index", "--index-version", version);
  const bytes = fs.readFileSync(join(root, ".git/index"));
  const lines = person(root, "ls-files", "--stage", "-z")
    .split("\0")
    .filter((line) => line !== "");
  expect(parseIndex(bytes, 20)?.map(({ mode, id, path: at }) => `${mode} ${id} 0\t${at}`)).toEqual(lines);
  expect(checksumOf(bytes, 20)).toMatch(/^[0-9a-f]{40}$/);
});

test("an index that only git can read is left to git", () => {
  const root = makeRepository();
  person(root, "update-index", "--split-index");
  expect(parseIndex(fs.readFileSync(join(root, ".git/index")), 20)).toBeNull();
});

test.each([
  ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["empty", () => Buffer.alloc(0)],
  ["zeros", (bytes: Buffer) => Buffer.alloc(bytes.length)],
])("a private index that a power cut left %s is rebuilt", async (_, spoil) => {
  const root = makeRepository();
  const { workspace, vaultDir } = await open(root, "git");
  const tree = await workspace.tree();
  fs.writeFileSync(join(vaultDir, "index"), spoil(fs.readFileSync(join(vaultDir, "index"))));
  const again = (await open(root, "git", vaultDir)).workspace;
  expect(await again.tree()).toBe(tree);
});

test("a commit of a file that exists only in a pack is complete in the person's repository", async () => {
  const root = makeRepository({ "old.txt": "the old content\n", b: "b\n" });
  person(root, "rm", "-q", "old.txt");
  person(root, "commit", "-qm", "removed");
  person(root, "repack", "-adq");
  const { workspace, vaultDir } = await open(root, "git");
  const { head } = await workspace.inspect();
  write(root, { "again.txt": "the old content\n", "new.txt": "new\n" });
  const tree = await workspace.tree();
  const made = await workspace.commit({ tree, parent: head, subject: "s", body: "", trailers: { "Loop-Run": "r" } });
  expect(made.is).toBe("made");
  fs.rmSync(vaultDir, { recursive: true });
  expect(person(root, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(treeId(person(root, "rev-parse", "HEAD^{tree}").trim())).toBe(tree);
});

test.each(["as it was", "set back"])(
  "changes made after the tree was taken show up after its commit, with their time %s",
  async (how) => {
    const root = makeRepository({ a: "1111\n", b: "b\n" });
    person(root, "config", "core.trustctime", "false");
    const { workspace } = await open(root, "git");
    const { head } = await workspace.inspect();
    const seconds = Math.floor(Date.now() / 1000);
    const change = (text: string) => {
      write(root, { a: text });
      if (how === "set back") fs.utimesSync(join(root, "a"), seconds, seconds);
    };
    change("2222\n");
    const tree = await workspace.tree();
    change("3333\n");
    write(root, { c: "c\n" });
    await setTimeout(1100); // Git compares by content only files from the same second as its index.
    await workspace.commit({ tree, parent: head, subject: "s", body: "", trailers: { "Loop-Run": "r" } });
    expect(person(root, "status", "--porcelain")).toBe(" M a\n?? c\n");
  },
);

test("checks' leftovers in a scratch folder are removed, even with unusual names", async () => {
  const root = makeRepository({ "a/b": "b\n", c: "c\n" });
  const { workspace } = await open(root, "git");
  const tree = await workspace.tree();
  const { dir } = await workspace.scratch("s", tree, { bring: [] });
  write(dir, { "a/left": "l", "build/x/y": "y", "a/.git/HEAD": "ref: refs/heads/x\n" });
  fs.writeFileSync(Buffer.concat([Buffer.from(`${dir}/a/`), Buffer.from([0xff, 0xfe])]), "odd");
  fs.mkdirSync(join(dir, "empty"));
  fs.rmSync(join(dir, "c"));
  fs.mkdirSync(join(dir, "c"));
  await workspace.scratch("s", tree, { bring: [] });
  expect(fs.readdirSync(dir).sort()).toEqual([".git", "a", "c"]);
  expect(fs.readdirSync(join(dir, "a"))).toEqual(["b"]);
  expect(fs.readFileSync(join(dir, "c"), "utf8")).toBe("c\n");
});

test("a SHA-256 repository is kept and committed to like any other", async () => {
  const root = join(temporaryFolder(), "project");
  write(root, { "a/b": "b\n", c: "c\n" });
  person(root, "init", "-q", "-b", "main", "--object-format=sha256");
  person(root, "config", "user.name", "Pat");
  person(root, "config", "user.email", "pat@example.org");
  person(root, "add", "-A");
  person(root, "commit", "-q", "-m", "first");
  const { workspace } = await open(root, "git");
  await workspace.inspect();
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "a/b": "changed\n", d: "d\n" });
  const tree = await workspace.tree([{ path: "a/laid", content: "laid\n" }]);
  expect(await workspace.list(tree)).toEqual(["a/b", "a/laid", "c", "d"]);
  const { dir } = await workspace.scratch("s", tree, { bring: [] });
  expect(fs.readFileSync(join(dir, "a/laid"), "utf8")).toBe("laid\n");
  const order = { tree, parent: checkpoint.head, subject: "s", body: "", trailers: { "Loop-Run": "r" } };
  expect((await workspace.commit(order)).is).toBe("made");
  expect(person(root, "fsck", "--strict", "--no-dangling")).toBe("");
  await workspace.restore(checkpoint, "back");
  expect(fs.readFileSync(join(root, "a/b"), "utf8")).toBe("b\n");
});
