// The vault belongs to the person, is for one folder, and is outside the workspace.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeRepository, open, person, removeTemporaryFolders, temporaryFolder } from "../testing/workspace-rig.ts";
import { version } from "../version.ts";
import { lockKey } from "./git/repository/repo.ts";
import { openVault, prepareWorktreeVault, vaultDirFor, vaultsDir } from "./vault.ts";

afterAll(removeTemporaryFolders);

test("a folder has the same vault by every path, and another folder has another", () => {
  const [root, state] = [makeRepository(), temporaryFolder()];
  const link = join(temporaryFolder(), "link");
  fs.symlinkSync(root, link);
  const env = { XDG_STATE_HOME: state };
  expect(vaultDirFor(root, env)).toMatch(new RegExp(`^${state}/loopwright/project-[0-9a-f]{12}$`));
  expect(vaultDirFor(link, env)).toBe(vaultDirFor(root, env));
  expect(vaultDirFor(makeRepository(), env)).not.toBe(vaultDirFor(root, env));
});

test("it has all its folders, accessible only to their owner", () => {
  const vault = openVault(join(temporaryFolder(), "vault"), "/somewhere");
  const { home, copy, gitFiles, checkpoints, quarantine, nested, scratch, tmp } = vault;
  for (const folder of [home, copy, gitFiles, checkpoints, quarantine, nested, scratch, tmp])
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  expect(JSON.parse(fs.readFileSync(join(vault.dir, "workspace.json"), "utf8"))).toEqual({
    version: 1,
    release: version,
    root: "/somewhere",
  });
});

test.each([
  ["names the release to install", { release: "0.9.0" }, "npm install --global loopwright@0.9.0"],
  ["without a name, the latest", {}, "npm install --global loopwright@latest"],
  ["no other words", { release: "x; rm -rf ~" }, null],
])("one of a newer release is refused: %s", (_, more, next) => {
  const dir = join(temporaryFolder(), "vault");
  openVault(dir, "/somewhere");
  fs.writeFileSync(join(dir, "workspace.json"), JSON.stringify({ version: 2, root: "/somewhere", ...more }));
  if (next === null)
    expect(() => openVault(dir, "/somewhere")).toThrow(expect.objectContaining({ code: "vault-of-another" }));
  else expect(() => openVault(dir, "/somewhere")).toThrow(expect.objectContaining({ code: "vault-too-new", next }));
});

test("it is accessible only to its owner", async () => {
  const { vaultDir } = await open(makeRepository(), "git");
  expect(fs.statSync(vaultDir).mode & 0o777).toBe(0o700);
});

test("a vault that is a link is refused", () => {
  const at = join(temporaryFolder(), "vault");
  fs.symlinkSync(temporaryFolder(), at);
  expect(() => openVault(at, "/somewhere")).toThrow(expect.objectContaining({ code: "vault-not-ours" }));
});

test("a vault inside the workspace is refused", async () => {
  const root = makeRepository();
  await expect(open(root, "git", join(root, "vault"))).rejects.toMatchObject({ code: "vault-inside-workspace" });
});

test("a vault of another folder is refused", async () => {
  const { vaultDir } = await open(makeRepository(), "git");
  await expect(open(makeRepository(), "git", vaultDir)).rejects.toMatchObject({ code: "vault-of-another" });
});

test("the vault of a worktree opens for the folder it was made from, and shares its copy of the objects", () => {
  const [above, dir] = [join(temporaryFolder(), "above"), join(temporaryFolder(), "vault")];
  const { copy } = openVault(above, "/project");
  prepareWorktreeVault(dir, { root: "/worktree", project: "/project", above });
  expect(openVault(dir, "/worktree").copy).toBe(copy);
  expect(openVault(dir, "/project").copy).toBe(copy);
  expect(() => openVault(dir, "/elsewhere")).toThrow(expect.objectContaining({ code: "vault-of-another" }));
});

test("each worktree of a repository has its own lock, and so has a plain folder", () => {
  const root = makeRepository();
  const linked = join(temporaryFolder(), "linked");
  person(root, "worktree", "add", "-q", linked);
  const plain = temporaryFolder();
  expect(lockKey(root)).toBe(join(root, ".git"));
  expect(lockKey(linked)).toBe(join(root, ".git/worktrees/linked"));
  expect(lockKey(plain)).toBe(plain);
});

test.each([
  { state: "/state", base: "/state/loopwright" },
  { state: "relative/state", base: join(homedir(), ".local/state/loopwright") },
  { state: undefined, base: join(homedir(), ".local/state/loopwright") },
])("with XDG_STATE_HOME=$state the vaults are in $base", ({ state, base }) => {
  expect(vaultsDir(state === undefined ? {} : { XDG_STATE_HOME: state })).toBe(base);
});

test.each([
  { folder: "--My  Projeçt v2!--", name: "My-Proje-t-v2" },
  { folder: "ąćę", name: "root" },
  { folder: "x".repeat(60), name: "x".repeat(40) },
])("the vault of a folder named $folder is named $name", ({ folder, name }) => {
  const root = join(temporaryFolder(), folder);
  fs.mkdirSync(root);
  expect(vaultDirFor(root, { XDG_STATE_HOME: "/s" })).toMatch(new RegExp(`^/s/loopwright/${name}-[0-9a-f]{12}$`));
});

test("a folder whose name only starts like the workspace's is outside it", () => {
  const dir = temporaryFolder();
  expect(openVault(join(dir, "work-vault"), join(dir, "work")).dir).toBe(join(dir, "work-vault"));
  expect(() => openVault(join(dir, "work"), join(dir, "work"))).toThrow(
    expect.objectContaining({ code: "vault-inside-workspace" }),
  );
});

test("a vault that others can read is closed to them", () => {
  const dir = temporaryFolder();
  for (const mode of [0o755, 0o701]) {
    fs.chmodSync(dir, mode);
    openVault(dir, "/somewhere");
    expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
  }
});

test("a vault that belongs to someone else is refused", ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can give a folder away");
  const dir = temporaryFolder();
  fs.chownSync(dir, 65_534, 65_534);
  expect(() => openVault(dir, "/somewhere")).toThrow(expect.objectContaining({ code: "vault-not-ours" }));
});

test.each(["not json", "[]", "null", "3", '{"root": 3}', "{}"])("a vault with the note %s is refused", (note) => {
  const dir = temporaryFolder();
  fs.writeFileSync(join(dir, "workspace.json"), note);
  expect(() => openVault(dir, "/somewhere")).toThrow(
    expect.objectContaining({ code: "vault-of-another", why: expect.stringContaining("cannot be read") }),
  );
  expect(fs.readFileSync(join(dir, "workspace.json"), "utf8")).toBe(note);
});

test("temporary files of dead processes are removed, and those of live ones stay", () => {
  const dir = temporaryFolder();
  const dead = spawnSync("true").pid;
  const names = [`${dead}-ab`, `${process.pid}-cd`, "1-ef", "nobody"];
  for (const name of names) fs.mkdirSync(join(dir, "tmp", name, "x"), { recursive: true });
  const { tmp } = openVault(dir, "/somewhere");
  expect(fs.readdirSync(join(dir, "tmp")).sort()).toEqual(
    ["1-ef", `${process.pid}-cd`, tmp.slice(dir.length + 5)].sort(),
  );
});
