// The git folder of a scratch checkout, after checks that changed it.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/workspace-rig.ts";
import { ownGitFolder } from "./own-git-folder.ts";

let dir: string;
let gitDir: string;
let made: readonly string[];
beforeEach(() => {
  dir = join(temporaryFolder(), "scratch");
  fs.mkdirSync(dir);
  gitDir = join(dir, ".git");
  ownGitFolder(dir);
  made = content();
});

/** Every path with its content: a folder, a text, or a link target. */
function content(inside = ""): string[] {
  return fs.readdirSync(join(gitDir, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) return [`${path}/`, ...content(path)];
    const at = join(gitDir, path);
    return [entry.isSymbolicLink() ? `${path} -> ${fs.readlinkSync(at)}` : `${path}: ${fs.readFileSync(at, "utf8")}`];
  });
}

test("git accepts it as a repository, with the checkout as its top folder", () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: dir };
  const top = execFileSync("git", ["rev-parse", "--show-toplevel"], { cwd: dir, env, encoding: "utf8" });
  expect(top.trim()).toBe(fs.realpathSync(dir));
});

test("an untouched one is not rebuilt", () => {
  const stamp = () => {
    const { ino, ctimeNs } = fs.statSync(join(gitDir, "config"), { bigint: true });
    return [ino, ctimeNs];
  };
  const before = stamp();
  ownGitFolder(dir);
  expect(stamp()).toEqual(before);
});

const at = (path: string) => join(gitDir, path);
test.each<{ title: string; act: () => void }>([
  {
    title: "added a hook",
    act: () => {
      fs.mkdirSync(at("hooks"));
      fs.writeFileSync(at("hooks/pre-commit"), "x");
    },
  },
  { title: "added an empty folder", act: () => fs.mkdirSync(at("refs/heads/a")) },
  { title: "edited the configuration", act: () => fs.appendFileSync(at("config"), "[alias]\n\tst = !sh\n") },
  { title: "changed a letter", act: () => fs.writeFileSync(at("HEAD"), "ref: refs/heads/scratcH\n") },
  { title: "wrote objects", act: () => fs.writeFileSync(at("objects/info/alternates"), "/elsewhere\n") },
  { title: "removed a folder", act: () => fs.rmdirSync(at("refs/tags")) },
  { title: "removed all of it", act: () => fs.rmSync(gitDir, { recursive: true }) },
  {
    title: "put a file in its place",
    act: () => {
      fs.rmSync(gitDir, { recursive: true });
      fs.writeFileSync(gitDir, "gitdir: /elsewhere\n");
    },
  },
  {
    title: "put a link to a folder like it in its place",
    act: () => {
      fs.renameSync(gitDir, join(dir, "moved"));
      fs.symlinkSync(join(dir, "moved"), gitDir);
    },
  },
  {
    title: "put a link in place of a folder in it",
    act: () => {
      fs.rmdirSync(at("refs/heads"));
      fs.symlinkSync(at("refs/tags"), at("refs/heads"));
    },
  },
  {
    title: "put a link in place of a file with the same text",
    act: () => {
      fs.renameSync(at("config"), join(dir, "config"));
      fs.symlinkSync(join(dir, "config"), at("config"));
    },
  },
  { title: "gave a file a second name", act: () => fs.linkSync(at("HEAD"), join(dir, "second")) },
])("after a check that $title it is restored", ({ act }) => {
  act();
  ownGitFolder(dir);
  expect(fs.lstatSync(gitDir).isDirectory()).toBe(true);
  expect(content()).toEqual(made);
  expect(fs.statSync(at("HEAD")).nlink).toBe(1);
});
