// Several worktrees of one repository: what an agent does in one is undone, what others do meanwhile stays.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  agent,
  anId,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

/** A repository with a branch, and a worktree that the loop works in. */
async function shared() {
  const root = makeRepository();
  person(root, "branch", "feature");
  person(root, "switch", "-q", "feature");
  write(root, { "feature.txt": "1\n" });
  person(root, "add", "-A");
  person(root, "commit", "-qm", "on feature");
  person(root, "switch", "-q", "main");
  const dir = join(temporaryFolder(), "worktree");
  person(root, "worktree", "add", "-q", "-b", "loop/work", dir);
  const { workspace } = await open(dir, "git");
  await workspace.inspect();
  return { root, dir, workspace, before: await workspace.checkpoint(anId()) };
}
const tip = (root: string, ref: string): string => person(root, "rev-parse", ref).trim();

test("what a person does in their folder meanwhile stays, and no agent is blamed", async () => {
  const { root, dir, workspace, before } = await shared();
  write(root, { "README.md": "theirs\n" });
  person(root, "commit", "-qam", "theirs");
  person(root, "branch", "-f", "feature", "main~1");
  person(root, "branch", "new", "main");
  write(root, { "README.md": "stashed\n" });
  person(root, "stash", "-q");
  person(root, "config", "branch.main.remote", "origin");
  person(root, "merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "new~1");
  const theirs = ["main", "feature", "new", "refs/stash"].map((ref) => tip(root, ref));
  write(dir, { "src/main.js": "the agent's\n" });
  agent(dir, "commit", "-qam", "the agent's");
  const folded = await workspace.fold(before);
  expect(folded).toMatchObject({ misdeeds: [], movedBy: null, commits: [expect.any(String)] });
  expect(["main", "feature", "new", "refs/stash"].map((ref) => tip(root, ref))).toEqual(theirs);
  expect(person(root, "config", "branch.main.remote").trim()).toBe("origin");
  expect(tip(root, "loop/work")).toBe(before.head);
});

test("what the agent does to others' refs is undone, and named", async () => {
  const { root, dir, workspace, before } = await shared();
  const [main, feature] = [tip(root, "main"), tip(root, "feature")];
  agent(dir, "update-ref", "refs/heads/feature", "main");
  agent(dir, "branch", "mine");
  fs.writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n");
  agent(dir, "config", "core.fsmonitor", "/bin/false");
  const { misdeeds } = await workspace.fold(before);
  expect(misdeeds.map(({ kind }) => kind).sort()).toEqual([
    "branch-made",
    "config-changed",
    "hook-changed",
    "ref-changed",
  ]);
  expect([tip(root, "main"), tip(root, "feature")]).toEqual([main, feature]);
  expect(person(root, "branch", "--list", "mine")).toBe("");
  expect(readText(root, ".git/config")).not.toContain("fsmonitor");
});

test("a removed branch comes back only if its commits would be lost", async () => {
  const { root, dir, workspace, before } = await shared();
  const feature = tip(root, "feature");
  person(root, "branch", "merged", "main");
  const again = await workspace.checkpoint(anId());
  agent(dir, "branch", "-D", "feature", "merged");
  const { misdeeds } = await workspace.fold(again);
  expect(misdeeds).toMatchObject([{ kind: "ref-removed" }]);
  expect(tip(root, "feature")).toBe(feature);
  expect(person(root, "branch", "--list", "merged")).toBe("");
  expect(before.branch).toBe("loop/work");
});

test("commits of an agent in another worktree stay, also for a run in the main folder", async () => {
  const { root, dir } = await shared();
  const here = await open(root, "git");
  await here.workspace.inspect();
  const before = await here.workspace.checkpoint(anId());
  write(dir, { "src/main.js": "the agent's\n" });
  agent(dir, "commit", "-qam", "the agent's");
  const theirs = tip(root, "loop/work");
  person(root, "worktree", "remove", "--force", dir);
  expect(await here.workspace.fold(before)).toMatchObject({ misdeeds: [], movedBy: null });
  expect(tip(root, "loop/work")).toBe(theirs);
  expect(fs.existsSync(join(root, ".git/worktrees"))).toBe(false);
});

test("a run that begins in a worktree while an agent works in the folder stays", async () => {
  const root = makeRepository();
  const { workspace } = await open(root, "git");
  await workspace.inspect();
  const before = await workspace.checkpoint(anId());
  const dir = join(temporaryFolder(), "loop-work");
  person(root, "worktree", "add", "-q", "-b", "loop/work", dir);
  expect(await workspace.fold(before)).toMatchObject({ misdeeds: [], movedBy: null });
  expect(tip(root, "loop/work")).toBe(before.head);
  expect(person(dir, "status", "--porcelain")).toBe("");
});

test("an agent that merges the person's newer commits has not moved the branch for them", async () => {
  const { root, dir, workspace, before } = await shared();
  write(root, { "README.md": "theirs\n" });
  person(root, "commit", "-qam", "theirs");
  agent(dir, "merge", "-q", "main");
  expect(await workspace.fold(before)).toMatchObject({ movedBy: null });
  expect(tip(root, "loop/work")).toBe(before.head);
});
