// Which changes in `.git` are taken back after a session, and which of them are called a misdeed.
import { describe, expect, test } from "vitest";
import { examineFiles } from "./examine-files.ts";
import type { GitFiles } from "./git-files.ts";

const filesOf = (...paths: string[]): GitFiles => ({
  files: Object.fromEntries(paths.map((path) => [path, { mode: 0o644, hash: path, mtimeMs: 0 }])),
  locks: [],
  bulk: [],
});
const changed = ({ files }: GitFiles): GitFiles => ({
  files: Object.fromEntries(Object.keys(files).map((path) => [path, { mode: 0o644, hash: "other", mtimeMs: 0 }])),
  locks: [],
  bulk: [],
});
const none = filesOf();
/** What becomes of one path that was added, changed and removed: its kinds of misdeed, "back" for none, "left" for nothing. */
function verdicts(path: string, own = "", exact = false, beside: string[] = []): string[] {
  const [with_, without] = [filesOf(path, ...beside), filesOf(...beside)];
  const other = { ...with_, files: { ...with_.files, ...changed(filesOf(path)).files } };
  return [
    examineFiles(without, with_, own, exact),
    examineFiles(with_, other, own, exact),
    examineFiles(with_, without, own, exact),
  ].map(([found, ...more]) => {
    expect(more).toEqual([]);
    if (found !== undefined) expect(found.path).toBe(path);
    return found === undefined ? "left" : (found.misdeed?.kind ?? "back");
  });
}
const all = (what: string) => [what, what, what];

test.each([
  "config",
  "config.worktree",
  "commondir",
  "gitdir",
  "shallow",
  "info/exclude",
  "info",
  "objects/info/alternates",
  "branches/x",
  "remotes/x",
  "info/sub/refs",
])("%s is configuration, whatever was done to it", (path) => {
  expect(verdicts(path)).toEqual(all("config-changed"));
});

test.each(["hooks/pre-commit", "hooks", "hooks/a/b"])("%s is a hook, whatever was done to it", (path) => {
  expect(verdicts(path)).toEqual(all("hook-changed"));
});

test.each(["packed-refs", "refs/heads/main", "refs/stash"])("%s is compared by what it says, elsewhere", (path) => {
  expect(verdicts(path)).toEqual(all("left"));
  expect(verdicts(path, "", true)).toEqual(all("left"));
});

test.each([
  ...[
    "MERGE_HEAD",
    "MERGE_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "AUTO_MERGE",
    "REBASE_HEAD",
    "BISECT_LOG",
    "SQUASH_MSG",
  ],
  ...["rebase-merge", "rebase-merge/done", "rebase-apply/x", "sequencer/todo", "index"],
])("%s is put back without a word", (path) => {
  expect(verdicts(path)).toEqual(all("back"));
});

test("HEAD is a branch that was switched", () => {
  expect(verdicts("HEAD")).toEqual(all("branch-switched"));
});

test.each([
  "logs/HEAD",
  "description",
  "COMMIT_EDITMSG",
  "info/refs",
  "xconfig",
  "configx",
  "xhooks/a",
  "MERGE",
  "xMERGE_HEAD",
  "indexes",
  "my-rebase-merge",
])("%s is left as it is after a session, and comes back with a restore", (path) => {
  expect(verdicts(path)).toEqual(all("left"));
  const added = path.startsWith("logs/") ? "back" : "left";
  expect(verdicts(path, "", true)).toEqual([added, "back", "back"]);
});

describe("in a linked worktree", () => {
  const own = "worktrees/w/";

  test.each([
    { path: `${own}HEAD`, is: all("branch-switched") },
    { path: `${own}config.worktree`, is: all("config-changed") },
    { path: `${own}gitdir`, is: all("config-changed") },
    { path: `${own}index`, is: all("back") },
    { path: `${own}MERGE_HEAD`, is: all("back") },
    { path: `${own}ORIG_HEAD`, is: all("left") },
    { path: "config", is: all("config-changed") },
    { path: "hooks/x", is: all("hook-changed") },
    // What is the main worktree's, or another one's, is taken back only where it was removed.
    { path: "HEAD", is: ["left", "left", "back"] },
    { path: "index", is: ["left", "left", "back"] },
    { path: "worktrees/other/index", is: ["left", "left", "back"] },
  ])("$path is dealt with as $is", ({ path, is }) => {
    expect(verdicts(path, own)).toEqual(is);
  });

  test("what is the main worktree's is not taken back by a restore either, unless it was removed", () => {
    expect(verdicts("index", own, true)).toEqual(["left", "left", "back"]);
    expect(verdicts("logs/HEAD", own, true)).toEqual(["left", "left", "back"]);
    expect(verdicts(`${own}ORIG_HEAD`, own, true)).toEqual(["left", "back", "back"]);
  });
});

test("a linked worktree's files, seen from the main one, are taken back only where they were removed", () => {
  for (const path of ["worktrees/w/HEAD", "worktrees/w/index"]) {
    expect(verdicts(path)).toEqual(["left", "left", "back"]);
    expect(verdicts(path, "", true)).toEqual(["left", "left", "back"]);
  }
});

describe("in a submodule's git folder", () => {
  const known = ["modules/lib/sub/HEAD"];

  test.each([
    { path: "modules/lib/sub/config", is: all("config-changed") },
    { path: "modules/lib/sub/hooks/post-checkout", is: all("hook-changed") },
    { path: "modules/lib/sub/info/exclude", is: all("config-changed") },
    { path: "modules/lib/sub/index", is: all("left") },
  ])("$path is dealt with as $is", ({ path, is }) => {
    expect(verdicts(path, "", false, known)).toEqual(is);
  });

  test("that the agent added nothing is taken back", () => {
    expect(
      examineFiles(none, filesOf("modules/new/HEAD", "modules/new/config", "modules/new/hooks/x"), "", true),
    ).toEqual([]);
  });
});

test.each([
  { before: none, now: filesOf("config"), how: "added" },
  { before: filesOf("config"), now: none, how: "removed" },
  { before: filesOf("config"), now: changed(filesOf("config")), how: "changed" },
])("a misdeed says that the file was $how", ({ before, now, how }) => {
  expect(examineFiles(before, now, "", false)).toEqual([
    { path: "config", misdeed: { kind: "config-changed", what: `.git/config was ${how}` } },
  ]);
});

test("changes come in the order of their paths, and what is the same is none", () => {
  const found = examineFiles(filesOf("same", "hooks/b"), filesOf("same", "config", "hooks/a"), "", true);
  expect(found.map(({ path }) => path)).toEqual(["config", "hooks/a", "hooks/b"]);
});
