// Commits of a plain folder: stored in the vault, in sequence, and never on top of an unexpected head.
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  makeRepository,
  open,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../testing/workspace-rig.ts";
import type { Committed } from "../workspace.ts";

afterAll(removeTemporaryFolders);

async function begin() {
  const root = join(temporaryFolder(), "folder");
  write(root, { a: "1" });
  const world = await open(root, "plain");
  const order = async (run: string, parent: Committed | null) => ({
    tree: await world.workspace.tree(),
    parent: parent !== null && "commit" in parent ? parent.commit : null,
    subject: "s",
    body: "",
    trailers: { "Loop-Run": run },
  });
  return { ...world, order };
}

test("a folder has no branch, nothing uncommitted and no obstacles, before and after its first commit", async () => {
  const { workspace, order } = await begin();
  expect(await workspace.inspect()).toEqual({ branch: null, head: null, dirty: [], obstacles: [] });
  const made = await workspace.commit(await order("r1", null));
  expect(made).toEqual({ is: "made", commit: expect.any(String), tree: expect.any(String) });
  const head = "commit" in made ? made.commit : null;
  expect(await workspace.inspect()).toEqual({ branch: null, head, dirty: [], obstacles: [] });
});

test("commits follow each other, in the loop's name", async () => {
  const { root, vaultDir, workspace, order } = await begin();
  const first = await workspace.commit(await order("r1", null));
  write(root, { a: "2" });
  const second = await workspace.commit(await order("r2", first));
  const log = person(join(vaultDir, "store.git"), "log", "--format=%H %an <%ae>", "refs/heads/workspace");
  const by = "Loopwright <loop@loopwright.invalid>";
  const ids = [second, first].map((made) => ("commit" in made ? made.commit : ""));
  expect(log.trim().split("\n")).toEqual(ids.map((id) => `${id} ${by}`));
});

test("of two concurrent commits one is made, and the other learns of it", async () => {
  const { root, vaultDir, workspace, order } = await begin();
  const other = (await open(root, "plain", vaultDir)).workspace;
  const [one, two] = [await order("r1", null), await order("r2", null)];
  const done = await Promise.all([workspace.commit(one), other.commit(two)]);
  const made = done.find(({ is }) => is === "made");
  expect(done.filter(({ is }) => is === "moved")).toEqual([
    { is: "moved", head: made !== undefined && "commit" in made ? made.commit : null },
  ]);
});

test("a ref that cannot be moved but has not moved is a failure, and nothing is committed", async () => {
  const { vaultDir, workspace, order } = await begin();
  write(vaultDir, { "store.git/refs/heads/workspace.lock": "" });
  await expect(workspace.commit(await order("r1", null))).rejects.toThrow("update-ref");
  expect((await workspace.inspect()).head).toBeNull();
});

test("the settings of a surrounding repository are ignored", async () => {
  const root = makeRepository({ ".gitattributes": "", a: "1\r\n" });
  person(root, "config", "core.autocrlf", "true");
  person(root, "config", "user.name", "Somebody Else");
  const { workspace } = await open(root, "plain");
  const tree = await workspace.tree();
  expect((await workspace.read(tree, "a"))?.toString()).toBe("1\r\n");
});
