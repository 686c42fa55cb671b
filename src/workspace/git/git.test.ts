// The one way to call git, where git cannot be started at all.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeGit } from "./git.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("a git that could not be started fails, and leaves no timer that would keep the loop alive", async () => {
  const git = makeGit(tmpdir());
  const before = timers();
  await expect(git(["status"], { workTree: join(tmpdir(), "no-such-folder-here") })).rejects.toThrow(/ENOENT/);
  expect(timers()).toBe(before);
});
