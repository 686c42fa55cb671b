// Quarantined files stay complete, are found under their entry's name, and are restored byte for byte.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type TreeId, treeId } from "../../../core/ids.ts";
import { askStore, groundOf } from "../../../testing/ground.ts";
import {
  everything,
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import type { NestedRecord } from "../checkpoint.ts";
import type { Ground } from "../ground.ts";
import { writeOut } from "../store/write-out.ts";
import { bringBack, differing, firstObstacle, keepPresent, treeOfPaths } from "./bring-back.ts";
import {
  addToQuarantine,
  asideFolder,
  filesOf,
  listQuarantine,
  loadQuarantine,
  newQuarantineId,
  setAside,
} from "./quarantine.ts";

afterAll(removeTemporaryFolders);

/** The files of a folder as a tree in the store, including ignored ones. */
async function treeOf(ground: Ground, files: Record<string, string>): Promise<TreeId> {
  const dir = temporaryFolder();
  write(dir, files);
  return treeOfPaths(ground, dir, fs.readdirSync(dir));
}

const plain = () => {
  const root = join(temporaryFolder(), "folder");
  fs.mkdirSync(root);
  return groundOf(root);
};
const nestedRecord = (path: string, tree: TreeId | null): NestedRecord => ({
  path,
  tree,
  commit: null,
  git: null,
  gitFile: null,
});

describe("an entry", () => {
  test("is listed with its reason, time and number of files", async () => {
    const ground = await plain();
    const from = Date.now();
    const id = await setAside(ground, { why: "because", paths: ["a", "b"] });
    const [entry] = listQuarantine(ground);
    expect(entry).toEqual({ id, at: expect.any(Number), why: "because", files: 2 });
    expect(entry?.at).toBeGreaterThanOrEqual(from);
    expect(entry?.at).toBeLessThanOrEqual(Date.now());
  });

  test("with only a reason has nothing else", async () => {
    const ground = await plain();
    const id = await setAside(ground, { why: "because" });
    const nothing = { paths: [], trees: [], nested: [], git: null, commits: [] };
    expect(loadQuarantine(ground, id)).toEqual({ version: 1, id, at: expect.any(Number), why: "because", ...nothing });
    expect(askStore(ground, "for-each-ref")).toBe("");
  });

  test("holds its trees, those of nested repositories and its commits by refs", async () => {
    const ground = await plain();
    const [tree, inner] = [await treeOf(ground, { a: "1" }), await treeOf(ground, { b: "2" })];
    const commits = ["one", "two"].map((text) => askStore(ground, "commit-tree", tree, "-m", text));
    const nested = [nestedRecord("in", inner), nestedRecord("plain", null)];
    const id = await setAside(ground, { why: "w", trees: [{ prefix: "", tree }], nested, commits });
    expect(
      askStore(ground, "ls-tree", `refs/quarantine/${id}`)
        .split("\n")
        .map((line) => line.split(/\s/)[2]),
    ).toEqual([tree, inner]);
    expect(
      askStore(ground, "for-each-ref", "--format=%(objectname)", `refs/quarantine/${id}-commits`).split("\n"),
    ).toEqual(commits);
    expect(askStore(ground, "for-each-ref", "--format=%(refname)").split("\n")).toEqual([
      `refs/quarantine/${id}`,
      `refs/quarantine/${id}-commits/0`,
      `refs/quarantine/${id}-commits/1`,
    ]);
  });

  test("has a unique name that contains the time and sorts by it", () => {
    const [one, other] = [newQuarantineId(), newQuarantineId()];
    expect(one).not.toBe(other);
    const stamp = /^q(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-[0-9a-f]{8}$/.exec(one)?.slice(1) ?? [];
    const [year, month, day, hour, minute, second] = stamp;
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
  });

  test("has a folder for content that cannot be a tree, and that folder is no entry", async () => {
    const ground = await plain();
    const dir = asideFolder(ground, "q1");
    expect(fs.statSync(dir).isDirectory()).toBe(true);
    expect(dir).toBe(join(ground.vault.quarantine, "q1"));
    expect(listQuarantine(ground)).toEqual([]);
  });

  test.each(["none", "../checkpoints/c1", "", "a".repeat(100)])(
    "named %j is not found, and the error says so",
    async (id) => {
      const ground = await plain();
      fs.writeFileSync(join(ground.vault.checkpoints, "c1.json"), "{}");
      expect(() => loadQuarantine(ground, id)).toThrow(
        expect.objectContaining({
          code: "no-such-quarantine",
          why: `There is no quarantine entry named ${JSON.stringify(id.slice(0, 80))}.`,
        }),
      );
    },
  );
});

describe("a later finding", () => {
  test("comes before the first one, so that the first wins", async () => {
    const ground = await plain();
    const [first, later] = [await treeOf(ground, { a: "first" }), await treeOf(ground, { a: "later", b: "later" })];
    const id = await setAside(ground, { why: "w", paths: ["a"], trees: [{ prefix: "", tree: first }] });
    await addToQuarantine(ground, id, { trees: [{ prefix: "", tree: later }] });
    const files = await filesOf(ground, loadQuarantine(ground, id));
    expect([...files.keys()].sort()).toEqual(["a", "b"]);
    expect(askStore(ground, "cat-file", "blob", files.get("a")?.id ?? "")).toBe("first");
    expect(loadQuarantine(ground, id)).toMatchObject({ why: "w", paths: ["a"] });
    const third = await treeOf(ground, { c: "third", ours: "1" });
    await addToQuarantine(ground, id, { trees: [{ prefix: "", tree: third }], paths: ["a", "c"] });
    expect(loadQuarantine(ground, id).paths).toEqual(["a", "c"]);
    expect(listQuarantine(ground)).toHaveLength(1);
    expect(askStore(ground, "ls-tree", "--name-only", `refs/quarantine/${id}`).split("\n")).toHaveLength(3);
  });

  test("that is already known is not added again", async () => {
    const ground = await plain();
    const tree = await treeOf(ground, { a: "1" });
    const id = await setAside(ground, { why: "w", trees: [{ prefix: "", tree }] });
    const { ino } = fs.statSync(join(ground.vault.quarantine, `${id}.json`));
    await addToQuarantine(ground, id, { trees: [{ prefix: "", tree }] });
    await addToQuarantine(ground, id, {});
    expect(loadQuarantine(ground, id).trees).toEqual([{ prefix: "", tree }]);
    expect(fs.statSync(join(ground.vault.quarantine, `${id}.json`)).ino).toBe(ino);
  });

  test("in a nested repository is kept along with the known ones", async () => {
    const ground = await plain();
    const [one, two] = [await treeOf(ground, { a: "1" }), await treeOf(ground, { a: "2" })];
    const id = await setAside(ground, { why: "w", nested: [nestedRecord("one", one)] });
    await addToQuarantine(ground, id, { nested: [nestedRecord("two", two)] });
    expect(loadQuarantine(ground, id).nested.map(({ path }) => path)).toEqual(["two", "one"]);
    const files = await filesOf(ground, loadQuarantine(ground, id));
    expect([...files.values()].map(({ path }) => path).sort()).toEqual(["one/a", "two/a"]);
    expect([...files.keys()].sort()).toEqual(["one/a", "two/a"]);
  });
});

test("the files of an entry are those of its trees, each below its prefix, without links to commits", async () => {
  const ground = await plain();
  const tree = await treeOf(ground, { "deep/a": "1" });
  const link = `160000 commit ${"1".repeat(40)}\tsub\n`;
  const made = await ground.git(["mktree", "--missing"], { gitDir: ground.vault.store, input: link });
  const linked = treeId(made.stdout.toString().trim());
  const id = await setAside(ground, {
    why: "w",
    trees: [
      { prefix: "in/", tree },
      { prefix: "", tree: linked },
    ],
    nested: [nestedRecord("none", null)],
  });
  expect([...(await filesOf(ground, loadQuarantine(ground, id))).keys()]).toEqual(["in/deep/a"]);
});

describe("the files of an entry that differ from the folder", () => {
  async function entry() {
    const ground = await plain();
    const { root } = ground;
    write(root, { same: "1", other: "1", gone: "1", runs: "1", "z/deep": "1" });
    fs.symlinkSync("there", join(root, "link"));
    fs.symlinkSync("there", join(root, "moved"));
    fs.symlinkSync(Buffer.from([0x2f, 0xff, 0xfe]), join(root, "odd")); // Not valid UTF-8.
    fs.chmodSync(join(root, "runs"), 0o755);
    const tree = await treeOfPaths(ground, root, fs.readdirSync(root));
    const id = await setAside(ground, { why: "w", trees: [{ prefix: "", tree }], paths: fs.readdirSync(root) });
    return { ground, root, id };
  }

  test("are none while all are unchanged", async () => {
    const { ground, id } = await entry();
    expect(await differing(ground, id)).toEqual([]);
    expect(await bringBack(ground, id, {})).toEqual([]);
    expect(listQuarantine(ground)).toHaveLength(1);
  });

  test("are those with another content, target or mode, and missing ones; only these are written", async () => {
    const { ground, root, id } = await entry();
    const before = everything(root);
    write(root, { other: "2", "not in it": "x" });
    fs.rmSync(join(root, "gone"));
    fs.chmodSync(join(root, "runs"), 0o644);
    fs.rmSync(join(root, "moved"));
    fs.symlinkSync("elsewhere", join(root, "moved"));
    fs.rmSync(join(root, "z"), { recursive: true });
    const found = ["gone", "moved", "other", "runs", "z/deep"];
    expect(await differing(ground, id)).toEqual(found);
    const { ino } = fs.statSync(join(root, "same"));
    expect(await bringBack(ground, id, {})).toEqual(found);
    expect(fs.statSync(join(root, "same")).ino).toBe(ino);
    expect(everything(root)).toEqual({ ...before, "not in it": everything(root)["not in it"] });
  });

  test.each([
    {
      what: "a folder at the place of a file",
      put: (root: string) => write(root, { "other/x": "mine" }),
      at: "other/x",
    },
    {
      what: "a link at the place of a file",
      put: (root: string) => fs.symlinkSync("mine", join(root, "other")),
      at: "other",
    },
    { what: "a file at the place of a link", put: (root: string) => write(root, { link: "there" }), at: "link" },
    { what: "a file at the place of a folder", put: (root: string) => write(root, { z: "mine" }), at: "z" },
  ])("$what is in the way: it goes to quarantine and can be restored from there", async ({ put, at }) => {
    const { ground, root, id } = await entry();
    const before = everything(root);
    for (const path of ["other", "link", "z"]) fs.rmSync(join(root, path), { recursive: true });
    put(root);
    const after = everything(root)[at];
    await bringBack(ground, id, {});
    expect(everything(root)).toEqual(before);
    const own = listQuarantine(ground).find(({ why }) => why === `in the way of ${id}`);
    expect(own?.files).toBe(1);
    const to = join(temporaryFolder(), "made");
    expect(await bringBack(ground, own?.id ?? "", { to })).toEqual([at]);
    expect(everything(to)).toEqual({ [at]: after });
  });

  test("do not include files that the entry only kept along with its own", async () => {
    const ground = await plain();
    const tree = await treeOf(ground, { "work.js": "work", "later.js": "before" });
    const id = await setAside(ground, { why: "w", paths: ["work.js"], trees: [{ prefix: "", tree }] });
    write(ground.root, { "later.js": "changed since" });
    expect(await differing(ground, id)).toEqual(["work.js"]);
    expect(await bringBack(ground, id, {})).toEqual(["work.js"]);
    expect([readText(ground.root, "work.js"), readText(ground.root, "later.js")]).toEqual(["work", "changed since"]);
    expect(await bringBack(ground, id, { paths: ["later.js"] })).toEqual(["later.js"]);
  });

  test("are compared with the target folder if it is not the workspace", async () => {
    const { ground, root, id } = await entry();
    const to = temporaryFolder();
    write(to, { same: "1", other: "2" });
    expect(await bringBack(ground, id, { to, paths: ["same", "other", "gone"] })).toEqual(["gone", "other"]);
    expect(Object.keys(everything(to)).sort()).toEqual(["gone", "other", "same"]);
    expect(everything(to)["other"]).toBe(everything(root)["other"]);
  });
});

describe("the obstacle of a path", () => {
  const dir = temporaryFolder();
  write(dir, { file: "", "folder/file": "" });
  fs.symlinkSync("folder", join(dir, "link"));
  test.each([
    ["file", "file"],
    ["folder", "folder"],
    ["link", "link"],
    ["folder/file", "folder/file"],
    ["folder/none", null],
    ["none", null],
    ["none/none", null],
    ["file/in", "file"],
    ["file/in/deep", "file"],
    ["link/file", "link"],
    ["folder/file/in", "folder/file"],
  ])("%s: %s", (path, found) => {
    expect(firstObstacle(dir, path)).toBe(found === null ? null : join(dir, found));
  });
});

test("files at the given paths are set aside, ignored or not, and removed; the rest stays", async () => {
  const root = makeRepository({ ".gitignore": "*.log\n", "a.log/x": "", "b.log": "" });
  const ground = await groundOf(root);
  write(root, { "in.log": "ignored", file: "1", "dir/a": "2", stays: "3" });
  await keepPresent(ground, root, "q7", ["in.log", "file/below", "dir", "none"]);
  expect(["in.log", "file", "dir", "stays"].map((path) => exists(root, path))).toEqual([false, false, false, true]);
  const [entry] = listQuarantine(ground);
  expect(entry).toMatchObject({ why: "in the way of q7", files: 3 });
  const files = await filesOf(ground, loadQuarantine(ground, entry?.id ?? ""));
  expect([...files.keys()].sort()).toEqual(["dir/a", "file", "in.log"]);
});

test("the tree of some paths has them and everything below, and leaves no file behind", async () => {
  const root = makeRepository({ a: "1", "b/c": "2", "b/d": "3", ":(top)e": "4" });
  const ground = await groundOf(root);
  const tree = await treeOfPaths(ground, root, ["b", ":(top)e"]);
  expect(askStore(ground, "ls-tree", "-r", "--name-only", tree).split("\n")).toEqual([":(top)e", "b/c", "b/d"]);
  expect(askStore(ground, "ls-tree", await treeOfPaths(ground, root, []))).toBe("");
  expect(fs.readdirSync(ground.vault.tmp)).toEqual([]);
  expect(person(root, "status", "--porcelain")).toBe("");
});

test("blobs are written as files, replacing existing ones, and nothing else is touched", async () => {
  const ground = await plain();
  const tree = await treeOf(ground, { a: "1", "b/c": "2" });
  const files = [
    ...(
      await filesOf(ground, loadQuarantine(ground, await setAside(ground, { why: "w", trees: [{ prefix: "", tree }] })))
    ).values(),
  ];
  const to = temporaryFolder();
  write(to, { a: "mine", "b/x": "mine" });
  await writeOut(ground, to, files);
  expect([readText(to, "a"), readText(to, "b/c"), readText(to, "b/x")]).toEqual(["1", "2", "mine"]);
  await writeOut(ground, join(to, "none"), []);
  expect(exists(to, "none")).toBe(false);
});

describe("the loop's own files", () => {
  test("are kept, but neither counted nor brought back unless they are named", async () => {
    const ground = await plain();
    const tree = await treeOf(ground, { "log.md": "log", "work.js": "work" });
    const id = await setAside(ground, {
      why: "w",
      paths: ["work.js"],
      trees: [{ prefix: "", tree }],
      except: ["log.md"],
    });
    expect(listQuarantine(ground)).toMatchObject([{ id, files: 1 }]);
    expect(await differing(ground, id)).toEqual(["work.js"]);
    expect(await bringBack(ground, id, {})).toEqual(["work.js"]);
    expect(exists(ground.root, "log.md")).toBe(false);
    expect(await bringBack(ground, id, { paths: ["log.md"] })).toEqual(["log.md"]);
  });

  test("alone are no entry", async () => {
    const ground = await plain();
    const tree = await treeOf(ground, { "log.md": "log" });
    await setAside(ground, { why: "w", trees: [{ prefix: "", tree }], except: ["log.md"] });
    expect(listQuarantine(ground)).toEqual([]);
  });
});
