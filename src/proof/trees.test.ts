// What a loaded tree knows about files that it does not read as text.
import { afterAll, expect, test } from "vitest";
import { anId, makeRepository, open, removeTemporaryFolders, write } from "../testing/workspace-rig.ts";
import { packagesAt } from "./case.ts";
import { KnownTrees } from "./trees.ts";

afterAll(removeTemporaryFolders);

test("another lockfile means other packages, however large or binary it is", async () => {
  const root = makeRepository();
  const { workspace } = await open(root, "git");
  const trees = new KnownTrees(workspace);
  const installed = async (files: Readonly<Record<string, string | Buffer>>): Promise<string> => {
    write(root, files);
    const { tree } = await workspace.checkpoint(anId());
    return packagesAt(await trees.load(tree)).installed;
  };
  const large = "x".repeat(600 << 10);
  const first = await installed({ "package-lock.json": `${large}1`, "package.json": "{}" });
  expect(await installed({ "README.md": "other" })).toBe(first);
  const second = await installed({ "package-lock.json": `${large}2` });
  expect(second).not.toBe(first);
  const third = await installed({ "bun.lockb": Buffer.from([0, 1]) });
  expect(await installed({ "bun.lockb": Buffer.from([0, 2]) })).not.toBe(third);
});
