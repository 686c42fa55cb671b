// What an agent can do to a repository, and that all of it is undone.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  agent,
  anId,
  everything,
  exists,
  makeRepository,
  open,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

/** A repository with two commits, a second branch, a tag, a remote ref, a stash, staged work and a hook. */
function busyRepository(): string {
  const root = makeRepository();
  write(root, { "src/main.js": "second\n" });
  person(root, "commit", "-qam", "second");
  person(root, "branch", "other", "HEAD~1");
  person(root, "tag", "v1");
  person(root, "update-ref", "refs/remotes/origin/main", "HEAD");
  write(root, { "README.md": "stashed\n" });
  person(root, "stash", "-q");
  write(root, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 0\n" });
  return root;
}

const refs = (root: string): string => person(root, "for-each-ref", "--format=%(refname) %(objectname) %(symref)");
/** The state of the repository that a person sees. */
function state(root: string) {
  return {
    refs: refs(root),
    head: readText(root, ".git/HEAD"),
    config: readText(root, ".git/config"),
    hooks: everything(join(root, ".git/hooks")),
    stash: person(root, "stash", "list"),
    log: person(root, "log", "--format=%H", "main"),
    fsck: person(root, "fsck", "--connectivity-only", "--no-dangling"),
  };
}

const misdeeds: readonly { name: string; kinds: readonly string[]; does: (root: string) => void }[] = [
  { name: "rm -rf .git", kinds: ["git-destroyed"], does: (root) => fs.rmSync(join(root, ".git"), { recursive: true }) },
  {
    name: "rm -rf .git and git init",
    kinds: ["git-destroyed", "config-changed", "hook-changed", "ref-changed", "stash-changed"],
    does: (root) => {
      fs.rmSync(join(root, ".git"), { recursive: true });
      agent(root, "init", "-q", "-b", "main");
      agent(root, "add", "-A");
      agent(root, "commit", "-qm", "fresh start");
    },
  },
  {
    name: "a HEAD of nonsense",
    kinds: ["git-destroyed"],
    does: (root) => fs.writeFileSync(join(root, ".git/HEAD"), "nonsense\n"),
  },
  { name: "a .git that links elsewhere", kinds: ["git-destroyed"], does: (root) => linkElsewhere(root) },
  { name: "removed objects", kinds: ["git-destroyed"], does: (root) => removeObjects(root) },
  { name: "a truncated object", kinds: ["git-destroyed"], does: (root) => truncateObject(root) },
  {
    name: "git reset --hard HEAD~1",
    kinds: ["ref-changed"],
    does: (root) => agent(root, "reset", "-q", "--hard", "HEAD~1"),
  },
  {
    name: "git commit --amend",
    kinds: ["ref-changed"],
    does: (root) => agent(root, "commit", "-q", "--amend", "-m", "amended"),
  },
  { name: "git checkout other", kinds: ["branch-switched"], does: (root) => agent(root, "checkout", "-q", "other") },
  {
    name: "a detached HEAD",
    kinds: ["branch-switched"],
    does: (root) => agent(root, "checkout", "-q", "--detach", "HEAD~1"),
  },
  { name: "git branch -D", kinds: ["ref-changed"], does: (root) => agent(root, "branch", "-qD", "other") },
  { name: "git tag -d", kinds: ["ref-changed"], does: (root) => agent(root, "tag", "-d", "v1") },
  {
    name: "a moved remote ref",
    kinds: ["ref-changed"],
    does: (root) => agent(root, "update-ref", "refs/remotes/origin/main", "HEAD~1"),
  },
  {
    name: "update-ref -d of the branch",
    kinds: ["ref-changed"],
    does: (root) => agent(root, "update-ref", "-d", "refs/heads/main"),
  },
  { name: "git stash drop", kinds: ["stash-changed"], does: (root) => agent(root, "stash", "drop", "-q") },
  {
    name: "git stash of its own",
    kinds: ["stash-changed"],
    does: (root) => {
      write(root, { "src/main.js": "agent's\n" });
      agent(root, "stash", "-q");
    },
  },
  {
    name: "a changed hook",
    kinds: ["hook-changed"],
    does: (root) => write(root, { ".git/hooks/pre-commit": "#!/bin/sh\ntouch pwned\n" }),
  },
  { name: "a hooks folder that links elsewhere", kinds: ["hook-changed"], does: (root) => linkHooks(root) },
  {
    name: "changed configuration",
    kinds: ["config-changed"],
    does: (root) => agent(root, "config", "core.fsmonitor", "touch pwned"),
  },
  {
    name: "attributes of the repository's own",
    kinds: ["config-changed"],
    does: (root) => write(root, { ".git/info/attributes": "* filter=x\n" }),
  },
  {
    name: "borrowed objects",
    kinds: ["config-changed"],
    does: (root) => write(root, { ".git/objects/info/alternates": "/tmp\n" }),
  },
  {
    name: "a branch where another was a folder",
    kinds: ["branch-made", "ref-changed"],
    does: (root) => branchInTheWay(root),
  },
  {
    name: "a ref with a name that git refuses",
    kinds: ["branch-made"],
    does: (root) => write(root, { ".git/refs/heads/a b~c": "nonsense" }),
  },
  {
    name: "a ref to an object that is not there",
    kinds: ["branch-made"],
    does: (root) => write(root, { ".git/refs/heads/ghost": `${"12".repeat(20)}\n` }),
  },
  { name: "replaced objects", kinds: ["ref-changed"], does: (root) => agent(root, "replace", "HEAD", "HEAD~1") },
];

function linkElsewhere(root: string): void {
  const elsewhere = join(temporaryFolder(), "git");
  fs.cpSync(join(root, ".git"), elsewhere, { recursive: true });
  fs.rmSync(join(root, ".git"), { recursive: true });
  fs.symlinkSync(elsewhere, join(root, ".git"));
}
function linkHooks(root: string): void {
  const elsewhere = temporaryFolder();
  write(elsewhere, { "pre-commit": "#!/bin/sh\ntouch pwned\n" });
  fs.rmSync(join(root, ".git/hooks"), { recursive: true });
  fs.symlinkSync(elsewhere, join(root, ".git/hooks"));
}
const objectFolders = (root: string): string[] =>
  fs.readdirSync(join(root, ".git/objects")).filter((name) => /^[0-9a-f]{2}$/.test(name));
function removeObjects(root: string): void {
  for (const name of objectFolders(root)) fs.rmSync(join(root, ".git/objects", name), { recursive: true });
}
function truncateObject(root: string): void {
  const id = person(root, "rev-parse", "HEAD^{tree}").trim();
  const path = join(root, ".git/objects", id.slice(0, 2), id.slice(2));
  fs.chmodSync(path, 0o644);
  fs.truncateSync(path, 3);
}
function branchInTheWay(root: string): void {
  agent(root, "branch", "-qD", "other");
  agent(root, "branch", "-q", "other/nested");
}

describe("a misdeed is detected and undone", () => {
  test.each(misdeeds)("$name", async ({ kinds, does }) => {
    const { root, workspace } = await open(busyRepository(), "git");
    const before = state(root);
    const checkpoint = await workspace.checkpoint(anId());
    does(root);
    const folded = await workspace.fold(checkpoint);
    expect([...new Set(folded.misdeeds.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
    expect(folded.movedBy).toBeNull();
    expect(folded.quarantine).not.toBeNull();
    expect(state(root)).toEqual(before);
    expect((await workspace.fold(checkpoint)).misdeeds).toEqual([]);
  });

  test("everything at once: rm -rf .git .loop docs src", async () => {
    const { root, workspace } = await open(busyRepository(), "git");
    write(root, { ".loop/state.json": "{}", "docs/LOOP.md": "# Contract\n" });
    const before = [state(root), everything(root)];
    const checkpoint = await workspace.checkpoint(anId());
    for (const path of [".git", "docs", "src"]) fs.rmSync(join(root, path), { recursive: true });
    const { files } = await workspace.restore(checkpoint, "destroyed");
    expect([state(root), everything(root)]).toEqual(before);
    expect(files).toContain("docs/LOOP.md");
  });

  test("git clean -fdx loses only ignored files", async () => {
    const { root, workspace } = await open(makeRepository(), "git");
    write(root, { "untracked.txt": "x", ".env": "gone with -x" });
    const checkpoint = await workspace.checkpoint(anId());
    agent(root, "clean", "-fdxq");
    await workspace.fold(checkpoint);
    await workspace.restore(checkpoint, "cleaned");
    expect([exists(root, "untracked.txt"), exists(root, ".env")]).toEqual([true, false]);
  });

  test("a workspace opens without .git, and restores it", async () => {
    const { root, vaultDir, workspace } = await open(busyRepository(), "git");
    const before = state(root);
    const checkpoint = await workspace.checkpoint(anId());
    fs.rmSync(join(root, ".git"), { recursive: true });
    const again = (await open(root, "git", vaultDir)).workspace;
    expect((await again.inspect()).obstacles.map(({ kind }) => kind)).toEqual(["git-missing"]);
    await again.fold(checkpoint);
    expect(state(root)).toEqual(before);
  });
});

describe("the agent's commits", () => {
  test("are folded: the branch is reset, the files stay, the commits are kept", async () => {
    const { root, vaultDir, workspace } = await open(busyRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { "a.txt": "a" });
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "one");
    write(root, { "b.txt": "b" });
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "two");
    const made = person(root, "rev-list", "--reverse", `${checkpoint.head}..HEAD`).trim().split("\n");
    const folded = await workspace.fold(checkpoint);
    expect(folded.commits).toEqual(made);
    expect(folded.misdeeds).toEqual([]);
    expect(person(root, "rev-parse", "main").trim()).toBe(checkpoint.head);
    expect(person(root, "status", "--porcelain")).toBe("?? a.txt\n?? b.txt\n");
    const kept = person(
      join(vaultDir, "store.git"),
      "rev-parse",
      `refs/quarantine/${folded.quarantine}-commits/0`,
    ).trim();
    expect(kept).toBe(made.at(-1));
  });

  test("on the agent's own branch are folded too", async () => {
    const { root, workspace } = await open(makeRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    agent(root, "checkout", "-qb", "feature");
    write(root, { "a.txt": "a" });
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "one");
    const folded = await workspace.fold(checkpoint);
    expect(folded.commits).toHaveLength(1);
    expect(folded.misdeeds.map(({ kind }) => kind).sort()).toEqual(["branch-made", "branch-switched"]);
    expect(refs(root)).not.toContain("feature");
    expect(readText(root, "a.txt")).toBe("a");
  });

  test("in a repository without commits leave it without one", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q", "-b", "main");
    write(root, { "mine.txt": "mine" });
    const { workspace } = await open(root, "git");
    const checkpoint = await workspace.checkpoint(anId());
    expect([checkpoint.head, checkpoint.branch]).toEqual([null, "main"]);
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "one");
    expect((await workspace.fold(checkpoint)).commits).toHaveLength(1);
    expect(refs(root)).toBe("");
    expect(person(root, "status", "--porcelain")).toBe("?? mine.txt\n");
  });

  test("an unfinished rebase, an unfinished merge and a lock are cleaned up", async () => {
    const { root, workspace } = await open(busyRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { ".git/MERGE_HEAD": `${checkpoint.head}\n`, ".git/rebase-merge/done": "x", ".git/index.lock": "" });
    await workspace.fold(checkpoint);
    expect(["MERGE_HEAD", "rebase-merge/done", "index.lock"].filter((path) => exists(root, `.git/${path}`))).toEqual(
      [],
    );
    expect((await workspace.inspect()).obstacles).toEqual([]);
  });
});

describe("someone else", () => {
  test("who commits on the branch is named, and nothing is changed", async () => {
    const { root, workspace } = await open(busyRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { "a.txt": "a" });
    agent(root, "add", "-A");
    agent(root, "commit", "-qm", "by the agent");
    person(root, "commit", "-q", "--allow-empty", "-m", "by a person");
    const before = state(root);
    const { movedBy, commits, quarantine } = await workspace.fold(checkpoint);
    const head = person(root, "rev-parse", "HEAD").trim();
    expect(movedBy).toEqual({ commit: head, who: "Pat Person <pat@example.org>", subject: "by a person", agents: 0 });
    expect([commits, quarantine]).toEqual([[], null]);
    expect(state(root)).toEqual(before);
  });

  test("who fetches or commits on another branch keeps their changes", async () => {
    const { root, workspace } = await open(busyRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    const tree = person(root, "rev-parse", "HEAD^{tree}").trim();
    const made = person(root, "commit-tree", "-p", "refs/remotes/origin/main", "-m", "upstream", tree).trim();
    person(root, "update-ref", "refs/remotes/origin/main", made);
    const folded = await workspace.fold(checkpoint);
    expect(folded.misdeeds).toEqual([]);
    expect(person(root, "rev-parse", "refs/remotes/origin/main").trim()).toBe(made);
  });
});

describe("forged objects", () => {
  test("a loose object whose content does not match its name is removed", async () => {
    const { root, workspace } = await open(makeRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    write(root, { "evil.txt": "evil" });
    const evil = agent(root, "hash-object", "-w", "evil.txt").trim();
    write(root, { "good.txt": "good" });
    const good = agent(root, "hash-object", "good.txt").trim();
    const at = (id: string) => join(root, ".git/objects", id.slice(0, 2), id.slice(2));
    fs.mkdirSync(join(at(good), ".."), { recursive: true });
    fs.copyFileSync(at(evil), at(good));
    fs.rmSync(join(root, "evil.txt"));
    const folded = await workspace.fold(checkpoint);
    expect(folded.misdeeds.map(({ kind }) => kind)).toEqual(["git-destroyed"]);
    const tree = await workspace.tree();
    expect((await workspace.read(tree, "good.txt"))?.toString()).toBe("good");
    await workspace.commit({ tree, parent: checkpoint.head, subject: "s", body: "", trailers: { "Loop-Run": "r" } });
    expect(person(root, "show", "HEAD:good.txt")).toBe("good");
  });

  test("a repack by the agent is no misdeed", async () => {
    const { root, workspace } = await open(busyRepository(), "git");
    const checkpoint = await workspace.checkpoint(anId());
    agent(root, "gc", "-q", "--prune=now");
    expect((await workspace.fold(checkpoint)).misdeeds).toEqual([]);
    fs.rmSync(join(root, ".git"), { recursive: true });
    await workspace.fold(checkpoint);
    expect(person(root, "fsck", "--no-dangling")).toBe("");
  });
});

test.each([
  { does: ["update-ref", "-d", "refs/heads/main"], said: "refs/heads/main was removed" },
  { does: ["update-ref", "refs/heads/main", "HEAD~1"], said: "the history of refs/heads/main was changed" },
  { does: ["branch", "-q", "-D", "other"], said: "refs/heads/other was removed" },
  { does: ["branch", "-q", "-f", "other", "HEAD"], said: "refs/heads/other was moved" },
  { does: ["tag", "v2"], said: "refs/tags/v2 was made" },
  { does: ["stash", "drop", "-q"], said: "the stash was dropped" },
  { does: ["update-ref", "refs/stash", "HEAD"], said: "the stash was changed" },
])("git $does is reported as: $said", async ({ does, said }) => {
  const root = busyRepository();
  const before = refs(root);
  const { workspace } = await open(root, "git");
  const checkpoint = await workspace.checkpoint(anId());
  agent(root, ...does);
  expect((await workspace.fold(checkpoint)).misdeeds.map(({ what }) => what)).toEqual([said]);
  expect(refs(root)).toBe(before);
});
