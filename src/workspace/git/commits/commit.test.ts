// A commit by the loop: made once, in the person's name, on the intended branch, with nothing else in it.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { anId, makeRepository, open, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const trailers = { "Loop-Run": "r1", "Loop-Feature": "F001", "Loop-Iteration": "3" };

test("the commit has the person's identity, and a body and trailers that git parses", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  await workspace.commit({
    tree: await workspace.tree(),
    parent: head,
    subject: "feat(F001): a\nthing",
    body: "Why it is so.\n\nAnd more.",
    trailers,
  });
  expect(person(root, "log", "-1", "--format=%an <%ae> %cn|%s|%b")).toContain(
    "Pat Person <pat@example.org> Pat Person|feat(F001): a thing|Why it is so.",
  );
  expect(person(root, "log", "-1", "--format=%(trailers:only)").trim().split("\n")).toEqual([
    "Loop-Run: r1",
    "Loop-Feature: F001",
    "Loop-Iteration: 3",
  ]);
  expect(person(root, "reflog", "-1", "--format=%gs")).toBe("commit: feat(F001): a thing\n");
});

test("a crash after the branch moved is completed: the commit is adopted and the index updated", async () => {
  const { root, vaultDir, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const order = { tree: await workspace.tree(), parent: head, subject: "s", body: "", trailers };
  const before = fs.readFileSync(join(root, ".git/index"));
  fs.writeFileSync(join(root, ".git/index.lock"), ""); // The index cannot be written, so this fails between the two.
  await expect(workspace.commit(order)).rejects.toMatchObject({ code: "index-locked" });
  fs.rmSync(join(root, ".git/index.lock"));
  expect(fs.readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
  const again = (await open(root, "git", vaultDir)).workspace;
  expect((await again.commit(order)).is).toBe("adopted");
  expect(person(root, "rev-list", "--count", "HEAD")).toBe("2\n");
  expect(person(root, "status", "--porcelain")).toBe("");
});

test("an adopted commit is reported with its own tree, and the index gets exactly that tree", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const order = { tree: await workspace.tree(), parent: head, subject: "s", body: "", trailers };
  fs.writeFileSync(join(root, ".git/index.lock"), "");
  await expect(workspace.commit(order)).rejects.toMatchObject({ code: "index-locked" });
  fs.rmSync(join(root, ".git/index.lock"));
  write(root, { "a.txt": "newer" });
  const newer = { ...order, tree: await workspace.tree() };
  expect(await workspace.commit(newer)).toMatchObject({ is: "adopted", tree: order.tree });
  expect(person(root, "status", "--porcelain")).toBe(" M a.txt\n");
});

test("an index lock left by our own crash is removed, and the commit is completed", async () => {
  const { root, vaultDir, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const order = { tree: await workspace.tree(), parent: head, subject: "s", body: "", trailers };
  const lock = join(root, ".git/index.lock");
  fs.writeFileSync(lock, "half"); // Fails between branch and index; the second name marks the lock as ours.
  await expect(workspace.commit(order)).rejects.toMatchObject({ code: "index-locked" });
  fs.linkSync(lock, join(root, ".git/index.loop-0123456789ab"));
  const again = (await open(root, "git", vaultDir)).workspace;
  expect((await again.commit(order)).is).toBe("adopted");
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(fs.readdirSync(join(root, ".git")).filter((name) => name.startsWith("index."))).toEqual([]);
});

test("someone else's index lock stays, even with our leftovers next to it", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const order = { tree: await workspace.tree(), parent: head, subject: "s", body: "", trailers };
  fs.writeFileSync(join(root, ".git/index.lock"), "theirs");
  fs.writeFileSync(join(root, ".git/index.loop-0123456789ab"), "theirs");
  await expect(workspace.commit(order)).rejects.toMatchObject({ code: "index-locked" });
  expect(fs.readFileSync(join(root, ".git/index.lock"), "utf8")).toBe("theirs");
});

test("an adopted commit does not touch an index that the person has used since", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const order = { tree: await workspace.tree(), parent: head, subject: "s", body: "", trailers };
  await workspace.commit(order);
  write(root, { "README.md": "staged since" });
  person(root, "add", "README.md");
  person(root, "commit", "-qm", "on top", "--allow-empty", "--only");
  expect((await workspace.commit(order)).is).toBe("adopted");
  expect(person(root, "diff", "--cached", "--name-only")).toBe("README.md\n");
});

test("a branch that someone else moved is not touched", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const { head } = await workspace.inspect();
  write(root, { "a.txt": "a" });
  const tree = await workspace.tree();
  person(root, "commit", "-q", "--allow-empty", "-m", "theirs");
  const theirs = person(root, "rev-parse", "HEAD").trim();
  expect(await workspace.commit({ tree, parent: head, subject: "s", body: "", trailers })).toEqual({
    is: "moved",
    head: theirs,
  });
  expect(person(root, "rev-parse", "HEAD").trim()).toBe(theirs);
});

test("the same trailers below the parent do not count", async () => {
  const { root, workspace } = await open(makeRepository(), "git");
  const first = (await workspace.inspect()).head;
  write(root, { "a.txt": "a" });
  const made = await workspace.commit({
    tree: await workspace.tree(),
    parent: first,
    subject: "s",
    body: "",
    trailers,
  });
  const parent = "commit" in made ? made.commit : null;
  write(root, { "a.txt": "b" });
  expect((await workspace.commit({ tree: await workspace.tree(), parent, subject: "s", body: "", trailers })).is).toBe(
    "made",
  );
});

test("a checkpoint from before a commit can still be restored, and the commit is kept", async () => {
  const { root, vaultDir, workspace } = await open(makeRepository(), "git");
  const checkpoint = await workspace.checkpoint(anId());
  write(root, { "a.txt": "a" });
  const made = await workspace.commit({
    tree: await workspace.tree(),
    parent: checkpoint.head,
    subject: "s",
    body: "",
    trailers,
  });
  const { quarantine } = await workspace.restore(checkpoint, "rewind");
  expect(person(root, "rev-parse", "HEAD").trim()).toBe(checkpoint.head);
  expect(person(root, "status", "--porcelain")).toBe("");
  expect(quarantine).not.toBeNull();
  expect(person(join(vaultDir, "store.git"), "cat-file", "-t", "commit" in made ? made.commit : "")).toBe("commit\n");
});
