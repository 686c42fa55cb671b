import { describe, expect, test } from "vitest";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";

const pair = (dialect: typeof python, files: Record<string, string>, path: string) =>
  dialect.pairOf({ path, text: files[path] ?? "" }, new Set(Object.keys(files)), (name) => files[name] ?? "");

describe("javascript", () => {
  test.each([
    {
      name: "node:test",
      test: 'import { test } from "node:test";\nimport { a } from "../src/a.js";\ntest("x", () => {});',
      source: "src/a.js",
      spec: "../src/loop-drill.js",
    },
    {
      name: "typescript by its compiled name",
      test: 'import { a } from "../src/a.js";\nit("x", () => {});',
      source: "src/a.ts",
      spec: "../src/loop-drill.js",
    },
    {
      name: "no extension",
      test: 'import { expect, test } from "vitest";\nimport a from "../src/a";\ntest("x", () => {});',
      source: "src/a.tsx",
      spec: "../src/loop-drill",
    },
    {
      name: "require",
      test: 'const a = require("../src/a");\nit("x", () => {});',
      source: "src/a.cjs",
      spec: "../src/loop-drill",
    },
  ])("finds the file that a test imports: $name", ({ test: text, source, spec }) => {
    const found = pair(javascript, { "test/a.test.js": text, [source]: "export const a = 1;" }, "test/a.test.js");
    expect(found).toMatchObject({ source, neighbour: spec });
    const props = found === null ? null : javascript.props(found);
    expect(props?.test.text).toContain(`"${spec}"`);
    expect(props?.test.path).toBe("test/loop-drill.test.js");
    expect(props?.skipped).not.toContain("../src/a");
    expect(props?.weakened).not.toContain("../src/a");
  });

  test("a test that imports none of our files has no pair", () => {
    const files = { "test/a.test.js": 'import fs from "node:fs";\nimport "../missing.js";\nimport "./a.test.js";' };
    expect(pair(javascript, files, "test/a.test.js")).toBeNull();
  });

  test("a script of assertions cannot be skipped", () => {
    const files = { "test/a.test.js": 'import { a } from "../a.js";\nassert(a);', "a.js": "export const a = 1;" };
    const found = pair(javascript, files, "test/a.test.js");
    expect(found === null ? null : javascript.props(found).skipped).toBeNull();
  });
});

describe("python", () => {
  test.each([
    { line: "from pkg.mod import f", source: "pkg/mod.py", from: "from pkg.loop_drill import" },
    { line: "from pkg import mod", source: "pkg/mod.py", from: "from pkg.loop_drill import" },
    { line: "import mod", source: "src/mod.py", from: "from loop_drill import" },
    { line: "from mod import (f, g)", source: "tests/mod.py", from: "from loop_drill import" },
  ])("finds the module behind: $line", ({ line, source, from }) => {
    const files = { "tests/test_a.py": `${line}\n\ndef test_a():\n    pass\n`, [source]: "def f(): pass\n" };
    const found = pair(python, files, "tests/test_a.py");
    expect(found).toMatchObject({ source });
    const props = found === null ? null : python.props(found);
    expect(props?.test).toMatchObject({ path: "tests/test_loop_drill.py" });
    expect(props?.test.text).toContain(from);
  });

  test("knows the words of unittest", () => {
    const text = "import unittest\nimport mod\n\nclass A(unittest.TestCase):\n    def test_a(self): pass\n";
    const found = pair(python, { "tests/test_a.py": text, "mod.py": "" }, "tests/test_a.py");
    const props = found === null ? null : python.props(found);
    expect(props?.language).toBe("python (unittest)");
    expect(props?.skipped).toContain("unittest.SkipTest");
  });
});
