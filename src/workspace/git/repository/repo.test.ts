// Where a repository is, determined from files alone.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { findRepositoryRoot, locate, lockKey, ownPrefix } from "./repo.ts";

afterAll(removeTemporaryFolders);

describe("a folder", () => {
  test("with a .git folder has its repository there, even if a file in it says otherwise", () => {
    const root = temporaryFolder();
    write(root, { ".git/commondir": "/elsewhere" });
    expect(locate(root)).toEqual({ gitDir: join(root, ".git"), commonDir: join(root, ".git"), gitFile: null });
  });

  test("with a link or nothing at .git has none", () => {
    const root = temporaryFolder();
    expect(locate(root)).toBeNull();
    fs.symlinkSync(join(makeRepository(), ".git"), join(root, ".git"));
    expect(locate(root)).toBeNull();
  });

  test.each([
    { text: "gitdir: there\n", found: true },
    { text: "gitdir: there", found: true },
    { text: "gitdir: ./there\n\n", found: true },
    { text: "gitdir: missing\n", found: false },
    { text: "gitdir: file\n", found: false },
    { text: "gitdir: there\nmore", found: false },
    { text: " gitdir: there\n", found: false },
    { text: "gitdir:there\n", found: false },
    { text: "", found: false },
  ])("whose .git is a file with $text has one: $found", ({ text, found }) => {
    const root = temporaryFolder();
    write(root, { ".git": text, "there/HEAD": "", file: "" });
    const there = join(root, "there");
    expect(locate(root)).toEqual(found ? { gitDir: there, commonDir: there, gitFile: text } : null);
  });

  test("may name its git folder by an absolute path, and that one its common folder by a relative one", () => {
    const [root, at] = [temporaryFolder(), temporaryFolder()];
    write(at, { "main/HEAD": "", "main/worktrees/w/commondir": "../..\n" });
    const gitFile = `gitdir: ${at}/main/worktrees/w\n`;
    write(root, { ".git": gitFile });
    expect(locate(root)).toEqual({ gitDir: join(at, "main/worktrees/w"), commonDir: join(at, "main"), gitFile });
  });
});

test("the search for a folder's repository goes upwards and ends at the root", () => {
  const root = makeRepository();
  expect(findRepositoryRoot(join(root, "src/lib"))).toBe(root);
  expect(findRepositoryRoot(root)).toBe(root);
  expect(findRepositoryRoot("/")).toBeNull(); // The temporary folder may be inside a repository.
});

test("the files of a linked worktree are in a subfolder, those of the main one are not", () => {
  const root = makeRepository();
  const linked = join(temporaryFolder(), "linked");
  person(root, "worktree", "add", "-q", linked);
  const [main, other] = [locate(root), locate(linked)];
  expect(main && ownPrefix(main)).toBe("");
  expect(other && ownPrefix(other)).toBe("worktrees/linked/");
  const elsewhere = temporaryFolder();
  expect(ownPrefix({ gitDir: elsewhere, commonDir: join(root, ".git"), gitFile: null })).toBe("");
});

test("two paths to one folder have one lock", () => {
  const root = makeRepository();
  const link = join(temporaryFolder(), "link");
  fs.symlinkSync(root, link);
  expect(lockKey(link)).toBe(join(root, ".git"));
});
