// Copies of an index, temporary indexes, and the check for ignored paths.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { groundOf } from "../../testing/ground.ts";
import { makeRepository, person, removeTemporaryFolders, temporaryFolder, write } from "../../testing/workspace-rig.ts";
import {
  converting,
  copyIndex,
  copyTheirIndex,
  type Ground,
  ignoredAmong,
  inStore,
  onFolder,
  temporary,
  unlockIndex,
  withTemporaryIndex,
} from "./ground.ts";
import { locate } from "./repository/repo.ts";

afterAll(removeTemporaryFolders);

test("git runs in the store, on a folder with our rules, or with conversions", async () => {
  const ground = await groundOf(makeRepository());
  const { vault } = ground;
  const config = [`core.excludesFile=${vault.exclude}`];
  expect(inStore(ground)).toEqual({ gitDir: vault.store });
  expect(onFolder(ground, "/w", "/i")).toEqual({ gitDir: vault.store, workTree: "/w", index: "/i", config });
  expect(converting(ground, "/w", "/i")).toEqual({
    gitDir: vault.convert,
    workTree: "/w",
    index: "/i",
    config,
    objects: join(vault.store, "objects"),
  });
});

describe("a temporary index", () => {
  test("starts empty or as a copy, has a unique name, and is removed with its lock", async () => {
    const ground = await groundOf(makeRepository());
    const from = join(temporaryFolder(), "index");
    fs.writeFileSync(from, "content");
    const seen: string[] = [];
    const given = await withTemporaryIndex(ground, from, async (index) => {
      seen.push(index);
      fs.writeFileSync(`${index}.lock`, "");
      return fs.readFileSync(index, "utf8");
    });
    expect(given).toBe("content");
    await withTemporaryIndex(ground, null, async (index) => {
      seen.push(index);
      expect(fs.existsSync(index)).toBe(false);
    });
    expect(new Set(seen).size).toBe(2);
    expect(seen.every((path) => path.startsWith(`${ground.vault.tmp}/index-`))).toBe(true);
    expect(fs.readdirSync(ground.vault.tmp)).toEqual([]);
    expect(fs.existsSync(from)).toBe(true);
  });

  test("is removed even if its user failed", async () => {
    const ground = await groundOf(makeRepository());
    const failing = withTemporaryIndex(ground, null, async (index) => {
      fs.writeFileSync(index, "");
      throw new Error("failed");
    });
    await expect(failing).rejects.toThrow("failed");
    expect(fs.readdirSync(ground.vault.tmp)).toEqual([]);
    expect(temporary(ground, "x")).not.toBe(temporary(ground, "x"));
  });
});

test("a copy of an index gets an earlier time, so that git rechecks it, and only its owner can read it", () => {
  const dir = temporaryFolder();
  const [from, to] = [join(dir, "from"), join(dir, "to")];
  fs.writeFileSync(from, "content", { mode: 0o644 });
  const at = new Date("2026-01-02T03:04:05.750Z");
  fs.utimesSync(from, at, at);
  copyIndex(from, to);
  const stat = fs.statSync(to);
  expect([stat.mtime.toISOString(), stat.mode & 0o777]).toEqual(["2026-01-02T03:04:04.000Z", 0o600]);
  expect(fs.readFileSync(to, "utf8")).toBe("content");
});

describe("the person's index", () => {
  test("is copied to both our git folders, with the shared part of a split one", async () => {
    const root = makeRepository({ a: "1" });
    person(root, "update-index", "--split-index");
    const ground = await groundOf(root);
    const to = join(ground.vault.tmp, "copy");
    expect(copyTheirIndex(ground, locate(root), to)).toBe(true);
    for (const gitDir of [ground.vault.store, ground.vault.convert]) {
      expect(fs.readdirSync(gitDir).filter((name) => name.startsWith("sharedindex."))).toHaveLength(1);
      const { stdout } = await ground.git(["ls-files"], { gitDir, index: to });
      expect(stdout.toString()).toBe("a\n");
    }
    expect(fs.readdirSync(ground.vault.store)).not.toContain("description");
  });

  test("is missing without a repository, and before the first file was added", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q");
    const ground = await groundOf(root);
    const to = join(ground.vault.tmp, "copy");
    expect([copyTheirIndex(ground, null, to), copyTheirIndex(ground, locate(root), to)]).toEqual([false, false]);
    expect(fs.existsSync(to)).toBe(false);
  });

  test("removes a lock on an index, and the index stays", () => {
    const index = join(temporaryFolder(), "index");
    fs.writeFileSync(index, "");
    fs.writeFileSync(`${index}.lock`, "");
    unlockIndex(index);
    unlockIndex(index);
    expect([fs.existsSync(index), fs.existsSync(`${index}.lock`)]).toEqual([true, false]);
  });
});

describe("the ignored ones among some paths", () => {
  const latin1 = (path: string) => Buffer.from(path).toString("latin1");

  test("are returned unchanged, even with unusual names", async () => {
    const root = makeRepository({ ".gitignore": "*.log\n", "kept.log": "" });
    const ground = await groundOf(root);
    const where = onFolder(ground, root, ground.vault.index);
    const paths = ["a.log", "a.txt", ":(top)b.log", ":!c.log", "ä.log", "sub/d.log"].map(latin1);
    expect(await ignoredAmong(ground, where, paths)).toEqual(paths.filter((path) => path.endsWith(".log")));
    expect(await ignoredAmong(ground, where, ["a.txt"])).toEqual([]);
  });

  test("follow the vault's rules too, and the given flags", async () => {
    const root = makeRepository({ ".gitignore": "*.log\n" });
    write(root, { "kept.log": "" });
    const ground = await groundOf(root, { excludes: "*.mine\n" });
    const where = onFolder(ground, root, ground.vault.index);
    await ground.git(["add", "--force", "kept.log"], where);
    expect(await ignoredAmong(ground, where, ["kept.log", "x.mine"])).toEqual(["x.mine"]);
    expect(await ignoredAmong(ground, where, ["kept.log", "x.mine"], ["--no-index"])).toEqual(["kept.log", "x.mine"]);
  });

  test("are none for no paths, without asking git", async () => {
    const ground = await groundOf(makeRepository());
    const deaf: Ground = { ...ground, git: () => Promise.reject(new Error("asked")) };
    expect(await ignoredAmong(deaf, {}, [])).toEqual([]);
  });
});
