import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settle } from "../../formats/config/settings.ts";
import { folderFinding } from "../doctor/folder.ts";
import { lookAtFolder } from "./look-at-folder.ts";

let dir: string;
let root: string;
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "look-")));
  root = join(dir, "project");
  vi.stubEnv("XDG_STATE_HOME", join(dir, "state"));
  vi.stubEnv("HOME", dir);
  fs.mkdirSync(root);
  git("init", "--quiet");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.invalid");
  git("commit", "--quiet", "--allow-empty", "--message", "start");
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(dir, { recursive: true });
});

const finding = async (place: "here" | "worktree") => (await folderFinding(root, settle({ place })))[0]?.is;
const looks = (place: "here" | "worktree") => lookAtFolder(root, settle({ place }));

test.each([
  { what: "a merge in progress", file: ".git/MERGE_HEAD", unseen: [] },
  { what: "a locked index", file: ".git/index.lock", unseen: [] },
  { what: "an uncommitted file", file: "notes.txt", unseen: ["notes.txt"] },
])("$what keeps a run from starting here, and does not matter to a worktree", async ({ file, unseen }) => {
  fs.writeFileSync(join(root, file), "");
  await expect(looks("here")).rejects.toThrow();
  expect(await finding("here")).toBe("bad");
  expect(await looks("worktree")).toEqual(unseen);
  expect(await finding("worktree")).toBe("note");
});

test("a missing identity keeps every run from starting, also while a merge is in progress", async () => {
  fs.writeFileSync(join(root, ".git/MERGE_HEAD"), "");
  git("config", "--unset", "user.email");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  await expect(looks("worktree")).rejects.toMatchObject({ code: "no-git-identity" });
  expect(await finding("worktree")).toBe("bad");
});
