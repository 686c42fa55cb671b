// Single files of the workspace: never through a link, never outside.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepHalfWritten, workspaceDisk } from "./workspace-disk.ts";

let dir = "";
let root = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-disk-"));
  root = join(dir, "workspace");
  fs.mkdirSync(root);
  fs.mkdirSync(join(dir, "outside"));
  fs.writeFileSync(join(dir, "outside", "secret.md"), "secret");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

test("a written file is read back, and missing folders are created", () => {
  const disk = workspaceDisk(root);
  expect(disk.read("docs/a.md")).toBeNull();
  disk.write("docs/a.md", "text");
  expect(disk.read("docs/a.md")).toBe("text");
  disk.write("docs/a.md", null);
  expect(disk.read("docs/a.md")).toBeNull();
});

test.each(["../x", "docs/../../x", "/etc/passwd", "", "docs//x", "./x"])("%j is not a workspace path", (path) => {
  expect(() => workspaceDisk(root).read(path)).toThrow();
  expect(() => workspaceDisk(root).write(path, "x")).toThrow();
});

test("a link to a folder outside is neither read nor written through", () => {
  fs.symlinkSync(join(dir, "outside"), join(root, "docs"));
  const disk = workspaceDisk(root);
  expect(disk.read("docs/secret.md")).toBeNull();
  disk.write("docs/secret.md", "ours");
  expect(fs.readFileSync(join(dir, "outside", "secret.md"), "utf8")).toBe("secret");
  expect(disk.read("docs/secret.md")).toBe("ours");
});

test.each([
  { what: "a link", at: "docs", put: (path: string) => fs.symlinkSync("/outside", path) },
  { what: "a file", at: "docs", put: (path: string) => fs.writeFileSync(path, "x") },
  { what: "a folder in place of the file", at: "docs/a.md", put: (path: string) => fs.mkdirSync(path) },
  { what: "a link in place of .loop", at: ".loop", put: (path: string) => fs.symlinkSync("/outside", path) },
])("$what that is in the way is moved to where no commit takes it up", ({ at, put }) => {
  fs.mkdirSync(join(root, at, ".."), { recursive: true });
  put(join(root, at));
  const disk = workspaceDisk(root);
  for (const path of ["docs/a.md", ".loop/tasks/b.md"]) disk.write(path, "ours");
  expect(fs.readdirSync(root).sort()).toEqual([".loop", "docs"]);
  expect(fs.readdirSync(join(root, "docs"))).toEqual(["a.md"]);
  const [kept = ""] = fs.readdirSync(join(root, ".loop", "set-aside"));
  expect(kept).toMatch(new RegExp(`^${at.split("/").at(-1)}-`));
});

test("what a crash left beside .loop goes to where it belongs, with the next that is in the way", () => {
  fs.writeFileSync(join(root, ".loop-set-aside-.loop-1-a"), "x");
  fs.writeFileSync(join(root, "docs"), "y");
  workspaceDisk(root).write("docs/a.md", "ours");
  expect(fs.readdirSync(root).sort()).toEqual([".loop", "docs"]);
  expect(fs.readdirSync(join(root, ".loop/set-aside"))).toEqual([".loop-1-a", expect.stringMatching(/^docs-/)]);
});

test("what is in the way of set-aside itself is moved there, too", () => {
  fs.mkdirSync(join(root, ".loop"));
  fs.symlinkSync("/outside", join(root, ".loop/set-aside"));
  fs.writeFileSync(join(root, "docs"), "y");
  workspaceDisk(root).write("docs/a.md", "ours");
  expect(fs.readdirSync(root).sort()).toEqual([".loop", "docs"]);
  expect(fs.readdirSync(join(root, ".loop/set-aside")).sort()).toEqual([
    expect.stringMatching(/^docs-/),
    expect.stringMatching(/^set-aside-/),
  ]);
});

test("a link in place of a file is replaced, and its target is left alone", () => {
  fs.mkdirSync(join(root, "docs"));
  fs.symlinkSync(join(dir, "outside", "secret.md"), join(root, "docs", "a.md"));
  const disk = workspaceDisk(root);
  expect(disk.read("docs/a.md")).toBeNull();
  disk.write("docs/a.md", "ours");
  expect(fs.readFileSync(join(dir, "outside", "secret.md"), "utf8")).toBe("secret");
  expect(disk.read("docs/a.md")).toBe("ours");
});

test("a folder or a pipe in place of a file does not hang or fail", () => {
  fs.mkdirSync(join(root, "docs", "a.md"), { recursive: true });
  const disk = workspaceDisk(root);
  expect(disk.read("docs/a.md")).toBeNull();
  disk.write("docs/a.md", "ours");
  expect(disk.read("docs/a.md")).toBe("ours");
});

test("the leftovers of an interrupted write are removed, and nothing that only looks like them", () => {
  workspaceDisk(root).write("docs/a.md", "text");
  const ours = "a.md.0123456789ab.tmp";
  const theirs = [
    "a.md.tmp",
    "a.md.0123456789ab.tmp.md",
    "b.md.0123456789ab.tmp",
    "a.md.0123456789AB.tmp",
    "a.md.0123.tmp",
  ];
  for (const name of [ours, ...theirs]) fs.writeFileSync(join(root, "docs", name), "half");
  fs.mkdirSync(join(root, "docs", "a.md.ffffffffffff.tmp"));
  sweepHalfWritten(root, ["docs/a.md", "nowhere/a.md"]);
  expect(fs.readdirSync(join(root, "docs")).sort()).toEqual(["a.md", "a.md.ffffffffffff.tmp", ...theirs].sort());
});

test("nothing is swept through a link", () => {
  fs.writeFileSync(join(dir, "outside", "a.md.0123456789ab.tmp"), "theirs");
  fs.symlinkSync(join(dir, "outside"), join(root, "docs"));
  sweepHalfWritten(root, ["docs/a.md"]);
  expect(fs.readdirSync(join(dir, "outside"))).toContain("a.md.0123456789ab.tmp");
});
