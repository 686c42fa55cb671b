// Refs are restored by git's rules for its files, and not during concurrent changes.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exists, readText, removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import { putBackRefs } from "./put-back-ref.ts";

afterAll(removeTemporaryFolders);

const [one, two] = ["1".repeat(40), "2".repeat(40)];
function gitDir(files: Record<string, string>): string {
  const dir = temporaryFolder();
  write(dir, { HEAD: "ref: refs/heads/main\n", ...files });
  return dir;
}
const locks = (dir: string) =>
  fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock"));

test("a ref that was moved, added or removed is restored, and no lock stays", () => {
  const dir = gitDir({ "refs/heads/moved": `${two}\n`, "refs/heads/made": `${two}\n` });
  putBackRefs(dir, [
    { name: "refs/heads/moved", from: two, to: one },
    { name: "refs/heads/made", from: two, to: null },
    { name: "refs/heads/deep/removed", from: null, to: one },
  ]);
  expect(readText(dir, "refs/heads/moved")).toBe(`${one}\n`);
  expect(exists(dir, "refs/heads/made")).toBe(false);
  expect(readText(dir, "refs/heads/deep/removed")).toBe(`${one}\n`);
  expect(locks(dir)).toEqual([]);
});

test("a packed ref is removed with its peeled line, and the others stay", () => {
  const packed = [
    "# pack-refs",
    `${one} refs/heads/a`,
    `${two} refs/tags/v1`,
    `^${one}`,
    `${two} refs/tags/v2`,
    `^${two}`,
    "",
  ];
  const dir = gitDir({ "packed-refs": packed.join("\n") });
  putBackRefs(dir, [{ name: "refs/tags/v1", from: two, to: null }]);
  expect(readText(dir, "packed-refs")).toBe(["# pack-refs", packed[1], packed[4], packed[5], ""].join("\n"));
  expect(locks(dir)).toEqual([]);
});

test("packed refs are not rewritten if the removed one is not among them", () => {
  const dir = gitDir({ "packed-refs": `${one} refs/heads/a\n`, "refs/heads/b": one });
  const before = fs.statSync(join(dir, "packed-refs")).ino;
  putBackRefs(dir, [{ name: "refs/heads/b", from: one, to: null }]);
  expect(fs.statSync(join(dir, "packed-refs")).ino).toBe(before);
});

test("a loose ref takes precedence over a packed one", () => {
  const dir = gitDir({ "packed-refs": `${one} refs/heads/a\n`, "refs/heads/a": two });
  putBackRefs(dir, [{ name: "refs/heads/a", from: two, to: one }]);
  expect(readText(dir, "refs/heads/a")).toBe(`${one}\n`);
});

describe("a name that is a folder now", () => {
  test("becomes a ref again when the refs below it are removed too", () => {
    const dir = gitDir({ "refs/heads/a/b/c": two });
    putBackRefs(dir, [
      { name: "refs/heads/a", from: null, to: one },
      { name: "refs/heads/a/b/c", from: two, to: null },
    ]);
    expect(readText(dir, "refs/heads/a")).toBe(`${one}\n`);
  });

  test("becomes a ref again if it has only empty folders", () => {
    const dir = gitDir({});
    fs.mkdirSync(join(dir, "refs/heads/a/b/c"), { recursive: true });
    putBackRefs(dir, [{ name: "refs/heads/a", from: null, to: one }]);
    expect(readText(dir, "refs/heads/a")).toBe(`${one}\n`);
  });
});

test("folders that a removed ref leaves empty are removed, but never refs/heads itself", () => {
  const dir = gitDir({ "refs/heads/x/y/z": two, "refs/remotes/o/a": two, "refs/remotes/o/b": two });
  putBackRefs(dir, [
    { name: "refs/heads/x/y/z", from: two, to: null },
    { name: "refs/remotes/o/a", from: two, to: null },
  ]);
  expect(exists(dir, "refs/heads/x")).toBe(false);
  expect(exists(dir, "refs/heads")).toBe(true);
  expect(exists(dir, "refs/remotes/o/b")).toBe(true);
});

test.each([
  {
    what: "another git command holds",
    files: { "refs/heads/a": one, "refs/heads/a.lock": "" },
    left: ["refs/heads/a.lock"],
  },
  { what: "was moved meanwhile", files: { "refs/heads/a": two }, left: [] },
  { what: "is gone meanwhile", files: {}, left: [] },
  { what: "was moved meanwhile, packed,", files: { "packed-refs": `${two} refs/heads/a\n` }, left: [] },
])("a ref that $what is not touched", ({ files, left }) => {
  const dir = gitDir(files);
  const before = exists(dir, "refs/heads/a") ? readText(dir, "refs/heads/a") : null;
  for (const to of [null, "3".repeat(40)])
    expect(() => putBackRefs(dir, [{ name: "refs/heads/a", from: one, to }])).toThrow(
      expect.objectContaining({ code: "ref-busy" }),
    );
  expect(exists(dir, "refs/heads/a") ? readText(dir, "refs/heads/a") : null).toBe(before);
  expect(locks(dir)).toEqual(left);
});

test("a ref that is a link counts as broken, and is replaced, not followed", () => {
  const dir = gitDir({ elsewhere: "precious" });
  fs.mkdirSync(join(dir, "refs/heads"), { recursive: true });
  fs.symlinkSync("../../elsewhere", join(dir, "refs/heads/a"));
  putBackRefs(dir, [{ name: "refs/heads/a", from: "broken", to: one }]);
  expect(readText(dir, "refs/heads/a")).toBe(`${one}\n`);
  expect(fs.lstatSync(join(dir, "refs/heads/a")).isFile()).toBe(true);
  expect(readText(dir, "elsewhere")).toBe("precious");
});
