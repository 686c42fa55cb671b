// What a hold refuses before a session is held to it.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRepository, removeTemporaryFolders, temporaryFolder } from "../testing/workspace-rig.ts";
import { vaultDirFor } from "../workspace/vault.ts";
import { beginHold } from "./begin.ts";

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(removeTemporaryFolders);

test("a check that a program brings, since no stop could ever run it", async () => {
  const root = fs.realpathSync(makeRepository({ "loop.yaml": "version: 1\nchecks: [{ name: own, library: mine }]\n" }));
  const request = "Add lib/a.sh that prints a; sh lib/a.sh prints a";
  const order = { root, request, criteria: [], checks: [], iterations: null, session: "s1" };
  await expect(beginHold(order)).rejects.toMatchObject({ code: "check-not-registered" });
  expect(fs.existsSync(join(vaultDirFor(root), "hook"))).toBe(false);
});
