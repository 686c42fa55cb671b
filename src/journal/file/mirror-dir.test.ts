// Nothing is written if the twin's folder is not where it should be.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MirrorDir } from "./mirror-dir.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-mirror-")));
  fs.mkdirSync(join(dir, "work"));
  fs.mkdirSync(join(dir, "outside"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));
const at = (path: string) => join(dir, path);

test.each([true, false])("a missing folder is created (root given: %s)", (given) => {
  const mirror = new MirrorDir(at("work/a/b/c"), given ? at("work") : undefined);
  expect(mirror.isReal()).toBe(false);
  mirror.ensure();
  expect(mirror.isReal()).toBe(true);
  expect(fs.statSync(at("work/a/b/c")).isDirectory()).toBe(true);
  mirror.ensure();
});

test.each(["work/a", "work/a/b", "work/a/b/c"])("with a link at %s nothing is created in its target", (link) => {
  const mirror = new MirrorDir(at("work/a/b/c"), at("work"));
  fs.mkdirSync(join(at(link), ".."), { recursive: true });
  fs.symlinkSync(at("outside"), at(link));
  expect(mirror.isReal()).toBe(false);
  expect(() => mirror.ensure()).toThrow(/leads to/);
  expect(fs.readdirSync(at("outside"))).toEqual([]);
});

test("a dangling link is refused too", () => {
  const mirror = new MirrorDir(at("work/a"), at("work"));
  fs.symlinkSync(at("nowhere"), at("work/a"));
  expect(() => mirror.ensure()).toThrow(/leads to nowhere/);
  expect(fs.existsSync(at("nowhere"))).toBe(false);
});

test("the root itself may be reached through a link", () => {
  fs.symlinkSync(at("work"), at("link"));
  const mirror = new MirrorDir(at("link/a/b"), at("link"));
  mirror.ensure();
  expect(mirror.isReal()).toBe(true);
  expect(fs.existsSync(at("work/a/b"))).toBe(true);
});

test("without a root, the folders that exist at first are trusted, later ones are not", () => {
  fs.symlinkSync(at("work"), at("link"));
  const mirror = new MirrorDir(at("link/a/b"), undefined);
  mirror.ensure();
  expect(fs.existsSync(at("work/a/b"))).toBe(true);
  fs.rmSync(at("work/a"), { recursive: true });
  fs.symlinkSync(at("outside"), at("work/a"));
  expect(() => mirror.ensure()).toThrow(/leads to/);
  expect(fs.readdirSync(at("outside"))).toEqual([]);
});

test("a missing root is not recreated", () => {
  const mirror = new MirrorDir(at("gone/a"), at("gone"));
  expect(mirror.isReal()).toBe(false);
  expect(() => mirror.ensure()).toThrow(/leads to/);
  expect(fs.existsSync(at("gone"))).toBe(false);
});

test("a file in the path is an error, and stays", () => {
  const mirror = new MirrorDir(at("work/a/b/c"), at("work"));
  fs.writeFileSync(at("work/a"), "file");
  expect(mirror.isReal()).toBe(false);
  expect(() => mirror.ensure()).toThrow();
  expect(fs.readFileSync(at("work/a"), "utf8")).toBe("file");
});

test("a file in the path does not stop the search for existing folders", () => {
  fs.writeFileSync(at("work/a"), "file");
  const mirror = new MirrorDir(at("work/a/b"), undefined);
  expect(mirror.isReal()).toBe(false);
});

test("a path that is too long is a separate error", () => {
  expect(() => new MirrorDir(at("x".repeat(300)), undefined)).toThrow(/ENAMETOOLONG/);
});
