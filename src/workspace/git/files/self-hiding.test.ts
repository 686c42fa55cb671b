// A rule file that hides itself is found, and the person's own is not mistaken for one.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fileClockMs } from "../../../host/disk.ts";
import { groundOf } from "../../../testing/ground.ts";
import { makeRepository, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { selfHiding } from "./self-hiding.ts";
import { snapshot } from "./snapshot.ts";

afterAll(removeTemporaryFolders);

async function found(files: Record<string, string>, tracked: Record<string, string>, since = 0): Promise<string[]> {
  const root = makeRepository(tracked);
  const ground = await groundOf(root);
  await snapshot(ground);
  write(root, files);
  return selfHiding(ground, since);
}

const rules = { ".gitignore": "node_modules/\nhidden/.gitignore\n", a: "1" };
type Case = { how: string; files: Record<string, string>; hiding: string[]; tracked?: Record<string, string> };
const cases: Case[] = [
  { how: "at the top", files: { ".gitignore": "*\n" }, hiding: [".gitignore"], tracked: { a: "1" } },
  { how: "in a folder of its own", files: { "sub/.gitignore": "*\n", "sub/x": "" }, hiding: ["sub/.gitignore"] },
  {
    how: "beside a tracked file",
    files: { "a/b/.gitignore": "*\n", "a/b/x": "" },
    hiding: ["a/b/.gitignore"],
    tracked: { "a/b/c": "1" },
  },
  { how: "by its own name", files: { "sub/.gitignore": ".gitignore\n", "sub/x": "" }, hiding: ["sub/.gitignore"] },
  { how: "with a strange name above", files: { ":(top)x/.gitignore": "*\n" }, hiding: [":(top)x/.gitignore"] },
  {
    how: "in two places",
    files: { "x/.gitignore": "*\n", "y/z/.gitignore": "*\n" },
    hiding: ["x/.gitignore", "y/z/.gitignore"],
  },
  { how: "by a rule of the person's", files: { "hidden/.gitignore": "x\n" }, hiding: [] },
  { how: "with its folder, by a rule of the person's", files: { "node_modules/.gitignore": "*\n" }, hiding: [] },
  { how: "not at all", files: { "sub/.gitignore": "*.log\n", "sub/x.log": "" }, hiding: [] },
  {
    how: "not, but another of nearly the same name",
    files: { "sub/.gitignore": "not.gitignore\n", "sub/not.gitignore": "" },
    hiding: [],
  },
];

test.each(cases)("a rule file that hides itself $how is found: $hiding", async ({ files, hiding, tracked }) => {
  expect(await found(files, tracked ?? rules)).toEqual(hiding);
});

test("one older than the given time is the person's", async () => {
  expect(await found({ "sub/.gitignore": "*\n" }, rules, Date.now() + 60_000)).toEqual([]);
});

test("one from that time counts as new, though the times of files are coarse", async () => {
  const root = makeRepository(rules);
  const ground = await groundOf(root);
  write(root, { "sub/.gitignore": "*\n" });
  const { ctimeMs } = fs.statSync(join(root, "sub/.gitignore"));
  expect(await selfHiding(ground, ctimeMs)).toEqual(["sub/.gitignore"]);
  expect(await selfHiding(ground, ctimeMs + fileClockMs)).toEqual(["sub/.gitignore"]);
  expect(await selfHiding(ground, ctimeMs + fileClockMs + 1)).toEqual([]);
});

test("a link or folder with that name hides nothing", async () => {
  const root = makeRepository(rules);
  const ground = await groundOf(root);
  write(root, { "sub/.gitignore/x": "*\n", "x/.gitignore": "*\n" });
  fs.mkdirSync(join(root, "y"));
  fs.symlinkSync("../x/.gitignore", join(root, "y/.gitignore"));
  expect(await selfHiding(ground, 0)).toEqual(["x/.gitignore"]);
});
