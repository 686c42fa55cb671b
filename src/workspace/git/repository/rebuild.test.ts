// When a `.git` counts as broken, and that the rebuilt one equals the original.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { groundOf } from "../../../testing/ground.ts";
import {
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { keepRepository } from "../checkpoint.ts";
import type { Ground } from "../ground.ts";
import type { GitFiles } from "./git-files.ts";
import { canOpen, fillAll, rebuild, rebuildNested } from "./rebuild.ts";
import { locate, type Repo } from "./repo.ts";

afterAll(removeTemporaryFolders);

function mustLocate(root: string): Repo {
  const repo = locate(root);
  if (repo === null) throw new Error(`${root} has no repository`);
  return repo;
}

describe("a repository can be opened", () => {
  const hash = "1234567890".repeat(4);
  test.each([
    { head: "ref: refs/heads/main\n", opens: true },
    { head: "ref: refs/heads/main", opens: true },
    { head: `${hash}\n`, opens: true },
    { head: `${hash.slice(0, 24)}${hash}\n`, opens: true },
    { head: `${hash}0\n`, opens: false },
    { head: `0${hash}\n`, opens: false },
    { head: "ref: heads/main\n", opens: false },
    { head: "ref: refs/\n", opens: false },
    { head: "x ref: refs/heads/main\n", opens: false },
    { head: "ref: refs/heads/main and more\n", opens: false },
    { head: "", opens: false },
  ])("with $head in HEAD: $opens", ({ head, opens }) => {
    const root = makeRepository();
    write(root, { ".git/HEAD": head });
    expect(canOpen(root, mustLocate(root))).toBe(opens);
  });

  test.each(["objects", "refs"])("without its %s folder, or with a link in its place: no", (name) => {
    const root = makeRepository();
    const repo = mustLocate(root);
    expect(canOpen(root, repo)).toBe(true);
    const elsewhere = join(temporaryFolder(), name);
    fs.renameSync(join(root, ".git", name), elsewhere);
    expect(canOpen(root, repo)).toBe(false);
    fs.symlinkSync(elsewhere, join(root, ".git", name));
    expect(canOpen(root, repo)).toBe(false);
  });

  test.each([
    { what: "a link at HEAD", spoil: (git: string) => linkInPlace(join(git, "HEAD")) },
    { what: "no HEAD", spoil: (git: string) => fs.rmSync(join(git, "HEAD")) },
    { what: "a link at .git", spoil: (git: string) => linkInPlace(git) },
    { what: "no .git", spoil: (git: string) => fs.rmSync(git, { recursive: true }) },
  ])("with $what: no", ({ spoil }) => {
    const root = makeRepository();
    const repo = mustLocate(root);
    spoil(join(root, ".git"));
    expect(canOpen(root, repo)).toBe(false);
  });

  test.each([
    { what: "another text in its .git file", spoil: (root: string) => write(root, { ".git": "gitdir: /elsewhere\n" }) },
    { what: "a link at its .git file", spoil: (root: string) => linkInPlace(join(root, ".git")) },
    { what: "no own HEAD", spoil: (_: string, repo: Repo) => fs.rmSync(join(repo.gitDir, "HEAD")) },
    { what: "nonsense in the common HEAD", spoil: (_: string, repo: Repo) => write(repo.commonDir, { HEAD: "x" }) },
  ])("as a linked worktree with $what: no", ({ spoil }) => {
    const { root, repo } = linkedWorktree();
    expect(canOpen(root, repo)).toBe(true);
    spoil(root, repo);
    expect(canOpen(root, repo)).toBe(false);
  });
});

function linkInPlace(path: string): void {
  const elsewhere = join(temporaryFolder(), "there");
  fs.renameSync(path, elsewhere);
  fs.symlinkSync(elsewhere, path);
}

function linkedWorktree(): { root: string; repo: Repo; main: string } {
  const main = makeRepository();
  const root = join(temporaryFolder(), "linked");
  person(main, "worktree", "add", "-q", "-b", "side", root);
  return { root, repo: mustLocate(root), main };
}

async function kept(root: string): Promise<{ ground: Ground; repo: Repo; before: GitFiles; aside: string }> {
  const ground = await groundOf(root);
  const repo = mustLocate(root);
  const { files } = await keepRepository(ground, repo.commonDir, ground.vault.copy, true);
  return { ground, repo, before: files, aside: join(temporaryFolder(), "aside") };
}

describe("rebuilding", () => {
  test("restores a missing .git completely, and reports that it was missing", async () => {
    const root = makeRepository();
    const { ground, repo, before, aside } = await kept(root);
    const config = readText(root, ".git/config");
    fs.rmSync(join(root, ".git"), { recursive: true });
    write(root, { ".loop-git-rebuild/half": "left by a death" });
    rebuild(ground, repo, before, ground.vault.copy, root, aside);
    expect(person(root, "status", "--porcelain")).toBe("");
    expect(person(root, "fsck", "--no-dangling")).toBe("");
    expect(readText(root, ".git/config")).toBe(config);
    expect([exists(root, ".git/half"), exists(root, ".loop-git-rebuild"), exists(aside, "dot-git")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("creates the folders that git looks for, even without files", async () => {
    const root = makeRepository();
    const { ground, repo, before, aside } = await kept(root);
    fs.rmSync(join(root, ".git"), { recursive: true });
    rebuild(ground, repo, { ...before, files: {}, bulk: [] }, ground.vault.copy, root, aside);
    const folders = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];
    expect(folders.map((folder) => fs.statSync(join(root, ".git", folder)).isDirectory())).toEqual(
      folders.map(() => true),
    );
  });

  test("leaves the old path of a folder that was moved away from its worktree alone", async () => {
    const { root, main } = linkedWorktree();
    const { ground, repo, before, aside } = await kept(root);
    fs.renameSync(main, `${main}-moved`);
    expect(() => rebuild(ground, repo, before, ground.vault.copy, root, aside)).toThrow(/is missing/);
    expect(fs.existsSync(main)).toBe(false);
  });

  test("moves the remains of the old one aside", async () => {
    const root = makeRepository();
    const { ground, repo, before, aside } = await kept(root);
    write(root, { ".git/HEAD": "nonsense", ".git/of-the-agent": "x" });
    rebuild(ground, repo, before, ground.vault.copy, root, aside);
    expect([readText(aside, "dot-git/HEAD"), readText(aside, "dot-git/of-the-agent")]).toEqual(["nonsense", "x"]);
    expect(exists(root, ".git/of-the-agent")).toBe(false);
    expect(readText(root, ".git/HEAD")).toBe("ref: refs/heads/main\n");
  });

  test("leaves a usable .git alone", async () => {
    const root = makeRepository();
    const { ground, repo, before, aside } = await kept(root);
    write(root, { ".git/config": "[mine]\n", ".git/HEAD": "ref: refs/heads/other\n" });
    rebuild(ground, repo, before, ground.vault.copy, root, aside);
    expect(readText(root, ".git/config")).toBe("[mine]\n");
    expect(readText(root, ".git/HEAD")).toBe("ref: refs/heads/other\n");
    expect(exists(aside, "dot-git")).toBe(false);
  });

  test("restores HEAD and the .git file of a linked worktree, and leaves the rest to the person", async () => {
    const { root, main } = linkedWorktree();
    const { ground, repo, before, aside } = await kept(root);
    const gitFile = readText(root, ".git");
    write(root, { ".git": "gitdir: /elsewhere\n" });
    write(repo.gitDir, { HEAD: "nonsense\n" });
    write(main, { ".git/config": `${readText(main, ".git/config")}[mine]\n\tx = 1\n` });
    rebuild(ground, repo, before, ground.vault.copy, root, aside);
    expect(readText(root, ".git")).toBe(gitFile);
    expect(fs.statSync(join(root, ".git")).mode & 0o777).toBe(0o644);
    expect(readText(aside, "dot-git-file")).toBe("gitdir: /elsewhere\n");
    expect(person(root, "symbolic-ref", "HEAD")).toBe("refs/heads/side\n");
    expect(person(main, "symbolic-ref", "HEAD")).toBe("refs/heads/main\n");
    expect(readText(main, ".git/config")).toContain("[mine]");
  });

  test("leaves a valid HEAD and .git file as they are", async () => {
    const { root } = linkedWorktree();
    const { ground, repo, before, aside } = await kept(root);
    write(repo.gitDir, { HEAD: "ref: refs/heads/elsewhere\n" });
    const inode = fs.statSync(join(root, ".git")).ino;
    rebuild(ground, repo, before, ground.vault.copy, root, aside);
    expect(readText(repo.gitDir, "HEAD")).toBe("ref: refs/heads/elsewhere\n");
    expect(fs.statSync(join(root, ".git")).ino).toBe(inode);
    expect(exists(aside, "dot-git-file")).toBe(false);
  });
});

test("objects of the copy that the git folder lacks are restored, and no others are touched", async () => {
  const root = makeRepository();
  const { ground, before } = await kept(root);
  const id = person(root, "rev-parse", "HEAD").trim();
  const path = join(root, ".git/objects", id.slice(0, 2), id.slice(2));
  const tree = person(root, "rev-parse", "HEAD^{tree}").trim();
  const other = join(root, ".git/objects", tree.slice(0, 2), tree.slice(2));
  const inode = fs.statSync(other).ino;
  fs.rmSync(path);
  fillAll(before, ground.vault.copy, join(root, ".git"));
  expect(person(root, "fsck", "--no-dangling")).toBe("");
  expect(fs.statSync(other).ino).toBe(inode);
});

describe("a nested repository", () => {
  let root = "";
  let ground: Ground;
  let before: GitFiles;
  let aside = "";
  beforeEach(async () => {
    root = makeRepository({ "lib.js": "1\n" });
    ({ ground, before, aside } = await kept(root));
  });

  test("is rebuilt even if its folder is missing", () => {
    fs.rmSync(root, { recursive: true });
    rebuildNested(ground, root, null, before, ground.vault.copy, aside);
    expect(person(root, "log", "--format=%s")).toBe("first\n");
  });

  test("without a record gets only its folder", () => {
    fs.rmSync(root, { recursive: true });
    rebuildNested(ground, root, null, null, ground.vault.copy, aside);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test("with a .git file gets that file back, and its replacement is moved aside", () => {
    rebuildNested(ground, root, "gitdir: ../.git/modules/sub\n", before, ground.vault.copy, aside);
    expect(readText(root, ".git")).toBe("gitdir: ../.git/modules/sub\n");
    expect(fs.statSync(join(root, ".git")).mode & 0o777).toBe(0o644);
    expect(exists(aside, "dot-git-file/HEAD")).toBe(true);
  });

  test("with the correct .git file is left alone", () => {
    fs.rmSync(join(root, ".git"), { recursive: true });
    write(root, { ".git": "gitdir: x\n" });
    const inode = fs.statSync(join(root, ".git")).ino;
    rebuildNested(ground, root, "gitdir: x\n", before, ground.vault.copy, aside);
    expect(fs.statSync(join(root, ".git")).ino).toBe(inode);
    expect(exists(aside, "dot-git-file")).toBe(false);
  });
});
