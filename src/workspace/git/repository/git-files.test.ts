// The files of a git folder: copied to the vault, compared, and restored without following links.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Bug } from "../../../core/errors.ts";
import { exists, readText, removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import { openVault } from "../../vault.ts";
import { captureGitFiles, type GitFile, keepBytes, keptBytes, putBackGitFile, sameFile, textOf } from "./git-files.ts";

afterAll(removeTemporaryFolders);

const vault = openVault(join(temporaryFolder(), "vault"), "/somewhere");

test("all small files are copied by content; bulk folders and locks are only named", () => {
  const dir = temporaryFolder();
  write(dir, {
    HEAD: "ref: refs/heads/main\n",
    "refs/heads/main": "x\n",
    "refs/heads/objects": "a branch of that name\n",
    "refs/heads/HEAD": "another\n",
    "hooks/pre-commit.sample": "sample",
    "index.lock": "",
    "refs/heads/main.lock": "",
    "objects/info/alternates": "/elsewhere\n",
    "objects/ab/cd": "an object",
    "lfs/objects/x": "large",
    "modules/sub/HEAD": "ref: refs/heads/main\n",
    "modules/sub/objects/ab/cd": "an object",
    "annexes/x": "small",
    "logs/HEAD": "log",
    "logs/objects/x": "log of a branch",
  });
  fs.chmodSync(join(dir, "hooks/pre-commit.sample"), 0o755);
  fs.symlinkSync("nowhere", join(dir, "link"));
  const { files, locks, bulk } = captureGitFiles(vault, dir);
  expect([...bulk].sort()).toEqual(["lfs", "modules/sub/objects", "objects"]);
  expect([...locks].sort()).toEqual(["index.lock", "refs/heads/main.lock"]);
  expect(Object.keys(files).sort()).toEqual([
    ...["HEAD", "annexes/x", "hooks/pre-commit.sample", "link", "logs/HEAD", "logs/objects/x", "modules/sub/HEAD"],
    ...["objects/info/alternates", "refs/heads/HEAD", "refs/heads/main", "refs/heads/objects"],
  ]);
  expect(files["link"]).toEqual({ link: "nowhere" });
  expect(files["hooks/pre-commit.sample"]).toMatchObject({ mode: 0o755 });
  expect(textOf(vault, files["HEAD"])).toBe("ref: refs/heads/main\n");
  expect(textOf(vault, files["hooks/pre-commit.sample"])).toBe("sample");
  expect([textOf(vault, files["link"]), textOf(vault, undefined)]).toEqual([null, null]);
});

test("a pipe or socket in a git folder is skipped without blocking", async () => {
  const dir = temporaryFolder();
  write(dir, { HEAD: "x" });
  execFileSync("mkfifo", [join(dir, "fifo")]);
  const server = createServer().listen(join(dir, "fsmonitor--daemon.ipc"));
  await once(server, "listening");
  expect(Object.keys(captureGitFiles(vault, dir).files)).toEqual(["HEAD"]);
  server.close();
});

test("a git folder that is missing or is a file has no files", () => {
  const dir = temporaryFolder();
  write(dir, { file: "x" });
  for (const name of ["none", "file"])
    expect(captureGitFiles(vault, join(dir, name))).toEqual({ files: {}, locks: [], bulk: [] });
});

describe("bytes in the vault", () => {
  test.each(["soon", "content", "all"] as const)(
    "that were kept (%s) are restored, and leave nothing half-written",
    (synced) => {
      const bytes = Buffer.from(`some bytes, ${synced}`);
      const hash = keepBytes(vault, bytes, synced);
      expect(keptBytes(vault, hash)).toEqual(bytes);
      expect(keepBytes(vault, bytes, synced)).toBe(hash);
      expect(fs.readdirSync(join(vault.gitFiles, hash.slice(0, 2))).filter((name) => name.startsWith(hash))).toEqual([
        hash,
      ]);
    },
  );

  test.each([
    { what: "cut short", spoil: (path: string) => fs.truncateSync(path, 3), again: true },
    { what: "removed", spoil: (path: string) => fs.rmSync(path), again: true },
    { what: "changed in place", spoil: (path: string) => fs.writeFileSync(path, "other byte!"), again: false },
  ])("that were $what count as missing, and are never mistaken for the originals", ({ what, spoil, again }) => {
    const bytes = Buffer.from(what.padEnd(11).slice(0, 11));
    const hash = keepBytes(vault, bytes);
    spoil(join(vault.gitFiles, hash.slice(0, 2), hash));
    expect(() => keptBytes(vault, hash)).toThrow(Bug);
    keepBytes(vault, bytes);
    if (again) expect(keptBytes(vault, hash)).toEqual(bytes);
    else expect(() => keptBytes(vault, hash)).toThrow(Bug);
  });
});

const file = (hash: string, mode = 0o644): GitFile => ({ mode, hash, mtimeMs: 0 });
test.each([
  { one: undefined, other: undefined, same: true },
  { one: file("a"), other: undefined, same: false },
  { one: undefined, other: file("a"), same: false },
  { one: file("a"), other: file("a"), same: true },
  { one: file("a"), other: { ...file("a"), mtimeMs: 7 }, same: true },
  { one: file("a"), other: file("b"), same: false },
  { one: file("a", 0o644), other: file("a", 0o600), same: true },
  { one: file("a", 0o644), other: file("a", 0o755), same: false },
  { one: { link: "a" }, other: { link: "a" }, same: true },
  { one: { link: "a" }, other: { link: "b" }, same: false },
  { one: { link: "a" }, other: file("a"), same: false },
  { one: file("a"), other: { link: "a" }, same: false },
])("$one and $other are the same: $same", ({ one, other, same }) => {
  expect(sameFile(one, other)).toBe(same);
});

describe("restoring a file", () => {
  const text = (content: string, mode = 0o640): GitFile => ({
    mode,
    hash: keepBytes(vault, Buffer.from(content)),
    mtimeMs: 1_234_567_890_999,
  });

  test("restores content, mode and time, rounded down to a second", () => {
    const dir = temporaryFolder();
    putBackGitFile(vault, dir, "hooks/deep/x", text("back", 0o751));
    expect(readText(dir, "hooks/deep/x")).toBe("back");
    const { mode, mtimeMs } = fs.statSync(join(dir, "hooks/deep/x"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o751, 1_234_567_890_000]);
  });

  test.each([
    { what: "a file", make: (at: string) => fs.writeFileSync(at, "other") },
    { what: "a folder with files in it", make: (at: string) => write(at, { "x/y": "z" }) },
    { what: "a link", make: (at: string) => fs.symlinkSync("../precious", at) },
  ])("replaces $what, as a file and as a link", ({ make }) => {
    for (const back of [text("back"), { link: "elsewhere" }]) {
      const dir = temporaryFolder();
      write(dir, { precious: "precious", "info/y": "" });
      make(join(dir, "info/x"));
      putBackGitFile(vault, dir, "info/x", back);
      if ("link" in back) expect(fs.readlinkSync(join(dir, "info/x"))).toBe("elsewhere");
      else expect(fs.lstatSync(join(dir, "info/x")).isFile()).toBe(true);
      expect(readText(dir, "precious")).toBe("precious");
    }
  });

  test.each(["a link to a folder elsewhere", "a file"])("replaces %s in its path by a folder", (what) => {
    const [dir, elsewhere] = [temporaryFolder(), temporaryFolder()];
    if (what === "a file") write(dir, { hooks: "file" });
    else fs.symlinkSync(elsewhere, join(dir, "hooks"));
    putBackGitFile(vault, dir, "hooks/x", text("back"));
    expect(readText(dir, "hooks/x")).toBe("back");
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });
});

describe("removing an added file", () => {
  test("also removes folders that become empty, except those that every repository has", () => {
    const dir = temporaryFolder();
    write(dir, {
      "rebase-merge/a/b": "",
      "hooks/x": "",
      "logs/refs/heads/x": "",
      "refs/heads/y/z": "",
      "refs/heads/y/w": "",
    });
    for (const path of ["rebase-merge/a/b", "hooks/x", "logs/refs/heads/x", "refs/heads/y/z"])
      putBackGitFile(vault, dir, path, undefined);
    expect(exists(dir, "rebase-merge")).toBe(false);
    expect(fs.readdirSync(join(dir, "hooks"))).toEqual([]);
    expect(fs.readdirSync(join(dir, "logs/refs"))).toEqual([]);
    expect(fs.readdirSync(join(dir, "refs/heads/y"))).toEqual(["w"]);
  });

  test("does not follow links, and ignores missing files", () => {
    const [dir, elsewhere] = [temporaryFolder(), temporaryFolder()];
    write(elsewhere, { "a/x": "precious" });
    fs.symlinkSync(elsewhere, join(dir, "hooks"));
    putBackGitFile(vault, dir, "hooks/a/x", undefined);
    putBackGitFile(vault, dir, "none/a/x", undefined);
    expect(readText(elsewhere, "a/x")).toBe("precious");
    expect(fs.readdirSync(dir)).toEqual(["hooks"]);
  });
});
