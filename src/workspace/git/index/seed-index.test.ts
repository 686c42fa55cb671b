// The first private index is a copy of the person's, and matches every file in the folder.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askStore, groundOf } from "../../../testing/ground.ts";
import {
  gitAs,
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { keepRepository } from "../checkpoint.ts";
import { snapshot, topArea } from "../files/snapshot.ts";
import type { Ground } from "../ground.ts";
import type { Settings } from "../repository/settings.ts";
import { readEntries, seedIndex } from "./seed-index.ts";

afterAll(removeTemporaryFolders);

const second = { date: new Date("2026-01-02T03:04:05Z"), text: `${Date.parse("2026-01-02T03:04:05Z") / 1000}` };

/** Files with another time than the index, so that git rechecks none. */
function age(root: string): void {
  for (const name of fs.readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (!name.startsWith(".git") && fs.lstatSync(join(root, name)).isFile())
      fs.utimesSync(join(root, name), second.date, second.date);
  person(root, "update-index", "-q", "--refresh");
}

async function seeded(root: string, given: Partial<Settings> = {}): Promise<Ground> {
  const ground = await groundOf(root, given);
  await keepRepository(ground, join(root, ".git"), ground.vault.copy, true);
  await seedIndex(ground, topArea(ground));
  return ground;
}
const entriesOf = (ground: Ground) => readEntries(ground, topArea(ground), ground.vault.index);
const flagged = (root: string): string =>
  gitAs("person", root, ["ls-files", "-v"], { GIT_INDEX_FILE: join(root, ".git/index") });

describe("entries", () => {
  test("are read with mode, id, size, time and path, for any path", async () => {
    const root = makeRepository({ "flags: 0\nname": "12345", "tab\tin it": "1", ä: "123" });
    fs.writeFileSync(join(root, "run"), "#!", { mode: 0o755 });
    person(root, "add", "-A");
    age(root);
    const ground = await groundOf(root);
    const found = await readEntries(ground, topArea(ground), join(root, ".git/index"));
    const id = (path: string) => person(root, "rev-parse", `:${path}`).trim();
    const plain = { mtime: `${second.text}:0`, kept: false, skipped: false };
    expect(found).toEqual([
      { mode: "100644", id: id("flags: 0\nname"), path: "flags: 0\nname", size: 5, ...plain },
      { mode: "100755", id: id("run"), path: "run", size: 2, ...plain },
      { mode: "100644", id: id("tab\tin it"), path: "tab\tin it", size: 1, ...plain },
      { mode: "100644", id: id("ä"), path: Buffer.from("ä").toString("latin1"), size: 3, ...plain },
    ]);
  });

  test("include those marked as unchanged, and those outside a sparse checkout", async () => {
    const root = makeRepository({ a: "1", b: "2", c: "3" });
    person(root, "update-index", "--assume-unchanged", "a");
    person(root, "update-index", "--skip-worktree", "b");
    const ground = await groundOf(root);
    const found = await readEntries(ground, topArea(ground), join(root, ".git/index"));
    expect(found.map(({ path, kept, skipped }) => ({ path, kept, skipped }))).toEqual([
      { path: "a", kept: true, skipped: false },
      { path: "b", kept: false, skipped: true },
      { path: "c", kept: false, skipped: false },
    ]);
  });

  test("are none in an empty index", async () => {
    const root = makeRepository({ a: "1" });
    person(root, "rm", "-q", "--cached", "a");
    const ground = await groundOf(root);
    expect(await readEntries(ground, topArea(ground), join(root, ".git/index"))).toEqual([]);
  });
});

describe("a seeded index", () => {
  test("has the times of the person's, so that no file is read again", async () => {
    const root = makeRepository({ a: "1", "b/c": "2" });
    age(root);
    const ground = await seeded(root);
    expect((await entriesOf(ground)).map(({ path, mtime }) => [path, mtime])).toEqual([
      ["a", `${second.text}:0`],
      ["b/c", `${second.text}:0`],
    ]);
    expect(fs.existsSync(`${ground.vault.index}.seed`)).toBe(false);
  });

  test("leaves the person's index as it is", async () => {
    const root = makeRepository({ a: "1" });
    person(root, "update-index", "--assume-unchanged", "a");
    const before = fs.readFileSync(join(root, ".git/index"));
    await seeded(root);
    expect(fs.readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
    expect(flagged(root)).toBe("h a\n");
  });

  test("rechecks a file whose blob has another size, and only that", async () => {
    const root = makeRepository({ ".gitattributes": "x text\n", a: "1", x: "one\r\n" });
    age(root);
    fs.rmSync(join(root, ".gitattributes"));
    const ground = await seeded(root);
    expect((await entriesOf(ground)).map(({ path, mtime }) => [path, mtime])).toEqual([
      [".gitattributes", expect.any(String)],
      ["a", `${second.text}:0`],
      ["x", "0:0"],
    ]);
    const { tree } = await snapshot(ground);
    expect(askStore(ground, "cat-file", "-s", `${tree}:x`)).toBe("5");
  });

  test.each([
    { what: "attributes in the folder", files: { ".gitattributes": "*.none text\n" }, given: {} },
    { what: "a setting", files: {}, given: { conversions: ["core.autocrlf=input"] } },
  ])("rechecks every file where $what may convert it", async ({ files, given }) => {
    const root = makeRepository({ a: "1", "b/c": "2", ...files });
    age(root);
    const found = (await entriesOf(await seeded(root, given))).filter(({ path }) => !path.startsWith("."));
    expect(found.map(({ path, mtime, id }) => [path, mtime, id])).toEqual([
      ["a", "0:0", person(root, "rev-parse", ":a").trim()],
      ["b/c", "0:0", person(root, "rev-parse", ":b/c").trim()],
    ]);
  });

  test("rechecks a file that the person marked as unchanged", async () => {
    const root = makeRepository({ a: "1", b: "2" });
    age(root);
    person(root, "update-index", "--assume-unchanged", "a");
    write(root, { a: "9" });
    const ground = await seeded(root);
    expect((await entriesOf(ground)).map(({ path, kept, mtime }) => [path, kept, mtime])).toEqual([
      ["a", false, "0:0"],
      ["b", false, `${second.text}:0`],
    ]);
    expect(askStore(ground, "cat-file", "blob", `${(await snapshot(ground)).tree}:a`)).toBe("9");
  });

  test.each([
    { what: "nothing is converted", given: {} },
    { what: "git converts", given: { conversions: ["core.autocrlf=input"] } },
  ])("keeps files outside a sparse checkout, where $what", async ({ given }) => {
    const root = makeRepository({ a: "1", "out/b": "2" });
    person(root, "sparse-checkout", "set", "--no-cone", "/*", "!/out/");
    const ground = await seeded(root, given);
    expect((await entriesOf(ground)).map(({ path, skipped }) => [path, skipped])).toEqual([
      ["a", false],
      ["out/b", true],
    ]);
    expect((await snapshot(ground)).paths).toEqual(["a", "out/b"]);
  });

  test.each([
    { what: "nothing is converted", given: {} },
    { what: "git converts", given: { conversions: ["core.autocrlf=input"] } },
  ])("has no links to other repositories, where $what", async ({ given }) => {
    const root = makeRepository({ a: "1" });
    const head = person(root, "rev-parse", "HEAD").trim();
    person(root, "update-index", "--add", "--cacheinfo", `160000,${head},link`);
    expect((await entriesOf(await seeded(root, given))).map(({ path }) => path)).toEqual(["a"]);
  });

  test("of a SHA-256 repository works the same", async () => {
    const root = join(temporaryFolder(), "longer");
    fs.mkdirSync(root);
    person(root, "init", "-q", "--object-format=sha256");
    write(root, { ".gitattributes": "* text\n", a: "1\r\n" });
    person(root, "add", "-A");
    person(root, "commit", "-qm", "first");
    person(root, "update-index", "--add", "--cacheinfo", `160000,${person(root, "rev-parse", "HEAD").trim()},link`);
    const ground = await seeded(root);
    expect((await entriesOf(ground)).map(({ path }) => path)).toEqual([".gitattributes", "a"]);
    expect(askStore(ground, "cat-file", "-s", `${(await snapshot(ground)).tree}:a`)).toBe("3");
  });

  test("is missing if the person has no index", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q");
    const ground = await seeded(root);
    expect(fs.existsSync(ground.vault.index)).toBe(false);
  });
});
