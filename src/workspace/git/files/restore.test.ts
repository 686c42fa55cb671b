// Returning to a checkpoint: exactly, with everything replaced kept, and the person's own left alone.
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { groundOf } from "../../../testing/ground.ts";
import {
  agent,
  anId,
  everything,
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { makeCheckpoint } from "../checkpoint.ts";
import { bringBack } from "./bring-back.ts";
import { asideFolder, filesOf, listQuarantine, loadQuarantine } from "./quarantine.ts";
import { restore } from "./restore.ts";
import { snapshot } from "./snapshot.ts";

afterAll(removeTemporaryFolders);

async function begin(root = makeRepository({ a: "1\n", "sub/b": "2\n", ".gitignore": "*.log\n" })) {
  const ground = await groundOf(root);
  const checkpoint = await makeCheckpoint(ground, anId(), async () => null);
  const before = everything(root);
  const back = () => restore(ground, checkpoint, "why");
  const kept = async (id: string | null) =>
    [...(await filesOf(ground, loadQuarantine(ground, id ?? ""))).keys()].sort();
  return { root, ground, checkpoint, before, back, kept };
}
/** File times lag behind the clock by up to a tick; an agent takes longer than that. */
const later = (path: string, ms = 1000) => fs.lutimesSync(path, new Date(Date.now() + ms), new Date(Date.now() + ms));

function inside(
  root: string,
  path: string,
  who: typeof person = person,
  files: Record<string, string> = { f: "1\n" },
): string {
  const inner = join(root, path);
  write(inner, files);
  who(inner, "init", "-q", "-b", "main");
  who(inner, "add", "-A");
  who(inner, "commit", "-qm", "inner");
  return inner;
}

describe("a restore", () => {
  test("reports what differed, in order, and keeps it under one name with its reason", async () => {
    const { root, ground, before, back, kept, checkpoint } = await begin();
    write(root, { z: "new\n", a: "other\n" });
    fs.rmSync(join(root, "sub"), { recursive: true });
    const restored = await back();
    expect(restored).toEqual({ tree: checkpoint.tree, quarantine: expect.any(String), files: ["a", "sub/b", "z"] });
    expect(listQuarantine(ground)).toMatchObject([{ id: restored.quarantine, why: "why", files: 3 }]);
    expect(await kept(restored.quarantine)).toEqual([".gitignore", "a", "z"]);
    expect(everything(root)).toEqual(before);
  });

  test("of a change only in .git has one quarantine entry, with the files of .git", async () => {
    const { root, ground, back } = await begin();
    agent(root, "config", "core.editor", "evil");
    const { quarantine, files } = await back();
    expect(files).toEqual([]);
    expect(loadQuarantine(ground, quarantine ?? "").git).not.toBeNull();
    expect(listQuarantine(ground)).toHaveLength(1);
  });

  test("moves an ignored file out of the way of a restored one, and keeps it", async () => {
    const root = makeRepository({ "x.log/in": "1\n", "y.log": "2\n" });
    const { before, back, kept } = await begin(root);
    fs.rmSync(join(root, "x.log"), { recursive: true });
    fs.rmSync(join(root, "y.log"));
    write(root, { ".gitignore": "*.log\n", "x.log": "in the way\n", "y.log/deep": "too\n" });
    const { quarantine } = await back();
    expect(everything(root)).toEqual(before);
    expect(await kept(quarantine)).toEqual(expect.arrayContaining(["x.log", "y.log/deep"]));
  });

  test("keeps files that a self-hiding rule file had hidden, and removes them with the rule file", async () => {
    const { root, ground, before, back, kept } = await begin();
    await setTimeout(20); // As `later`, but this time cannot be set.
    write(root, { "new/.gitignore": "*\n", "new/secret": "1\n", "new/deep/.gitignore": "*\n", "new/deep/s": "2\n" });
    const { quarantine, files } = await back();
    expect(files).toEqual([]);
    expect(quarantine).not.toBeNull();
    expect(everything(root)).toEqual(before);
    expect(await kept(quarantine)).toEqual(
      expect.arrayContaining(["new/.gitignore", "new/secret", "new/deep/.gitignore", "new/deep/s"]),
    );
    await bringBack(ground, quarantine ?? "", { paths: ["new/secret"] });
    expect(readText(root, "new/secret")).toBe("1\n");
  });

  test("finds a repository that an agent's rules had hidden, and dissolves it", async () => {
    const { root, before, back, kept } = await begin();
    inside(root, "hidden", agent);
    write(root, { ".gitignore": "hidden\n" });
    const { quarantine } = await back();
    expect(everything(root)).toEqual(before);
    expect(exists(root, "hidden")).toBe(false);
    expect(await kept(quarantine)).toEqual(expect.arrayContaining(["hidden/f"]));
  });

  test("keeps the .git of a repository that an agent made", async () => {
    const { root, ground, back } = await begin();
    inside(root, "made", agent);
    const { quarantine, files } = await back();
    expect(files).toEqual(["made/.git", "made/f"]);
    expect(exists(root, "made")).toBe(false);
    const [name = ""] = fs.readdirSync(join(asideFolder(ground, quarantine ?? ""), "nested"));
    expect(readText(asideFolder(ground, quarantine ?? ""), `nested/${name}/HEAD`)).toBe("ref: refs/heads/main\n");
  });

  test("of a folder without git leaves a .git in it alone", async () => {
    const root = join(temporaryFolder(), "plain");
    write(root, { a: "1\n" });
    const { before, back } = await begin(root);
    write(root, { a: "2\n", b: "3\n" });
    expect((await back()).files).toEqual(["a", "b"]);
    expect(everything(root)).toEqual(before);
  });

  test("works even if an agent removed permissions from its own folders", async () => {
    const { root, before, back } = await begin();
    write(root, { "sub/b": "other\n", "shut/deep/x": "1\n" });
    for (const dir of ["sub", "shut/deep", "shut"]) fs.chmodSync(join(root, dir), 0o500);
    await back();
    expect(everything(root)).toEqual(before);
  });
});

describe("an empty folder", () => {
  test("that is newer than the checkpoint is removed, with empty ones in it; a non-empty one stays", async () => {
    const { root, back } = await begin();
    fs.mkdirSync(join(root, "young/deep/er"), { recursive: true });
    write(root, { "has/x.log": "ignored" });
    fs.mkdirSync(join(root, "has/empty"));
    for (const path of ["young", "has", "has/empty"]) later(join(root, path));
    write(root, { a: "other\n" });
    await back();
    expect([exists(root, "young"), exists(root, "has/x.log")]).toEqual([false, true]);
  });

  test("that existed before stays", async () => {
    const root = makeRepository({ a: "1\n" });
    fs.mkdirSync(join(root, "old/deep"), { recursive: true });
    later(join(root, "old"), -60_000);
    const { back } = await begin(root);
    write(root, { a: "other\n" });
    await back();
    expect(exists(root, "old/deep")).toBe(true);
  });

  test("that the restore emptied is removed with the files", async () => {
    const { root, back } = await begin();
    write(root, { "new/deep/x": "1", "other/y": "2" });
    await back();
    expect([exists(root, "new"), exists(root, "other")]).toEqual([false, false]);
  });

  test("with a .git folder in it is not empty", async () => {
    const root = makeRepository({ a: "1\n" });
    const { back } = await begin(root);
    fs.mkdirSync(join(root, "half/.git"), { recursive: true });
    fs.mkdirSync(join(root, "young"));
    write(root, { a: "other\n" });
    for (const name of ["half", "young"]) later(join(root, name));
    await back();
    expect([exists(root, "half/.git"), exists(root, "young")]).toEqual([true, false]);
  });
});

describe("a nested repository that existed before", () => {
  async function withInner(files: Record<string, string> = { f: "1\n", ".gitignore": "*.tmp\n" }) {
    const root = makeRepository({ a: "1\n" });
    const inner = inside(root, "ven/dor", person, files);
    write(inner, { "kept.tmp": "ignored", new: "untracked\n" });
    return { inner, ...(await begin(root)) };
  }

  test("gets its files and state back, and its later ones are kept below its path", async () => {
    const { inner, root, before, back, kept } = await withInner();
    const head = person(inner, "rev-parse", "HEAD");
    write(inner, { f: "changed\n", more: "more\n", "kept.tmp": "ignored" });
    fs.rmSync(join(inner, "new"));
    agent(inner, "commit", "-qam", "theirs");
    const { files, quarantine } = await back();
    expect(files).toEqual(["ven/dor/.git", "ven/dor/f", "ven/dor/more", "ven/dor/new"]);
    expect(everything(root)).toEqual(before);
    expect(person(inner, "rev-parse", "HEAD")).toBe(head);
    expect(await kept(quarantine)).toEqual(expect.arrayContaining(["ven/dor/more", "ven/dor/f"]));
    expect(person(inner, "status", "--porcelain")).toBe("?? new\n");
  });

  test("and lost its .git keeps the files that its own rules ignore", async () => {
    const { inner, root, before, back } = await withInner();
    fs.rmSync(join(inner, ".git"), { recursive: true });
    write(inner, { f: "changed\n", "more.tmp": "ignored" });
    await back();
    expect(everything(root)).toEqual({ ...before, "ven/dor/more.tmp": everything(root)["ven/dor/more.tmp"] });
    expect(exists(inner, "more.tmp")).toBe(true);
    expect(person(inner, "fsck", "--no-dangling")).toBe("");
  });

  test("and was mistaken for files of the outer folder becomes a repository again", async () => {
    const { inner, root, ground, before, back } = await withInner();
    fs.rmSync(join(inner, ".git"), { recursive: true });
    expect((await snapshot(ground)).paths).toContain("ven/dor/f");
    await back();
    expect(everything(root)).toEqual(before);
    const { nested, paths } = await snapshot(ground);
    expect([nested.map(({ path }) => path), paths]).toEqual([["ven/dor"], ["a"]]);
  });

  test("has removed files of its .git restored, and added ones removed", async () => {
    const { inner, back } = await withInner();
    const description = readText(inner, ".git/description");
    fs.rmSync(join(inner, ".git/description"));
    write(inner, { ".git/hooks/post-commit": "#!/bin/sh\n" });
    expect((await back()).files).toEqual(["ven/dor/.git"]);
    expect([readText(inner, ".git/description"), exists(inner, ".git/hooks/post-commit")]).toEqual([
      description,
      false,
    ]);
  });

  test("is restored where a link or a file took its place", async () => {
    const { inner, root, before, back } = await withInner({ f: "1\n" });
    const elsewhere = temporaryFolder();
    write(elsewhere, { f: "somebody's\n" });
    fs.rmSync(inner, { recursive: true });
    fs.symlinkSync(elsewhere, inner);
    await back();
    expect(everything(root)).toEqual({ ...before, "ven/dor/kept.tmp": everything(root)["ven/dor/kept.tmp"] });
    expect(readText(elsewhere, "f")).toBe("somebody's\n");
    expect(fs.readdirSync(elsewhere)).toEqual(["f"]);
  });

  test("and shares its files with the outer one gets its state back, and its files once", async () => {
    const root = makeRepository({ "sub/a": "1\n" });
    const inner = inside(root, "sub", person, {});
    const head = person(inner, "rev-parse", "HEAD");
    const { before, back } = await begin(root);
    fs.rmSync(join(inner, ".git"), { recursive: true });
    write(root, { "sub/a": "2\n" });
    expect((await back()).files).toEqual(["sub/.git", "sub/a"]);
    expect([everything(root), person(inner, "rev-parse", "HEAD")]).toEqual([before, head]);
  });

  test("and has a .git file gets it back", async () => {
    const root = makeRepository({ a: "1\n" });
    person(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", makeRepository(), "mod");
    person(root, "commit", "-qm", "sub");
    const { before, back, ground } = await begin(root);
    const gitFile = readText(root, "mod/.git");
    write(root, { "mod/.git": "gitdir: /elsewhere\n" });
    const { quarantine, files } = await back();
    expect(files).toContain("mod/.git");
    expect(readText(root, "mod/.git")).toBe(gitFile);
    expect(everything(root)).toEqual(before);
    expect(readText(asideFolder(ground, quarantine ?? ""), "rebuilt/mod/dot-git-file")).toBe("gitdir: /elsewhere\n");
  });
});
