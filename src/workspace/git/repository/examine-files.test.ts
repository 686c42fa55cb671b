// Which changes in `.git` are reverted after a session, and which of them count as misdeeds.
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
/** Result for an added, changed and removed path: its kinds of misdeed, "back" for none, "left" for no change. */
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
])("%s is configuration, for any change", (path) => {
  expect(verdicts(path)).toEqual(all("config-changed"));
});

test.each(["hooks/pre-commit", "hooks", "hooks/a/b"])("%s is a hook, for any change", (path) => {
  expect(verdicts(path)).toEqual(all("hook-changed"));
});

test.each(["packed-refs", "refs/heads/main", "refs/stash"])("%s is compared by its value, elsewhere", (path) => {
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
])("%s is restored silently", (path) => {
  expect(verdicts(path)).toEqual(all("back"));
});

test("HEAD means that the branch was switched", () => {
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
])("%s stays as it is after a session, and is reverted by a restore", (path) => {
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
    // Files of the main worktree or another one are restored only if they were removed.
    { path: "HEAD", is: ["left", "left", "back"] },
    { path: "index", is: ["left", "left", "back"] },
    { path: "worktrees/other/index", is: ["left", "left", "back"] },
  ])("$path is treated as $is", ({ path, is }) => {
    expect(verdicts(path, own)).toEqual(is);
  });

  test("files of the main worktree are not reverted by a restore either, unless they were removed", () => {
    expect(verdicts("index", own, true)).toEqual(["left", "left", "back"]);
    expect(verdicts("logs/HEAD", own, true)).toEqual(["left", "left", "back"]);
    expect(verdicts(`${own}ORIG_HEAD`, own, true)).toEqual(["left", "back", "back"]);
  });
});

test("a linked worktree's files, seen from the main one, are restored only if they were removed", () => {
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
  ])("$path is treated as $is", ({ path, is }) => {
    expect(verdicts(path, "", false, known)).toEqual(is);
  });

  test("nothing is reverted in one that the agent added", () => {
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

test("changes are sorted by path, and equal files are not listed", () => {
  const found = examineFiles(filesOf("same", "hooks/b"), filesOf("same", "config", "hooks/a"), "", true);
  expect(found.map(({ path }) => path)).toEqual(["config", "hooks/a", "hooks/b"]);
});
