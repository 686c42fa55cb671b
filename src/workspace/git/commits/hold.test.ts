// The branch that shows held work to people; the loop may replace and remove it.
import { afterAll, expect, test } from "vitest";
import { anId, makeRepository, open, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const [first, second] = ["20260101-000000.000-aaaaaa", "20260102-000000.000-bbbbbb"];

async function begin() {
  const world = await open(makeRepository(), "git");
  const { head } = await world.workspace.inspect();
  const hold = async (text: string, name = "F003", run = first) =>
    world.workspace.hold({
      run,
      name,
      tree: await world.workspace.tree([{ path: "held.txt", content: text }]),
      parent: head,
      subject: `held: ${name} Add it`,
    });
  return { ...world, head, hold };
}

const branches = (root: string): string[] =>
  person(root, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim().split("\n");

test("puts the work on top of its base, where git show finds it", async () => {
  const { root, head, hold } = await begin();
  expect(await hold("1")).toBe("loop/held/F003");
  expect(person(root, "show", "loop/held/F003:held.txt")).toBe("1");
  expect(person(root, "rev-parse", "loop/held/F003^").trim()).toBe(head);
  expect(person(root, "log", "-1", "--format=%s %cn", "loop/held/F003").trim()).toBe("held: F003 Add it Pat Person");
  expect(person(root, "status", "--porcelain")).toBe("");
  person(root, "fsck", "--strict");
});

test("is replaced by later work, and removed when no longer needed", async () => {
  const { root, workspace, hold } = await begin();
  await hold("1");
  await hold("2");
  expect(person(root, "show", "loop/held/F003:held.txt")).toBe("2");
  await workspace.release({ run: first, name: "F003" });
  expect(branches(root)).toEqual(["main"]);
});

test("stays as it is when another run holds work under the same id, and when that run is done with its own", async () => {
  const { root, workspace, hold } = await begin();
  await hold("1");
  expect(await hold("2", "F003", second)).toBe("loop/held/F003-bbbbbb");
  expect(await hold("3", "F003", second)).toBe("loop/held/F003-bbbbbb");
  expect(person(root, "show", "loop/held/F003:held.txt")).toBe("1");
  expect(person(root, "show", "loop/held/F003-bbbbbb:held.txt")).toBe("3");
  await workspace.release({ run: second, name: "F003" });
  expect(branches(root)).toEqual(["loop/held/F003", "main"]);
  await workspace.release({ run: first, name: "F003" });
  expect(branches(root)).toEqual(["main"]);
});

test("is left alone if a person has moved it or checked it out", async () => {
  const { root, workspace, hold } = await begin();
  await hold("1");
  await hold("1", "F004");
  person(root, "branch", "-f", "loop/held/F003", "main");
  await workspace.release({ run: first, name: "F003" });
  person(root, "worktree", "add", "-q", `${root}-other`, "loop/held/F004");
  expect(await hold("2", "F004")).toBeNull();
  await workspace.release({ run: first, name: "F004" });
  expect(branches(root)).toEqual(["loop/held/F003", "loop/held/F004", "main"]);
});

test("is skipped if another branch is in the way, and the work is kept anyway", async () => {
  const { root, workspace, hold } = await begin();
  person(root, "branch", "loop");
  expect(await hold("1")).toBeNull();
  expect(branches(root)).toEqual(["loop", "main"]);
  await workspace.release({ run: first, name: "F003" });
});

test("is restored, and the agent reported, if an agent removes or moves it", async () => {
  const { root, workspace, hold } = await begin();
  await hold("1");
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "src/main.js": "made" });
  person(root, "update-ref", "-d", "refs/heads/loop/held/F003");
  const { misdeeds } = await workspace.fold(checkpoint);
  expect(misdeeds).toMatchObject([{ kind: "ref-changed", what: "refs/heads/loop/held/F003 was removed" }]);
  expect(person(root, "show", "loop/held/F003:held.txt")).toBe("1");
});

test.each(["../F1", "a/b", "", "x.lock"])("rejects a name like %j as a bug", async (name) => {
  const { workspace } = await begin();
  await expect(workspace.release({ run: first, name })).rejects.toThrow("not a name for held work");
});
