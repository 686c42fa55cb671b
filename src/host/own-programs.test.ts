// Which program of a name the loop starts itself, with the person's rights.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findOwnProgram, findSystemProgram, isProgramOf, ownPath } from "./own-programs.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-programs-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

/** A program that no system folder has. */
const name = "loop-test-program";
function program(folder: string): string {
  fs.mkdirSync(join(dir, folder), { recursive: true });
  fs.writeFileSync(join(dir, folder, name), "#!/bin/sh\n", { mode: 0o755 });
  return join(dir, folder);
}
const found = (...folders: string[]): string | null => findOwnProgram(name, { PATH: folders.join(":") });

test("a program in a folder of the person's own is found", () => {
  const own = program("tools/bin");
  expect(found(own)).toBe(join(own, name));
});

test.each([
  { what: "a repository", mark: ".git/HEAD" },
  { what: "a linked worktree", mark: ".git" },
  { what: "a workspace without git", mark: "loop.yaml" },
])("a program of $what is not taken, and the next one is", ({ mark }) => {
  const [planted, own] = [program("project/deep/bin"), program("tools/bin")];
  const file = join(dir, "project", mark);
  fs.mkdirSync(join(file, ".."), { recursive: true });
  fs.writeFileSync(file, "");
  expect(found(planted, own)).toBe(join(own, name));
  expect(found(planted)).toBeNull();
});

test("nor one that a link leads to", () => {
  const planted = program("project/bin");
  fs.mkdirSync(join(dir, "project/.git"));
  fs.symlinkSync(planted, join(dir, "bin"));
  fs.mkdirSync(join(dir, "links"));
  fs.symlinkSync(join(planted, name), join(dir, "links", name));
  expect(found(join(dir, "bin"))).toBeNull();
  expect(found(join(dir, "links"))).toBeNull();
});

test("nor one of installed packages, or of the folder that the loop was started in", () => {
  expect(found(program("any/node_modules/.bin"))).toBeNull();
  const here = program("here/bin");
  const before = process.cwd();
  try {
    process.chdir(join(dir, "here"));
    expect(found(here)).toBeNull();
    expect(findOwnProgram("sh", { PATH: "bin:." })).toMatch(/^\/(?:usr\/)?bin\/sh$/);
  } finally {
    process.chdir(before);
  }
});

test.each([
  { what: "the folder", path: "tools/bin" },
  { what: "a folder above", path: "tools" },
  { what: "the file", path: `tools/bin/${name}` },
])("nor one that every user of the machine can replace: $what is writable", ({ path }) => {
  const own = program("tools/bin");
  fs.chmodSync(join(dir, path), 0o777);
  expect(found(own)).toBeNull();
});

test("a system folder needs no PATH", () => {
  expect(findOwnProgram("sh", {})).toMatch(/^\/(?:usr\/)?bin\/sh$/);
});

test("the PATH of what is started has the folders that only the person can write to, then the system's", () => {
  const [own, planted, open] = [program("tools/bin"), program("project/bin"), program("open/bin")];
  fs.mkdirSync(join(dir, "project/.git"));
  fs.symlinkSync(planted, join(dir, "linked"));
  fs.chmodSync(open, 0o777);
  const path = ownPath({ PATH: [planted, join(dir, "linked"), open, "bin", "", own].join(":") }).split(":");
  expect(path.slice(0, 2)).toEqual([own, "/usr/bin"]);
  expect(path).toContain("/run/current-system/sw/bin");
});

test("of a program of the system's, its own is taken before another on PATH", () => {
  const own = program("tools/bin");
  fs.writeFileSync(join(own, "cp"), "#!/bin/sh\n", { mode: 0o755 });
  const before = process.env["PATH"];
  try {
    process.env["PATH"] = own;
    expect(findSystemProgram("cp")).toMatch(/^\/(?:usr\/)?bin\/cp$/);
    expect(findSystemProgram(name)).toBe(join(own, name));
  } finally {
    process.env["PATH"] = before;
  }
});

test("a program is of a folder if it lies there, also by a link", () => {
  const own = program("tools/bin");
  program("project/bin");
  fs.symlinkSync(join(dir, "project/bin", name), join(own, "linked"));
  expect(isProgramOf(join(dir, "project"), join(own, "linked"))).toBe(true);
  expect(isProgramOf(join(dir, "project"), join(own, name))).toBe(false);
});
