// What happened to refs since a checkpoint: who made the commits, what is restored, and how it is reported.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { groundOf } from "../../../testing/ground.ts";
import {
  agent,
  gitAs,
  makeRepository,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";
import { keepRepository } from "../checkpoint.ts";
import { examineRefs } from "./examine-refs.ts";
import { locate, ownPrefix } from "./repo.ts";

afterAll(removeTemporaryFolders);

const id = (root: string, rev: string): string => person(root, "rev-parse", rev).trim();
const empty = (who: typeof person, root: string, message: string): string => {
  who(root, "commit", "-q", "--allow-empty", "-m", message);
  return id(root, "HEAD");
};

/** A repository with two commits and two more branches, and the findings after `does`. */
async function examined(does: (root: string) => void, prepare: (root: string) => void = () => {}, root = repository()) {
  prepare(root);
  const ground = await groundOf(root);
  const repo = locate(root);
  if (repo === null) throw new Error("no repository");
  const keep = async () => (await keepRepository(ground, repo.commonDir, ground.vault.copy, true)).files;
  const before = await keep();
  does(root);
  return { root, found: await examineRefs(ground, before, await keep(), ownPrefix(repo)) };
}
function repository(): string {
  const root = makeRepository();
  empty(person, root, "second");
  person(root, "branch", "other", "HEAD~1");
  person(root, "branch", "third");
  return root;
}
const nothing = { commits: [], movedBy: null, putBack: [], misdeeds: [], tips: [] };

describe("on the current branch", () => {
  test("no changes give no findings", async () => {
    const { found } = await examined((root) => write(root, { x: "1" }));
    expect(found).toEqual(nothing);
  });

  test("the agent's commits are listed oldest first, and the branch is reset", async () => {
    const made: string[] = [];
    let from = "";
    const { found } = await examined((root) => {
      from = id(root, "HEAD");
      made.push(empty(agent, root, "a1"), empty(agent, root, "a2"));
    });
    expect(found).toEqual({
      ...nothing,
      commits: made,
      putBack: [{ name: "refs/heads/main", from: made[1], to: from }],
      tips: [made[1]],
    });
  });

  test("the last commit by someone else names its author, with the full subject", async () => {
    let theirs = "";
    const { found } = await examined((root) => {
      empty(person, root, "earlier");
      theirs = empty(person, root, "with \x1f in it");
      empty(agent, root, "a1");
    });
    expect(found.movedBy).toEqual({
      commit: theirs,
      who: "Pat Person <pat@example.org>",
      subject: "with   in it",
      agents: 1,
    });
    expect(found.commits).toHaveLength(3);
  });

  test("rewritten history is a misdeed, and continuing from the old tip is not", async () => {
    const { root, found } = await examined((at) =>
      agent(at, "commit", "-q", "--amend", "--allow-empty", "-m", "amended"),
    );
    expect(found.misdeeds).toEqual([{ kind: "ref-changed", what: "the history of refs/heads/main was changed" }]);
    expect(found.commits).toEqual([id(root, "HEAD")]);
  });

  test("a reset is a change of history, without commits", async () => {
    const { found, root } = await examined((at) => agent(at, "reset", "-q", "--hard", "HEAD~1"));
    expect(found.commits).toEqual([]);
    expect(found.misdeeds).toEqual([{ kind: "ref-changed", what: "the history of refs/heads/main was changed" }]);
    expect(found.tips).toEqual([id(root, "HEAD")]);
  });

  test("a removed branch is reported as removed", async () => {
    let was = "";
    const { found } = await examined((root) => {
      was = id(root, "HEAD");
      agent(root, "update-ref", "-d", "refs/heads/main");
    });
    expect(found).toEqual({
      ...nothing,
      putBack: [{ name: "refs/heads/main", from: null, to: was }],
      misdeeds: [{ kind: "ref-changed", what: "refs/heads/main was removed" }],
    });
  });

  test("commits on another branch, with HEAD moved along, count as the agent's too", async () => {
    const made: string[] = [];
    const { found } = await examined((root) => {
      agent(root, "checkout", "-q", "-b", "mine");
      made.push(empty(agent, root, "a1"));
    });
    expect(found.commits).toEqual(made);
    expect(found.putBack).toEqual([{ name: "refs/heads/mine", from: made[0], to: null }]);
    expect(found.misdeeds).toEqual([{ kind: "branch-made", what: "refs/heads/mine was made" }]);
    expect(found.tips).toEqual(made);
  });

  test("HEAD on a known commit is no new commit", async () => {
    const { found } = await examined((root) => agent(root, "checkout", "-q", "other"));
    expect(found).toEqual(nothing);
  });

  test("the first commit of an empty repository is found", async () => {
    const root = join(temporaryFolder(), "unborn");
    fs.mkdirSync(root);
    person(root, "init", "-q", "-b", "trunk");
    let made = "";
    const { found } = await examined((at) => (made = empty(agent, at, "a1")), undefined, root);
    expect(found).toEqual({
      ...nothing,
      commits: [made],
      putBack: [{ name: "refs/heads/trunk", from: made, to: null }],
      tips: [made],
    });
  });
});

describe("with a detached HEAD", () => {
  const detach = (root: string) => person(root, "checkout", "-q", "--detach");

  test("the agent's commits are found, and no branch is reset", async () => {
    let made = "";
    const { found } = await examined((root) => (made = empty(agent, root, "a1")), detach);
    expect(found).toEqual({ ...nothing, commits: [made], tips: [made] });
  });

  test("its commit counts as known, even if no branch has it", async () => {
    const alone = (root: string) => {
      detach(root);
      empty(person, root, "on no branch");
    };
    const { found } = await examined((root) => agent(root, "branch", "pin"), alone);
    expect(found.commits).toEqual([]);
    expect(found.misdeeds).toEqual([{ kind: "branch-made", what: "refs/heads/pin was made" }]);
  });
});

describe("on other refs", () => {
  const plumb = (who: "person" | "agent", root: string, parent: string): string =>
    gitAs(who, root, ["commit-tree", "HEAD^{tree}", "-p", parent, "-m", "elsewhere"]).trim();
  const point = (root: string, name: string, to: string) => agent(root, "update-ref", name, to);

  test.each([
    { what: "went forward to a commit of a person's", who: "person" as const, parent: "other", back: false },
    { what: "went forward to a commit of the agent's", who: "agent" as const, parent: "other", back: true },
    { what: "went aside to a commit of a person's", who: "person" as const, parent: "other", ref: "third", back: true },
  ])("one that $what is restored: $back", async ({ who, parent, ref = "other", back }) => {
    const { found, root } = await examined((at) => point(at, `refs/heads/${ref}`, plumb(who, at, parent)));
    const name = `refs/heads/${ref}`;
    const now = id(root, ref);
    expect(found.putBack.map((change) => [change.name, change.from])).toEqual(back ? [[name, now]] : []);
    expect(found.misdeeds).toEqual(back ? [{ kind: "ref-changed", what: `${name} was moved` }] : []);
    expect(found.tips).toEqual(back ? [now] : []);
    expect([found.commits, found.movedBy]).toEqual([[], null]);
  });

  test("a person's new one stays, and a new one to a known commit does not", async () => {
    const { found } = await examined((root) => {
      point(root, "refs/remotes/origin/main", plumb("person", root, "HEAD"));
      point(root, "refs/heads/known", id(root, "HEAD~1"));
    });
    expect(found.putBack.map(({ name }) => name)).toEqual(["refs/heads/known"]);
  });

  test("a removed one is restored, and so is one that is invalid or does not lead to a commit", async () => {
    const { found, root } = await examined((at) => {
      agent(at, "branch", "-qD", "other");
      write(at, { ".git/refs/heads/third": "nonsense\n", ".git/refs/tags/ghost": `${"12".repeat(20)}\n` });
    });
    expect(found.misdeeds.map(({ what }) => what).sort()).toEqual([
      "refs/heads/other was removed",
      "refs/heads/third was moved",
      "refs/tags/ghost was made",
    ]);
    expect(found.putBack.find(({ name }) => name === "refs/heads/third")).toEqual({
      name: "refs/heads/third",
      from: "nonsense",
      to: id(root, "HEAD"),
    });
    expect(found.tips).toEqual(["12".repeat(20)]);
  });

  test.each([
    { what: "dropped", does: (root: string) => agent(root, "stash", "drop", "-q") },
    {
      what: "changed",
      does: (root: string) => {
        write(root, { "README.md": "again\n" });
        person(root, "stash", "-q");
      },
    },
  ])("the stash belongs to the person: it was $what", async ({ what, does }) => {
    const { found } = await examined(does, (root) => {
      write(root, { "README.md": "stashed\n" });
      person(root, "stash", "-q");
    });
    expect(found.misdeeds).toEqual([{ kind: "stash-changed", what: `the stash was ${what}` }]);
    expect(found.putBack.map(({ name }) => name)).toEqual(["refs/stash"]);
  });

  test("a person's tag on a new commit stays, like a branch", async () => {
    const { found } = await examined((root) => {
      point(root, "refs/heads/other", plumb("person", root, "other"));
      person(root, "tag", "-am", "tagged", "v2", "other");
    });
    expect(found.putBack.map(({ name }) => name)).toEqual([]);
  });
});
