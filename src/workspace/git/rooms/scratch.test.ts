// A scratch folder after a check tampered with its linked files, and the order of quarantine entries.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { treeId } from "../../../core/ids.ts";
import {
  everything,
  exists,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const ignoring = { ".gitignore": "node_modules/\n", "sub/file": "x", "main.js": "1\n" };

test("a check's replacement of a linked folder does no harm, and is gone the next time", async () => {
  const root = makeRepository(ignoring);
  write(root, { "node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const tree = await workspace.tree();
  const first = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  fs.unlinkSync(join(first.dir, "node_modules"));
  write(first.dir, { "node_modules/dep": "changed by a check" });
  await first.dispose();
  const { dir } = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  expect(readText(dir, "node_modules/dep")).toBe("dep");
  expect(readText(root, "node_modules/dep")).toBe("dep");
});

test("an incomplete list of linked paths is ignored, and the folder is rebuilt", async () => {
  const root = makeRepository(ignoring);
  write(root, { "node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const tree = await workspace.tree();
  const first = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  fs.writeFileSync(`${first.dir}.brought.json`, "");
  fs.rmSync(first.dir, { recursive: true });
  expect(readText((await workspace.scratch("proof", tree, { bring: ["node_modules"] })).dir, "main.js")).toBe("1\n");
  fs.writeFileSync(`${first.dir}.brought.json`, "");
  const { dir } = await workspace.scratch("proof", tree, { bring: [] });
  expect(exists(dir, "node_modules")).toBe(false);
  expect(readText(dir, "main.js")).toBe("1\n");
  expect(readText(root, "node_modules/dep")).toBe("dep");
});

test("nothing is removed behind a link that a check made", async () => {
  const root = makeRepository(ignoring);
  write(root, { "sub/node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const { dir, dispose } = await workspace.scratch("proof", await workspace.tree(), { bring: ["sub/node_modules"] });
  expect(readText(dir, "sub/node_modules/dep")).toBe("dep");
  const elsewhere = temporaryFolder();
  fs.symlinkSync("precious", join(elsewhere, "node_modules"));
  fs.rmSync(join(dir, "sub"), { recursive: true });
  fs.symlinkSync(elsewhere, join(dir, "sub"));
  await dispose();
  expect(exists(elsewhere, "node_modules")).toBe(true);
});

describe("linked paths", () => {
  async function brought(names: string[], prepare: (root: string) => void = () => {}) {
    const root = makeRepository({ ...ignoring, "file.d/x": "1" });
    write(root, { "node_modules/dep": "dep", "sub/node_modules/dep": "dep", "new/node_modules/dep": "dep" });
    prepare(root);
    const { workspace } = await open(root, "git");
    const { dir, dispose } = await workspace.scratch("s", await workspace.tree(), { bring: names });
    const links = () =>
      fs
        .readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isSymbolicLink())
        .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
    return { root, dir, dispose, links, workspace };
  }

  test("are linked, in folders of the tree and in others, also with a trailing slash", async () => {
    const { root, dir, dispose, links } = await brought(["node_modules/", "sub/node_modules//", "new/node_modules"]);
    expect(links().sort()).toEqual(["new/node_modules", "node_modules", "sub/node_modules"]);
    expect(fs.readlinkSync(join(dir, "node_modules"))).toBe(join(root, "node_modules"));
    await dispose();
    expect([links(), exists(dir, "sub/file"), exists(root, "sub/node_modules/dep")]).toEqual([[], true, true]);
    expect(exists(dir, "../s.brought.json")).toBe(false);
    await dispose();
  });

  test.each([
    {
      what: "is not there",
      name: "none",
      prepare: (root: string) => fs.appendFileSync(join(root, ".gitignore"), "none\n"),
    },
    { what: "is not ignored", name: "sub", prepare: () => {} },
    {
      what: "leads out of the workspace",
      name: "out/node_modules",
      prepare: (root: string) => {
        fs.mkdirSync(join(root, "out"));
        fs.symlinkSync(temporaryFolder(), join(root, "out/node_modules"));
        fs.appendFileSync(join(root, ".gitignore"), "out/\n");
      },
    },
    {
      what: "lies behind a link",
      name: "way/node_modules",
      prepare: (root: string) => fs.symlinkSync("sub", join(root, "way")),
    },
    {
      what: "is tracked",
      name: "kept/node_modules",
      prepare: (root: string) => {
        write(root, { "kept/node_modules/dep": "tracked" });
        person(root, "add", "-f", "kept/node_modules/dep");
      },
    },
  ])("exclude one that $what", async ({ name, prepare }) => {
    const { links, dir } = await brought([name, "node_modules"], prepare);
    expect(links()).toContain("node_modules");
    expect(fs.lstatSync(join(dir, name), { throwIfNoEntry: false })?.isSymbolicLink() ?? false).toBe(false);
  });

  test("may include a link that stays inside the workspace", async () => {
    const { dir } = await brought(["to/node_modules"], (root) => {
      fs.mkdirSync(join(root, "to"));
      fs.symlinkSync("../node_modules", join(root, "to/node_modules"));
      fs.appendFileSync(join(root, ".gitignore"), "to/\n");
    });
    expect(readText(dir, "to/node_modules/dep")).toBe("dep");
  });

  test.each(["../x", "/etc", ".git/hooks", ""])("never include %j", async (name) => {
    await expect(brought([name])).rejects.toThrow("not a path inside the workspace");
  });

  test("are skipped where the tree has a file in place of their folder", async () => {
    const root = makeRepository({ ".gitignore": "dir/\n", a: "1" });
    write(root, { "dir/node_modules/dep": "dep" });
    const { workspace } = await open(root, "git");
    const tree = await workspace.tree([{ path: "dir", content: "a file" }]);
    const { dir } = await workspace.scratch("s", tree, { bring: ["dir/node_modules"] });
    expect(readText(dir, "dir")).toBe("a file");
  });
});

describe("a scratch folder", () => {
  async function begin() {
    const root = makeRepository(ignoring);
    const { workspace, vaultDir } = await open(root, "git");
    const tree = await workspace.tree();
    const make = () => workspace.scratch("s", tree, { bring: [] });
    return { root, workspace, tree, make, at: join(vaultDir, "scratch/s") };
  }

  test.each(["../s", "", "a/b", ".hidden"])("cannot be named %j", async (name) => {
    const { workspace, tree } = await begin();
    await expect(workspace.scratch(name, tree, { bring: [] })).rejects.toThrow("not a name for a scratch folder");
  });

  test.each([
    { what: "a file", put: (at: string) => fs.writeFileSync(at, "x") },
    { what: "a link", put: (at: string) => fs.symlinkSync(temporaryFolder(), at) },
    { what: "an index of nonsense beside it", put: (at: string) => fs.writeFileSync(`${at}.index`, "nonsense") },
    { what: "a lock on its index", put: (at: string) => fs.writeFileSync(`${at}.index.lock`, "") },
  ])("is created even if $what exists", async ({ put }) => {
    const { root, make, at } = await begin();
    put(at);
    const { dir } = await make();
    expect([dir, fs.lstatSync(at).isDirectory()]).toEqual([at, true]);
    expect(everything(dir)).toEqual(everything(root));
  });

  test("without permissions after a check is rebuilt, without its old content", async () => {
    const { root, make, at } = await begin();
    await make();
    write(at, { "sub/deep/left": "x" });
    fs.writeFileSync(`${at}.index`, "nonsense");
    for (const dir of ["sub/deep", "sub"]) fs.chmodSync(join(at, dir), 0o000);
    const { dir } = await make();
    expect(everything(dir)).toEqual(everything(root));
    expect(fs.statSync(join(dir, "sub")).mode & 0o700).toBe(0o700);
  });

  test("is reused, with unchanged files in it", async () => {
    const { make, at } = await begin();
    await make();
    const { ino } = fs.statSync(join(at, "main.js"));
    await make();
    expect(fs.statSync(join(at, "main.js")).ino).toBe(ino);
  });

  test("is not rebuilt for an unrelated failure", async () => {
    const { workspace, make, at } = await begin();
    await make();
    fs.writeFileSync(join(at, ".git/mark"), "still the same");
    await expect(workspace.scratch("s", treeId("12".repeat(20)), { bring: [] })).rejects.toThrow(
      "the vault has no object",
    );
    expect(exists(at, "main.js")).toBe(true);
  });
});

test("quarantine entries are listed oldest first, regardless of their names", async () => {
  const { vaultDir, workspace } = await open(makeRepository(), "git");
  const lists = { paths: [], trees: [], nested: [], git: null, commits: [] };
  for (const [id, at] of Object.entries({ q1: 3, q2: 1, q3: 2, q4: 2 }))
    write(vaultDir, { [`quarantine/${id}.json`]: JSON.stringify({ version: 1, id, at, why: "why", ...lists }) });
  expect((await workspace.quarantine.list()).map(({ id }) => id)).toEqual(["q2", "q3", "q4", "q1"]);
});
