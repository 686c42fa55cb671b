// Where an import is followed: in folders of tools, by what kind of script it is.
import { expect, test } from "vitest";
import { importedFiles } from "../../src/runtime/proof/imported-files.ts";

test.each([
  "script",
  "scripts",
  "tool",
  "tools",
  "tooling",
  "ci",
  ".ci",
  "check",
  "checks",
  "verify",
  "hack",
  "a/deep/way/scripts",
])("%s is a folder of tools", (folder) => {
  expect(importedFiles(`${folder}/a.mjs`, 'import "./b.mjs"')).toContain(`${folder}/b.mjs`);
});

test.each(["src", "xscripts", "scriptsx", "lib/cix"])("%s is none", (folder) => {
  expect(importedFiles(`${folder}/a.mjs`, 'import "./b.mjs"')).toEqual([]);
});

test.each<{ path: string; text: string; is: string[] }>([
  { path: "ci/a.jsx", text: 'import "./b.mjs"', is: [] },
  { path: "ci/a.shx", text: ". ./b.sh", is: [] },
  { path: "ci/a.bash", text: ". ./b.sh", is: ["ci/b.sh"] },
  { path: "ci/run.d/go", text: ". ./b.sh", is: ["ci/run.d/b.sh"] },
  {
    path: "ci/x/y/a.py",
    text: "from ...b import c",
    is: ["ci/b.py", "ci/b/__init__.py", "ci/b/c.py", "ci/b/c/__init__.py"],
  },
  { path: "ci/a.py", text: "from .. import b", is: [] },
  { path: "ci/a.ts", text: 'import "./b.js.map"', is: [] },
])("$path with $text loads $is", ({ path, text, is }) => {
  const found = importedFiles(path, text).filter((each) => !each.includes("b.js.map"));
  expect(found).toEqual(is);
});
