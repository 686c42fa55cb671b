// The fingerprint of what checks are run by: what it covers, what changes it, and what does not.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { altered, fingerprint } from "./installed.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-installed-")));
  write("node_modules/runner/package.json", '{ "name": "runner", "dependencies": { "@r/core": "1", "gone": "1" } }');
  write("node_modules/runner/bin/runner.js", "run();");
  write("node_modules/runner/node_modules/deep/package.json", "{}");
  write("node_modules/runner/node_modules/deep/index.js", "deep");
  write("node_modules/@r/core/package.json", '{ "dependencies": { "runner": "1", "plain": "1" } }');
  write("node_modules/@r/core/index.js", "core");
  write("node_modules/plain/package.json", "{ not json");
  write("node_modules/plain/index.js", "plain");
  write("node_modules/other/index.js", "other");
  fs.mkdirSync(join(dir, "node_modules/.bin"));
  fs.symlinkSync("../runner/bin/runner.js", join(dir, "node_modules/.bin/runner"));
  write(".venv/lib/python3.11/site-packages/pytest/__init__.py", "pytest");
  write(".venv/lib/python3.11/site-packages/_pytest/main.py", "main");
  write(".venv/bin/pytest", "#!python");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function write(path: string, text: string): void {
  fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
  fs.writeFileSync(join(dir, path), text);
}
const words = ["runner", "pytest", "--run", "../../etc/passwd", "node_modules/../../x"];
const site = ".venv/lib/python3.11/site-packages";

test("covers a program, its package, and what that depends on, and nothing else", () => {
  expect(Object.keys(fingerprint(dir, words)).sort()).toEqual([
    ".venv/bin/pytest",
    `${site}/_pytest/main.py`,
    `${site}/pytest/__init__.py`,
    "node_modules/.bin/runner",
    "node_modules/@r/core/index.js",
    "node_modules/@r/core/package.json",
    "node_modules/plain/index.js",
    "node_modules/plain/package.json",
    "node_modules/runner/bin/runner.js",
    "node_modules/runner/package.json",
  ]);
  expect(Object.keys(fingerprint(dir, ["./node_modules/plain/index.js"]))).toContain("node_modules/plain/package.json");
  expect(fingerprint(dir, ["nothing"])).toEqual({});
  expect(fingerprint(join(dir, "nowhere"), words)).toEqual({});
});

test.each<{ what: string; change: () => void; is: string[] }>([
  {
    what: "an edited program",
    change: () => write("node_modules/runner/bin/runner.js", "no();"),
    is: ["node_modules/runner/bin/runner.js"],
  },
  {
    what: "an edited dependency",
    change: () => write("node_modules/plain/index.js", "nada!"),
    is: ["node_modules/plain/index.js"],
  },
  {
    what: "a program that leads elsewhere",
    change: () => {
      fs.rmSync(join(dir, "node_modules/.bin/runner"));
      fs.symlinkSync("../other/index.js", join(dir, "node_modules/.bin/runner"));
    },
    is: ["node_modules/.bin/runner", "node_modules/@r/core/index.js"],
  },
  { what: "a program that is gone", change: () => fs.rmSync(join(dir, ".venv/bin/pytest")), is: [".venv/bin/pytest"] },
  {
    what: "a file that Python reads at its start",
    change: () => write(`${site}/evil.pth`, "import os"),
    is: [`${site}/evil.pth`],
  },
  {
    what: "an edited module of pytest",
    change: () => write(`${site}/_pytest/main.py`, "pass"),
    is: [`${site}/_pytest/main.py`],
  },
])("$what is seen", ({ change, is }) => {
  const before = fingerprint(dir, words);
  change();
  expect(altered(before, fingerprint(dir, words, before))).toEqual(expect.arrayContaining(is));
});

test.each<{ what: string; change: () => void }>([
  { what: "nothing", change: () => undefined },
  {
    what: "the same files, installed anew",
    change: () => {
      const path = join(dir, "node_modules/plain");
      fs.cpSync(path, `${path}.new`, { recursive: true });
      fs.rmSync(path, { recursive: true });
      fs.renameSync(`${path}.new`, path);
    },
  },
  { what: "another package", change: () => write("node_modules/new/index.js", "new") },
  { what: "a package that no check is run by", change: () => write("node_modules/other/index.js", "changed") },
  { what: "a cache", change: () => write("node_modules/.cache/x", "x") },
  { what: "compiled Python", change: () => write(`${site}/pytest/__pycache__/a.pyc`, "x") },
])("$what changes nothing", ({ change }) => {
  const before = fingerprint(dir, words);
  change();
  expect(altered(before, fingerprint(dir, words, before))).toEqual([]);
});

test("an edit that puts size and time back is seen all the same", () => {
  const path = join(dir, "node_modules/plain/index.js");
  const { atime, mtime } = fs.statSync(path);
  const before = fingerprint(dir, words);
  fs.writeFileSync(path, "PLAIN");
  fs.utimesSync(path, atime, mtime);
  expect(altered(before, fingerprint(dir, words, before))).toEqual(["node_modules/plain/index.js"]);
});

test("a file too large to be read whole is known by its edges", () => {
  write("node_modules/plain/large.js", "x".repeat(3 << 20));
  const before = fingerprint(dir, words);
  fs.appendFileSync(join(dir, "node_modules/plain/large.js"), "y");
  expect(altered(before, fingerprint(dir, words, before))).toEqual(["node_modules/plain/large.js"]);
});
