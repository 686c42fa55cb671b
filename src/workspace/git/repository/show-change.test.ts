// What a person decides on has to be seen whole: each file by name and number, whatever the others are.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diffPart } from "../../../report/page/diff.ts";
import { makeRepository, person, removeTemporaryFolders, write } from "../../../testing/workspace-rig.ts";
import { changeBetween } from "./show-change.ts";

afterAll(removeTemporaryFolders);

const tip = (root: string): string => person(root, "rev-parse", "HEAD").trim();

async function changeAfter(files: Record<string, string>, more: (root: string) => void = () => {}) {
  const root = makeRepository({ "src/old.js": "1\n" });
  const from = tip(root);
  write(root, files);
  more(root);
  person(root, "add", "-A");
  person(root, "commit", "-qm", "change");
  const change = await changeBetween(root, from, tip(root));
  if (change === null) throw new Error("the change was not found");
  return change;
}

test("one long line hides no other file", async () => {
  const change = await changeAfter({ "a.json": `${"x".repeat(6 << 20)}\n`, "src/new.js": "2\n", "ü.txt": "3\n" });
  expect(change.files).toEqual([
    { path: "a.json", added: 1, removed: 0 },
    { path: "src/new.js", added: 1, removed: 0 },
    { path: "ü.txt", added: 1, removed: 0 },
  ]);
  const page = diffPart(change).source;
  for (const name of ["a.json", "src/new.js", "ü.txt"]) expect(page).toContain(`<code>${name}</code>`);
  expect(page).toContain("not shown");
  expect(page.length).toBeLessThan(20_000);
});

test("a file with many lines leaves room for the next one", async () => {
  const change = await changeAfter({ "a.js": "line\n".repeat(100_000), "b.js": "seen\n" });
  expect(change.text).toContain("+seen");
  expect(change.files[0]).toEqual({ path: "a.js", added: 100_000, removed: 0 });
  expect(diffPart(change).source).toContain("+100000");
});

test("what is not in the lines is said: links, and files that can be run", async () => {
  const change = await changeAfter({ "run.sh": "#!/bin/sh\n" }, (root) => {
    fs.chmodSync(join(root, "run.sh"), 0o755);
    fs.chmodSync(join(root, "src/old.js"), 0o755);
    fs.symlinkSync("/etc/passwd", join(root, "notes.txt"));
  });
  const page = diffPart(change).source;
  for (const note of ["a link", "executable", "now executable"]) expect(page).toContain(`>${note}<`);
});
