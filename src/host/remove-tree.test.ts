// Folders of agents are removed whatever is in them.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeTree } from "./remove-tree.ts";

test("removes folders 4,000 levels deep", () => {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-deep-"));
  const script =
    'for (let at = 0; at < 4000; at += 1) { fs.mkdirSync("d"); process.chdir("d"); } fs.writeFileSync("x", "x")';
  execFileSync(process.execPath, ["--eval", script], { cwd: dir });
  expect(() => fs.rmSync(dir, { recursive: true })).toThrow(/ENAMETOOLONG|call stack/);
  removeTree(dir);
  expect(fs.existsSync(dir)).toBe(false);
});

test("a folder that does not exist is no error", () => {
  removeTree(join(tmpdir(), "loop-deep-no-such-folder"));
});
