import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changedFile, printsOf } from "./named-files.ts";

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notify-")));
  fs.writeFileSync(join(root, "tell.sh"), "echo told\n");
});
afterEach(() => fs.rmSync(root, { recursive: true }));

const there = (): string => join(root, "tell.sh");

test.each([
  { command: ["./tell.sh"], as: "the program" },
  { command: ["sh", "tell.sh"], as: "an argument" },
  { command: ["sh", "-c", "./tell.sh"], as: "an argument of a shell" },
])("a file that the command names as $as does not count once it has changed", ({ command }) => {
  const before = printsOf(command, root);
  expect(changedFile(command, root, before)).toBeNull();
  fs.writeFileSync(there(), "echo other\n");
  expect(changedFile(command, root, before)).toBe(there());
});

test("a file that did not exist when the run began does not count", () => {
  fs.rmSync(there());
  const before = printsOf(["sh", "tell.sh"], root);
  fs.writeFileSync(there(), "echo new\n");
  expect(changedFile(["sh", "tell.sh"], root, before)).toBe(there());
});

test("a program outside the folder counts as it is, and text that is no path is no file", () => {
  expect(printsOf(["sh", "-c", `cat > /dev/null; ${"x".repeat(5000)}`, "--title=loop"], root)).toEqual({});
});
