// Indexes written by git, in every version, read without git.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeRepository, person, removeTemporaryFolders, temporaryFolder } from "../../../testing/workspace-rig.ts";
import { checksumOf, parseIndex } from "./index-file.ts";

afterAll(removeTemporaryFolders);

const blob = "0123456789abcdef0123456789abcdef01234567";
const long = `${"deep/".repeat(60)}x`;
/** Names of every length around a multiple of eight, with long and with no common prefixes. */
const paths = [
  ...Array.from({ length: 20 }, (_, at) => "n".repeat(at + 1)),
  ...["a/one", "a/other", "b", long, `${long}y`, "zażółć/🐢", "sp ace\ttab"],
];

function indexWith(root: string, version: number): Buffer {
  fs.rmSync(join(root, ".git/index"), { force: true });
  const lines = paths.map((path, at) => `${at % 3 === 0 ? "100755" : "100644"} ${blob} 0\t${path}\0`);
  const input = [...lines, `120000 ${blob} 0\tlink\0`, `160000 ${blob} 0\tmodule\0`].join("");
  execFileSync("git", ["update-index", "-z", "--index-info"], { cwd: root, input });
  person(root, "update-index", `--index-version=${version}`);
  if (version > 2) person(root, "update-index", "--skip-worktree", "b", "nnn", long);
  return fs.readFileSync(join(root, ".git/index"));
}

function listed(root: string): unknown[] {
  const text = execFileSync("git", ["ls-files", "--stage", "-z"], { cwd: root, encoding: "latin1" });
  return text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [mode, id] = line.split(" ");
      return { mode, id, path: line.slice(line.indexOf("\t") + 1) };
    });
}

test.each([2, 3, 4])("an index of version %i has the entries that git lists", (version) => {
  const root = makeRepository();
  const index = indexWith(root, version);
  expect(index.readUInt32BE(4)).toBe(version);
  const found = parseIndex(index, 20);
  expect(found).toHaveLength(paths.length + 2);
  expect(found).toEqual(listed(root));
});

test("an index with SHA-256 ids has the entries that git lists", () => {
  const root = temporaryFolder();
  person(root, "init", "-q", "--object-format=sha256");
  fs.writeFileSync(join(root, "file"), "x");
  person(root, "add", "-A");
  const index = fs.readFileSync(join(root, ".git/index"));
  expect(parseIndex(index, 32)).toEqual(listed(root));
  expect(checksumOf(index, 32)).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  { what: "a split index", make: (root: string) => person(root, "update-index", "--split-index") },
  {
    what: "a sparse index",
    make: (root: string) => person(root, "sparse-checkout", "set", "--cone", "--sparse-index", "src"),
  },
])("$what is left to git", ({ make }) => {
  const root = makeRepository();
  expect(parseIndex(fs.readFileSync(join(root, ".git/index")), 20)).not.toBeNull();
  make(root);
  expect(parseIndex(fs.readFileSync(join(root, ".git/index")), 20)).toBeNull();
});

/** An index without entries: signature, version, count, parts, checksum. */
const bare = (version: number, parts = Buffer.alloc(0), checksum = "ab".repeat(20), signature = "DIRC"): Buffer =>
  Buffer.concat([
    Buffer.from(signature),
    Buffer.from([0, 0, 0, version, 0, 0, 0, 0]),
    parts,
    Buffer.from(checksum, "hex"),
  ]);
const part = (name: string, length: number): Buffer =>
  Buffer.concat([Buffer.from(name), Buffer.from([0, 0, 0, length]), Buffer.alloc(length)]);

test.each([1, 5])("an index of version %i is left to git", (version) => {
  expect(parseIndex(bare(version), 20)).toBeNull();
});

test.each([
  { parts: [], readable: true },
  { parts: [part("TREE", 4)], readable: true },
  { parts: [part("Zebr", 0)], readable: true },
  { parts: [part("aaaa", 0)], readable: false },
  { parts: [part("TREE", 9), part("link", 3)], readable: false },
])("an index with parts $parts can be read here: $readable", ({ parts, readable }) => {
  expect(parseIndex(bare(2, Buffer.concat(parts)), 20)).toEqual(readable ? [] : null);
});

describe("the checksum", () => {
  test("is at the end of the file", () => {
    expect(checksumOf(bare(2), 20)).toBe("ab".repeat(20));
  });

  test.each([
    { what: "a file of another kind", index: bare(2, Buffer.alloc(0), "ab".repeat(20), "PACK") },
    { what: "an index that was written without one", index: bare(2, Buffer.alloc(0), "00".repeat(20)) },
    { what: "half an index", index: bare(2).subarray(0, 31) },
    { what: "an empty file", index: Buffer.alloc(0) },
  ])("$what has none", ({ index }) => {
    expect(checksumOf(index, 20)).toBeNull();
  });

  test("that only starts or ends with zeros is valid", () => {
    for (const checksum of [`${"00".repeat(19)}01`, `01${"00".repeat(19)}`])
      expect(checksumOf(bare(2, Buffer.alloc(0), checksum), 20)).toBe(checksum);
  });
});
