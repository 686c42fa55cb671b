import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { NewLines } from "./new-lines.ts";

afterAll(removeTemporaryFolders);

test("gives each line once, and only when it is whole", () => {
  const path = join(temporaryFolder(), "file");
  const lines = new NewLines(path);
  expect(lines.read()).toEqual([]);
  writeFileSync(path, "one\ntw");
  expect(lines.read()).toEqual(["one"]);
  expect(lines.read()).toEqual([]);
  appendFileSync(path, "o\nthree\n");
  expect(lines.read()).toEqual(["two", "three"]);
});

test("a folder has no lines, and of a huge piece only the end is read", () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "folder"));
  expect(new NewLines(join(dir, "folder")).read()).toEqual([]);
  const path = join(dir, "huge");
  writeFileSync(path, `${"x".repeat(5 << 20)}\nlast\n`);
  expect(new NewLines(path).read().at(-1)).toBe("last");
});
