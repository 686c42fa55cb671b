// Which holder of the workspace a stop waits for.
import { realpathSync } from "node:fs";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { lockWorkspace } from "../project/place/lock.ts";
import { makeRepository, removeTemporaryFolders, temporaryFolder } from "../testing/workspace-rig.ts";
import { lockForHook, lockPatiently } from "./lock.ts";

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(removeTemporaryFolders);

const never = new AbortController().signal;
const workspace = (): string => realpathSync(makeRepository({ "a.txt": "a\n" }));

test.each(["run 20260101-000000-aaaaaa", "landing loop/f001", "import of issues (run by hand)"])(
  "a stop does not wait for: %s",
  async (about) => {
    const root = workspace();
    const lock = await lockWorkspace(root, about);
    await expect(lockPatiently(root, never)).rejects.toMatchObject({ code: "workspace-locked", owner: { about } });
    await lock.release();
  },
);

test("a stop waits for another hook", async () => {
  const root = workspace();
  const lock = await lockForHook(root, "start");
  setTimeout(() => void lock.release(), 250);
  const mine = await lockPatiently(root, never);
  await mine.release();
});
