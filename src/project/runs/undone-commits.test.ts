// What was taken back is read again whenever the branch has moved, however its refs are kept.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { nothingUndone } from "../../report/taken-back.ts";
import { gitAs, makeRepository, removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { UndoneCommits } from "./undone-commits.ts";

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", temporaryFolder()));
afterEach(() => void vi.unstubAllEnvs());
afterAll(removeTemporaryFolders);

test.each(["files", "packed"])("a revert counts as soon as HEAD reaches it, with refs in %s", async (kept) => {
  const root = fs.realpathSync(makeRepository({ "a.txt": "1\n" }));
  fs.mkdirSync(join(vaultDirFor(root), "home"), { recursive: true });
  const git = (...args: string[]): string => gitAs("person", root, args).trim();
  const reverts = (commit: string): string => {
    git("commit", "--quiet", "--allow-empty", "--message", `Revert\n\nLoop-Undoes: ${commit}`);
    if (kept === "packed") git("pack-refs", "--all");
    return git("rev-parse", "HEAD");
  };
  const undone = new UndoneCommits(root);
  expect(await undone.now()).toEqual(nothingUndone);
  const [one, other] = ["1".repeat(40), "2".repeat(40)];
  const first = reverts(one);
  expect((await undone.now()).commits).toEqual({ [one]: first });
  expect(undone.now()).toBe(undone.now());
  const second = reverts(other);
  expect((await undone.now()).commits).toEqual({ [one]: first, [other]: second });
  git("switch", "--quiet", "--create", "earlier", first);
  expect((await undone.now()).commits).toEqual({ [one]: first });
  git("reset", "--quiet", "--hard", "HEAD~1");
  expect(await undone.now()).toEqual(nothingUndone);
});
