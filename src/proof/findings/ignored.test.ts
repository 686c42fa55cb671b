// Why a module is missing from a change, by its texts alone.
import { expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { ignoredImports } from "./ignored.ts";

const base: Texts = { "package.json": "{}", "src/index.js": "" };
const js = { "test/page.test.js": 'import { page } from "../src/build/page.js";\n' };
const py = { "tests/test_page.py": "from ledger.build.page import page\n" };

test.each([
  [
    "a folder of any place",
    { ".gitignore": "node_modules/\nbuild/\n" },
    js,
    "src/build/page.js",
    ".gitignore:2 (build/)",
  ],
  ["a path from the top", { ".gitignore": "/src/build\n" }, js, "src/build/page.js", ".gitignore:1 (/src/build)"],
  ["an ending", { ".gitignore": "# built\n*.js\n" }, js, "src/build/page.js", ".gitignore:2 (*.js)"],
  ["a folder's own file", { "src/.gitignore": "build\n" }, js, "src/build/page.js", "src/.gitignore:1 (build)"],
  ["a module of Python", { ".gitignore": "build/\n" }, py, "src/ledger/build/page.py", ".gitignore:1 (build/)"],
])("a module that is left out by %s", (_, ignore, change, path, by) => {
  const old = { ...base, ...ignore };
  expect(ignoredImports(sidesBetween(old, { ...old, ...change }))).toContainEqual({ path, by });
});

test.each([
  ["it is there", { ".gitignore": "build/\n", "src/build/page.js": "" }],
  ["it is missing for another reason", { ".gitignore": "dist/\n/build\n" }],
  ["a later line lets it in", { ".gitignore": "*.js\n!page.js\n" }],
  ["it is a file, and the line is for folders", { ".gitignore": "page.js/\n" }],
])("nothing is said when %s", (_, more) => {
  const old: Texts = { ...base, ...more };
  expect(ignoredImports(sidesBetween(old, { ...old, ...js }))).toEqual([]);
});
