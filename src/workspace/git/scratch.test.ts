// A scratch folder after a check that played with what was brought into it, and the order of what is in quarantine.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  exists,
  makeRepository,
  open,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../testing/workspace-suite.ts";

afterAll(removeTemporaryFolders);

const ignoring = { ".gitignore": "node_modules/\n", "sub/file": "x", "main.js": "1\n" };

test("what a check put in the place of a brought folder stops nobody, and is gone the next time", async () => {
  const root = makeRepository(ignoring);
  write(root, { "node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const tree = await workspace.tree();
  const first = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  fs.unlinkSync(join(first.dir, "node_modules"));
  write(first.dir, { "node_modules/dep": "changed by a check" });
  await first.dispose();
  const { dir } = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  expect(readText(dir, "node_modules/dep")).toBe("dep");
  expect(readText(root, "node_modules/dep")).toBe("dep");
});

test("a list of what was brought that a death cut short is no list, and the folder is made anew", async () => {
  const root = makeRepository(ignoring);
  write(root, { "node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const tree = await workspace.tree();
  const first = await workspace.scratch("proof", tree, { bring: ["node_modules"] });
  fs.writeFileSync(`${first.dir}.brought.json`, "");
  const { dir } = await workspace.scratch("proof", tree, { bring: [] });
  expect(exists(dir, "node_modules")).toBe(false);
  expect(readText(dir, "main.js")).toBe("1\n");
  expect(readText(root, "node_modules/dep")).toBe("dep");
});

test("behind a link that a check made, nothing is taken away", async () => {
  const root = makeRepository(ignoring);
  write(root, { "sub/node_modules/dep": "dep" });
  const { workspace } = await open(root, "git");
  const { dir, dispose } = await workspace.scratch("proof", await workspace.tree(), { bring: ["sub/node_modules"] });
  expect(readText(dir, "sub/node_modules/dep")).toBe("dep");
  const elsewhere = temporaryFolder();
  fs.symlinkSync("precious", join(elsewhere, "node_modules"));
  fs.rmSync(join(dir, "sub"), { recursive: true });
  fs.symlinkSync(elsewhere, join(dir, "sub"));
  await dispose();
  expect(exists(elsewhere, "node_modules")).toBe(true);
});

test("what is in quarantine is listed from the oldest on, whatever it is called", async () => {
  const { vaultDir, workspace } = await open(makeRepository(), "git");
  const lists = { paths: [], trees: [], nested: [], git: null, commits: [] };
  for (const [id, at] of Object.entries({ q1: 3, q2: 1, q3: 2, q4: 2 }))
    write(vaultDir, { [`quarantine/${id}.json`]: JSON.stringify({ version: 1, id, at, why: "why", ...lists }) });
  expect((await workspace.quarantine.list()).map(({ id }) => id)).toEqual(["q2", "q3", "q4", "q1"]);
});
