// What the vault removes: only checkpoints no longer needed, and never a file that is still in use.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type CheckpointId, checkpointId } from "../../../core/ids.ts";
import {
  makeRepository,
  open,
  person,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const names = (run: string, count: number): CheckpointId[] =>
  Array.from({ length: count }, (_, at) => checkpointId(`${run}.i${at}`));
const ofRun = (run: string) => (id: CheckpointId) => id.startsWith(`${run}.`);

/** Many checkpoints, each with a different index and the same settings. */
async function withCheckpoints(run: string, count: number) {
  const opened = await open(makeRepository(), "git");
  for (const id of names(run, count)) {
    write(opened.root, { [`${id}.txt`]: id });
    person(opened.root, "add", "--all");
    await opened.workspace.checkpoint(id);
  }
  return opened;
}

/** As if an hour had passed: recently kept files are never removed. */
function age(vaultDir: string): void {
  for (const path of kept(vaultDir)) fs.utimesSync(path, 0, 0);
}
const kept = (vaultDir: string): string[] =>
  fs
    .readdirSync(join(vaultDir, "git-files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("a needed checkpoint is restored exactly, and finished ones are removed with their files", async () => {
  const { root, vaultDir, workspace } = await withCheckpoints("r1", 25);
  const wanted = checkpointId("r1.i3");
  const checkpoint = await workspace.findCheckpoint(wanted);
  const before = kept(vaultDir).length;
  age(vaultDir);
  await workspace.forget((id) => id !== wanted);
  expect(await workspace.findCheckpoint(checkpointId("r1.i4"))).toBeNull();
  expect(kept(vaultDir).length).toBeLessThan(before - 40); // An index and a file list each.
  if (checkpoint === null) throw new Error("it was made");
  fs.rmSync(join(root, ".git"), { recursive: true });
  await workspace.restore(checkpoint, "why");
  expect(await workspace.tree()).toBe(checkpoint.tree);
  expect(person(root, "status", "--porcelain").trim().split("\n")).toEqual(
    names("r1", 4).map((id) => `A  ${id}.txt`), // Still staged.
  );
});

test("a plain folder removes checkpoints too, except the needed one", async () => {
  const { root, workspace } = await open(temporaryFolder(), "plain");
  for (const id of names("r1", 21)) {
    write(root, { "a.txt": id });
    await workspace.checkpoint(id);
  }
  const wanted = await workspace.findCheckpoint(checkpointId("r1.i3"));
  if (wanted === null) throw new Error("it was made");
  await workspace.forget((id) => id !== wanted.id);
  expect(await workspace.findCheckpoint(checkpointId("r1.i20"))).toBeNull();
  await workspace.restore(wanted, "why");
  expect(fs.readFileSync(join(root, "a.txt"), "utf8")).toBe(wanted.id);
});

test("a few are left for later", async () => {
  const { vaultDir, workspace } = await withCheckpoints("r1", 19);
  age(vaultDir);
  const before = kept(vaultDir).length;
  await workspace.forget(() => true);
  expect(await workspace.findCheckpoint(checkpointId("r1.i0"))).not.toBeNull();
  expect(kept(vaultDir).length).toBe(before);
});

test("recently kept files stay: they may belong to an operation in progress", async () => {
  const { vaultDir, workspace } = await withCheckpoints("r1", 20);
  const before = kept(vaultDir).length;
  await workspace.forget(() => true);
  expect(await workspace.findCheckpoint(checkpointId("r1.i0"))).toBeNull();
  expect(kept(vaultDir).length).toBe(before);
});

test("another run's checkpoints and the quarantine keep their files", async () => {
  const { root, vaultDir, workspace } = await withCheckpoints("r1", 20);
  const other = await workspace.checkpoint(checkpointId("r2.origin"));
  fs.appendFileSync(join(root, ".git/config"), "[alias]\n\tx = !true\n");
  fs.writeFileSync(join(root, ".git/index"), "broken by an agent");
  const { quarantine } = await workspace.restore(other, "why");
  if (quarantine === null) throw new Error("the settings were set aside");
  const record = JSON.parse(fs.readFileSync(join(vaultDir, "quarantine", `${quarantine}.json`), "utf8"));
  age(vaultDir);
  await workspace.forget(ofRun("r1"));
  const hashes = new Set(kept(vaultDir).map((path) => path.slice(-64)));
  expect(hashes).toContain(record.git);
  const list = fs.readFileSync(join(vaultDir, "git-files", record.git.slice(0, 2), record.git), "utf8");
  const files = Object.values<{ hash: string }>(JSON.parse(list).files);
  expect(files.filter(({ hash }) => !hashes.has(hash))).toEqual([]);
  fs.rmSync(join(root, ".git"), { recursive: true });
  await workspace.restore(other, "again");
  expect(await workspace.tree()).toBe(other.tree);
});

test("if one list cannot be read, nothing is removed", async () => {
  const { vaultDir, workspace } = await withCheckpoints("r1", 21);
  age(vaultDir);
  fs.writeFileSync(join(vaultDir, "checkpoints", "r0.origin.json"), '{"git":"gone');
  const before = kept(vaultDir).length;
  await workspace.forget(ofRun("r1"));
  expect(kept(vaultDir).length).toBe(before);
});

test("many loose objects are packed, and every tree can still be read", async () => {
  const { root, vaultDir, workspace } = await withCheckpoints("r1", 20);
  const trees = await Promise.all(names("r1", 20).map(async (id) => (await workspace.findCheckpoint(id))?.tree));
  write(root, Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`many/${at}.txt`, `${at}\n`])));
  const unwanted = await workspace.tree([{ path: "a.txt", content: "of no checkpoint" }]);
  const last = await workspace.checkpoint(checkpointId("r1.last"));
  await workspace.forget((id) => id !== last.id);
  const count = person(join(vaultDir, "store.git"), "count-objects", "-v");
  expect(count).toMatch(/^count: 0$[\s\S]*^packs: 1$/m);
  const again = (await open(root, "git", vaultDir)).workspace;
  for (const [at, tree] of trees.entries()) {
    if (tree === undefined) throw new Error("it was made");
    expect(String(await again.read(tree, `r1.i${at}.txt`))).toBe(`r1.i${at}`);
  }
  expect(String(await again.read(unwanted, "a.txt"))).toBe("of no checkpoint");
  fs.rmSync(join(root, "many"), { recursive: true });
  await again.restore(last, "why");
  expect(await again.tree()).toBe(last.tree);
});
