// What a fold and a restore revert in `.git`, and what they leave to the person.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askStore, groundOf } from "../../../testing/ground.ts";
import {
  agent,
  anId,
  exists,
  makeRepository,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { makeCheckpoint, manifest, mustLoad } from "../checkpoint.ts";
import { listQuarantine, loadQuarantine } from "../files/quarantine.ts";
import { fold } from "./fold.ts";
import { beforeOf, repair } from "./repair.ts";

afterAll(removeTemporaryFolders);

async function begin(root = makeRepository()) {
  const ground = await groundOf(root);
  const checkpoint = await makeCheckpoint(ground, anId(), async () => null);
  const record = mustLoad(ground, checkpoint);
  const before = beforeOf(ground, record);
  if (record.repo === null || before === null) throw new Error("no repository");
  const { repo } = record;
  const put = (exact: boolean) => repair(ground, record, repo, before, { why: "why", exact });
  return { root, ground, record, checkpoint, before, put };
}
const nothing = { commits: [], misdeeds: [], movedBy: null, quarantine: null };
const objectAt = (root: string, rev: string): string => {
  const id = person(root, "rev-parse", rev).trim();
  return join(root, ".git/objects", id.slice(0, 2), id.slice(2));
};

describe("repairing", () => {
  test.each([true, false])("finds nothing without changes, and sets nothing aside (exact: %s)", async (exact) => {
    const { ground, put } = await begin();
    expect(await put(exact)).toEqual(nothing);
    expect(listQuarantine(ground)).toEqual([]);
  });

  test("sets aside the files of .git, and commits that no branch will hold", async () => {
    const { root, ground, put } = await begin();
    agent(root, "config", "core.editor", "evil");
    agent(root, "commit", "-q", "--allow-empty", "-m", "theirs");
    const made = person(root, "rev-parse", "HEAD").trim();
    const config = readText(root, ".git/config");
    const { quarantine, commits } = await put(false);
    const kept = loadQuarantine(ground, quarantine ?? "");
    expect(commits).toEqual([made]);
    expect(kept).toMatchObject({ why: "why", commits: [made], paths: [], trees: [] });
    const file = manifest(ground, kept.git ?? "").files["config"];
    const hash = file !== undefined && "hash" in file ? file.hash : "";
    expect(fs.readFileSync(join(ground.vault.gitFiles, hash.slice(0, 2), hash), "utf8")).toBe(config);
    expect(readText(root, ".git/config")).not.toContain("evil");
    expect(person(root, "rev-list", "--count", "HEAD")).toBe("1\n");
    expect(askStore(ground, "rev-parse", `refs/quarantine/${quarantine}-commits/0`)).toBe(made);
  });

  test("keeps only commits that exist", async () => {
    const { root, ground, put } = await begin();
    write(root, { ".git/refs/heads/ghost": `${"12".repeat(20)}\n` });
    const { quarantine } = await put(false);
    expect(loadQuarantine(ground, quarantine ?? "").commits).toEqual([]);
    expect(exists(root, ".git/refs/heads/ghost")).toBe(false);
  });

  test("stops first if a person has moved the branch, unless it is a restore", async () => {
    const { root, ground, put, checkpoint } = await begin();
    person(root, "commit", "-q", "--allow-empty", "-m", "mine");
    const theirs = person(root, "rev-parse", "HEAD").trim();
    agent(root, "config", "core.editor", "evil");
    fs.rmSync(objectAt(root, "HEAD^{tree}"));
    expect(await put(false)).toEqual({
      ...nothing,
      movedBy: { commit: theirs, who: "Pat Person <pat@example.org>", subject: "mine", agents: 0 },
    });
    expect(readText(root, ".git/config")).toContain("evil");
    expect(listQuarantine(ground)).toEqual([]);
    const restored = await put(true);
    expect(restored.movedBy).toBeNull();
    expect(person(root, "rev-parse", "HEAD").trim()).toBe(checkpoint.head);
    expect(loadQuarantine(ground, restored.quarantine ?? "").commits).toEqual([theirs]);
  });

  test("removes an agent's locks, and keeps older ones", async () => {
    const root = makeRepository();
    write(root, { ".git/old.lock": "" });
    const { put, ground } = await begin(root);
    write(root, { ".git/index.lock": "", ".git/refs/heads/main.lock": "", ".git/worktrees/w/index.lock": "" });
    expect(await put(false)).toEqual(nothing);
    expect(
      ["old.lock", "index.lock", "refs/heads/main.lock", "worktrees/w/index.lock"].map((name) =>
        exists(root, `.git/${name}`),
      ),
    ).toEqual([true, false, false, true]);
    expect(listQuarantine(ground)).toEqual([]);
  });

  test("in a linked worktree removes only that worktree's locks", async () => {
    const main = makeRepository();
    const root = join(temporaryFolder(), "linked");
    person(main, "worktree", "add", "-q", "-b", "side", root);
    const { put } = await begin(root);
    write(main, { ".git/index.lock": "", ".git/worktrees/linked/index.lock": "" });
    await put(false);
    expect([exists(main, ".git/index.lock"), exists(main, ".git/worktrees/linked/index.lock")]).toEqual([true, false]);
  });

  test("restores the reflog of a branch that was reset, and removes that of a new branch", async () => {
    const { root, put } = await begin();
    const log = readText(root, ".git/logs/refs/heads/main");
    agent(root, "commit", "-q", "--allow-empty", "-m", "theirs");
    agent(root, "branch", "mine/deep");
    await put(false);
    expect(readText(root, ".git/logs/refs/heads/main")).toBe(log);
    expect(exists(root, ".git/logs/refs/heads/mine")).toBe(false);
  });

  test("restores the reflog of a branch even if another reflog is in the way", async () => {
    const root = makeRepository();
    person(root, "branch", "a");
    const { put } = await begin(root);
    const log = readText(root, ".git/logs/refs/heads/a");
    agent(root, "branch", "-qD", "a");
    agent(root, "branch", "a/b");
    await put(false);
    expect(readText(root, ".git/logs/refs/heads/a")).toBe(log);
    expect(person(root, "rev-parse", "a")).toBe(person(root, "rev-parse", "main"));
  });

  test("does not trust an agent's end of a shallow history", async () => {
    const { root, ground, put } = await begin();
    write(root, { ".git/shallow": person(root, "rev-parse", "HEAD") });
    expect((await put(false)).misdeeds).toEqual([{ kind: "config-changed", what: ".git/shallow was added" }]);
    expect([exists(root, ".git/shallow"), exists(ground.vault.store, "shallow")]).toEqual([false, false]);
  });

  test("reports each finding once", async () => {
    const { root, put } = await begin();
    fs.rmSync(join(root, ".git"), { recursive: true });
    const { misdeeds } = await put(false);
    expect(misdeeds).toEqual([
      { kind: "git-destroyed", what: ".git was removed or could not be opened; it was rebuilt" },
    ]);
  });
});

describe("objects", () => {
  const damaged = [{ kind: "git-destroyed", what: "objects in .git were removed or damaged; they were put back" }];

  test.each(["HEAD", "HEAD^{tree}", "HEAD:README.md", "staged"])("that are missing are restored: %s", async (rev) => {
    const root = makeRepository();
    write(root, { new: "staged\n" });
    person(root, "add", "new");
    const { ground, put } = await begin(root);
    fs.rmSync(objectAt(root, rev === "staged" ? ":new" : rev));
    const found = await put(false);
    expect(found.misdeeds).toEqual(damaged);
    expect(found.quarantine).toBe(listQuarantine(ground)[0]?.id);
    expect(person(root, "fsck", "--no-dangling")).toBe("");
  });

  test("that are not needed may be missing, and so may files merged by a repack", async () => {
    const root = makeRepository();
    write(root, { new: "loose end\n" });
    const id = person(root, "hash-object", "-w", "new").trim();
    fs.rmSync(join(root, "new"));
    const { put } = await begin(root);
    fs.rmSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
    expect(await put(false)).toEqual(nothing);
    agent(root, "repack", "-qad");
    expect(await put(false)).toEqual(nothing);
    expect(person(root, "count-objects")).toMatch(/^0 objects/);
  });

  test("of a repository with a link to another are complete without that one's", async () => {
    const root = makeRepository();
    person(root, "update-index", "--add", "--cacheinfo", `160000,${"12".repeat(20)},link`);
    const { put } = await begin(root);
    agent(root, "repack", "-qad");
    expect(await put(false)).toEqual(nothing);
  });

  test("under a detached HEAD that no branch has are restored", async () => {
    const root = makeRepository();
    person(root, "checkout", "-q", "--detach");
    person(root, "commit", "-q", "--allow-empty", "-m", "alone");
    const { put } = await begin(root);
    fs.rmSync(objectAt(root, "HEAD"));
    expect((await put(false)).misdeeds).toEqual(damaged);
    expect(person(root, "log", "-1", "--format=%s")).toBe("alone\n");
  });

  test("that were forged are removed, and the originals restored", async () => {
    const { root, put } = await begin();
    const path = objectAt(root, "HEAD:README.md");
    fs.chmodSync(path, 0o644);
    fs.writeFileSync(path, "forged");
    const other = join(root, ".git/objects/12", "34".repeat(19));
    write(root, { [`.git/objects/12/${"34".repeat(19)}`]: "forged too" });
    expect((await put(false)).misdeeds).toEqual(damaged);
    expect(person(root, "fsck", "--no-dangling")).toBe("");
    expect(fs.existsSync(other)).toBe(false);
  });

  test("of git-lfs that are missing are restored, needed or not", async () => {
    const root = makeRepository();
    write(root, { ".git/lfs/objects/ab/large": "large" });
    const { put } = await begin(root);
    fs.rmSync(join(root, ".git/lfs/objects/ab/large"));
    expect((await put(false)).misdeeds).toEqual(damaged);
    expect(readText(root, ".git/lfs/objects/ab/large")).toBe("large");
  });

  test("are complete in a repository without any", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q");
    write(root, { loose: "end" });
    person(root, "hash-object", "-w", "loose");
    const { put } = await begin(root);
    for (const name of fs.readdirSync(join(root, ".git/objects")).filter((dir) => dir.length === 2))
      fs.rmSync(join(root, ".git/objects", name), { recursive: true });
    expect(await put(false)).toEqual(nothing);
  });
});

describe("folding", () => {
  test("remembers its snapshot of the folder, and drops it if someone else committed", async () => {
    const { root, ground, checkpoint } = await begin();
    write(root, { new: "1" });
    expect(await fold(ground, checkpoint)).toEqual(nothing);
    expect(ground.memory.folded?.paths).toContain("new");
    person(root, "commit", "-q", "--allow-empty", "-m", "mine");
    expect((await fold(ground, checkpoint)).movedBy?.subject).toBe("mine");
    expect(ground.memory.folded).toBeNull();
  });

  test("names new nested repositories, and not the existing ones", async () => {
    const root = makeRepository();
    const make = (name: string) => {
      write(root, { [`${name}/f`]: "1" });
      agent(join(root, name), "init", "-q");
    };
    make("old");
    const { ground, checkpoint } = await begin(root);
    make("made");
    agent(root, "config", "core.editor", "evil");
    expect((await fold(ground, checkpoint)).misdeeds.map(({ what }) => what)).toEqual([
      ".git/config was changed",
      "a repository was made inside the workspace, in made; its files count as plain files",
    ]);
  });
});
