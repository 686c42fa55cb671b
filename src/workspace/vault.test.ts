// The vault is the person's own, for one folder, outside the workspace.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeRepository, open, person, removeTemporaryFolders, temporaryFolder } from "../testing/workspace-suite.ts";
import { lockKey } from "./open.ts";
import { openVault, vaultDirFor } from "./vault.ts";

afterAll(removeTemporaryFolders);

test("one folder has one vault, by whatever path it is reached, and another folder has another", () => {
  const [root, state] = [makeRepository(), temporaryFolder()];
  const link = join(temporaryFolder(), "link");
  fs.symlinkSync(root, link);
  const env = { XDG_STATE_HOME: state };
  expect(vaultDirFor(root, env)).toMatch(new RegExp(`^${state}/loopwright/project-[0-9a-f]{12}$`));
  expect(vaultDirFor(link, env)).toBe(vaultDirFor(root, env));
  expect(vaultDirFor(makeRepository(), env)).not.toBe(vaultDirFor(root, env));
});

test("it is for its owner alone", async () => {
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

test("worktrees of one repository share a lock, and a plain folder has its own", () => {
  const root = makeRepository();
  const linked = join(temporaryFolder(), "linked");
  person(root, "worktree", "add", "-q", linked);
  const plain = temporaryFolder();
  expect(lockKey(linked)).toBe(lockKey(root));
  expect(lockKey(plain)).toBe(plain);
});
