// Places: made, found again after a crash, and removed.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { commitId } from "../../core/ids.ts";
import { makeRepository, person, removeTemporaryFolders, temporaryFolder, write } from "../../testing/workspace-rig.ts";
import { quarantinesOf } from "../runs/quarantines.ts";
import { dropPlace, freshPlace, makePlace, restorePlace, takeInputs, untouchedInputs } from "./make-place.ts";
import { listPlaces, lockPlace, projectOf, readPlace, writePlace } from "./places.ts";

const before = process.env["XDG_STATE_HOME"];
beforeAll(() => {
  process.env["XDG_STATE_HOME"] = temporaryFolder();
});
afterAll(() => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
  removeTemporaryFolders();
});

const tip = (root: string, ref = "HEAD") => commitId(person(root, "rev-parse", ref).trim());
const branches = (root: string) => person(root, "branch", "--list", "loop/*", "--format=%(refname:short)").trim();
async function made(root = makeRepository(), name = "work") {
  const place = await freshPlace(root, name, { run: "20260101-000000.000-abcdef", onto: "main", base: tip(root) });
  await makePlace(place, defaultProofTerms);
  return place;
}

test("a place is a worktree on a new branch, and knows its project", async () => {
  const place = await made();
  expect(person(place.root, "status", "--porcelain", "--branch")).toBe("## loop/work\n");
  expect(person(place.project, "status", "--porcelain")).toBe("");
  expect(projectOf(place.root)).toBe(place.project);
  expect(projectOf(place.project)).toBe(place.project);
  expect(readPlace(place.project, "work")).toEqual(place);
});

test("one that no run uses is removed at the next start, unless a process holds it", async () => {
  const root = makeRepository();
  const first = await made(root);
  const lock = await lockPlace(first, "beginning");
  const second = await freshPlace(root, "work", { run: "other", onto: "main", base: tip(root) });
  expect([second.name, fs.existsSync(first.root)]).toEqual(["work-2", true]);
  await lock.release();
  await freshPlace(root, "else", { run: "other", onto: "main", base: tip(root) });
  expect([fs.existsSync(first.root), branches(root), listPlaces(root).includes("work")]).toEqual([false, "", false]);
});

test("a name that is taken by a branch is avoided", async () => {
  const root = makeRepository();
  person(root, "branch", "loop/work");
  expect((await made(root)).branch).toBe("loop/work-2");
});

test("it is made again when the worktree and even the branch are gone", async () => {
  const place = await made();
  person(place.project, "worktree", "remove", "--force", place.root);
  person(place.project, "branch", "-D", place.branch);
  expect(await restorePlace(place, defaultProofTerms, null)).toBe(true);
  expect(tip(place.root)).toBe(place.base);
  expect(await restorePlace(place, defaultProofTerms, null)).toBe(false);
});

test("inputs are copied once, and again when the person has changed them", async () => {
  const place = await made();
  const taken = takeInputs(place, "docs", { "loop.yaml": "version: 1\n" });
  write(place.project, { "loop.yaml": "version: 1\n" });
  expect(untouchedInputs(taken).has("loop.yaml")).toBe(true);
  write(place.root, { "loop.yaml": "the loop's\n" });
  takeInputs(taken, "docs", { "loop.yaml": "version: 1\n" });
  expect(fs.readFileSync(join(place.root, "loop.yaml"), "utf8")).toBe("the loop's\n");
  takeInputs(taken, "docs", { "loop.yaml": "limits: {}\n" });
  expect(fs.readFileSync(join(place.root, "loop.yaml"), "utf8")).toBe("limits: {}\n");
});

test("removing it keeps uncommitted files, and a branch with commits", async () => {
  const place = await made();
  write(place.root, { "draft.txt": "half\n" });
  fs.appendFileSync(join(place.root, "README.md"), "more\n");
  person(place.root, "commit", "-qam", "theirs");
  await dropPlace(place, "docs");
  expect([fs.existsSync(place.root), branches(place.project)]).toEqual([false, "loop/work"]);
  const all = await quarantinesOf(place.project, "git");
  const files = await Promise.all(
    all.flatMap(async ({ quarantine }) => Promise.all((await quarantine.list()).map(({ id }) => quarantine.files(id)))),
  );
  expect(files.flat(2)).toContain("draft.txt");
});

test("once its commits have landed, the branch goes too", async () => {
  const place = await made();
  const landed = { ...place, landed: { commit: tip(place.root), at: 1 } };
  writePlace(landed);
  await dropPlace(landed, "docs");
  expect(branches(place.project)).toBe("");
});

test("one whose commits have landed is made again on top of them", async () => {
  const place = await made();
  person(place.root, "commit", "--allow-empty", "-qm", "the work");
  const commit = tip(place.root);
  person(place.project, "merge", "-q", "--ff-only", place.branch);
  const landed = { ...place, landed: { commit, at: 1 } };
  writePlace(landed);
  await dropPlace(landed, "docs");
  expect(await restorePlace(landed, defaultProofTerms, null)).toBe(true);
  expect(tip(landed.root)).toBe(commit);
});
