// What hides problems from checks, what no manifest declares, and what was plainly not done, judged by the texts alone.
import { describe, expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import { blindingQuestions } from "./blinding.ts";
import { emptyTestQuestions } from "./empty-tests.ts";
import { namedQuestions } from "./named.ts";
import { removalQuestion } from "./removed.ts";
import { undeclaredQuestions } from "./undeclared.ts";
import { unlockedQuestions } from "./unlocked.ts";
import { unremovedQuestions } from "./unremoved.ts";

const base: Texts = {
  "package.json": '{ "name": "till", "type": "module", "dependencies": { "left-pad": "1.3.0" } }',
  "src/sum.js":
    'import pad from "left-pad";\nexport function sum(a, b) {\n  return a + b;\n}\nexport function legacySum(a) {\n  return pad(a);\n}\n',
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
};
const sum = base["src/sum.js"] ?? "";
const python: Texts = {
  "pyproject.toml": '[project]\nname = "till"\ndependencies = ["PyYAML>=6"]\n',
  "till/__init__.py": "",
  "till/sum.py": "def total(a, b):\n    return a + b\n",
  "tests/test_sum.py": "from till.sum import total\n",
};
const between = (before: Texts, change: Texts) => sidesBetween(before, { ...before, ...change });
const check = (name: string, run: string) => ({ name, run, must: "stay-green", timeoutMs: 1, tests: [] }) as const;
const root = "/home/pat/till";
const blinded = (change: Texts, before: Texts = base, checks = [check("test", "npm test")]) =>
  blindingQuestions({ sides: between(before, change), checks, workspace: { root } as never, feature: feature("F1") });

describe("a comment that switches a check off", () => {
  const change = {
    "src/sum.js": `${sum}// eslint-disable-next-line no-eval\nexport const run = (text) => eval(text);\n`,
  };

  test("is asked about where there is such a check", () => {
    expect(blinded(change, base, [check("lint", "eslint .")])).toEqual([expect.stringContaining("src/sum.js:8")]);
  });

  test("is ignored where there is none", () => {
    expect(blinded(change)).toEqual([]);
  });
});

describe("a name that hides what tests use", () => {
  test.each([
    ["src/lib.rs", "macro_rules! assert_eq { ($a:expr, $b:expr) => {}; }\n"],
    ["bag.go", "package bag\n\nfunc len(items []string) int { return 2 }\n"],
    ["lib/strings.sh", "exit() { return 0; }\n"],
  ])("%s", (path, text) => {
    const before: Texts = {
      [path]: text.startsWith("package") ? "package bag\n" : "",
      "Cargo.toml": "[package]\n",
      "go.mod": "module bag\n",
    };
    expect(blinded({ [path]: text }, before)).toEqual([expect.stringContaining("Rename it")]);
  });

  test("a method or a local name does not count", () => {
    const before: Texts = { "bag.go": "package bag\n", "go.mod": "module bag\n" };
    expect(blinded({ "bag.go": "package bag\n\nfunc (b Bag) len() int { return 2 }\n" }, before)).toEqual([]);
  });
});

test.each([
  ["src/sum.js", `${sum}export const isTest = () => process.env.NODE_TEST_CONTEXT !== undefined;\n`, "by who runs it"],
  ["src/sum.js", `${sum}export const file = "${root}/data.json";\n`, "works only on this machine"],
])("%s is asked about: %#", (path, text, says) => {
  expect(blinded({ [path]: text })).toEqual([expect.stringContaining(says)]);
});

test.each([
  "export const home = () => process.env.HOME;",
  'export const file = "/home/pat/till-old/data.json";',
  'export const label = "Check off all";',
  'export const args = ["check-ignore", "x"];',
])("ordinary code is not asked about: %s", (line) => {
  expect(blinded({ "src/sum.js": `${sum}${line}\n` }, base, [check("lint", "eslint .")])).toEqual([]);
});

test("a workspace root such as /app does not match inside other paths", () => {
  const change = { "src/sum.js": `${sum}export { App } from "./app/App.js";\n` };
  expect(
    blindingQuestions({
      sides: between(base, change),
      checks: [],
      workspace: { root: "/app" } as never,
      feature: feature("F1"),
    }),
  ).toEqual([]);
});

test("old lines of a moved file do not count as added", () => {
  const old = "// eslint-disable-next-line no-eval\nexport function run(text) {\n  return eval(text);\n}\n";
  const sides = sidesBetween({ ...base, "src/run.js": old }, { ...base, "src/eval/run.js": old });
  expect(
    blindingQuestions({
      sides,
      checks: [check("lint", "eslint .")],
      workspace: { root } as never,
      feature: feature("F1"),
    }),
  ).toEqual([]);
});

describe("what new code imports", () => {
  const js = (text: string) => undeclaredQuestions({ sides: between(base, { "src/new.js": text }) });
  const py = (text: string) => undeclaredQuestions({ sides: between(python, { "till/new.py": text }) });

  test.each(['import right from "right-pad";', 'const right = require("right-pad/lib");', 'export * from "@a/right";'])(
    "%s is asked about: no manifest names it",
    (text) => {
      expect(js(`${text}\n`)).toEqual([expect.stringContaining("(src/new.js)")]);
    },
  );

  test.each([
    'import fs from "node:fs";',
    'import path from "path";',
    'import pad from "left-pad";',
    'import { sum } from "./sum.js";',
    'import { sum } from "till";',
    'import { sum } from "#sum";',
    'export const bytes = Buffer.from("salt");',
    'registry.register("mailer", () => 1);',
  ])("%s is known", (text) => {
    expect(js(`${text}\n`)).toEqual([]);
  });

  test("a package that the same change declares is known", () => {
    const manifest = (base["package.json"] ?? "").replace('"left-pad"', '"right-pad": "1.0.0", "left-pad"');
    const change = { "package.json": manifest, "src/new.js": 'import right from "right-pad";\n' };
    expect(undeclaredQuestions({ sides: between(base, change) })).toEqual([]);
  });

  test.each(["import requests", "from packaging.version import parse"])("%s is asked about", (text) => {
    expect(py(`${text}\n`)).toEqual([expect.stringContaining("(till/new.py)")]);
  });

  test("an alias of the project is known", () => {
    const before = { ...base, "tsconfig.json": '{ "compilerOptions": { "paths": { "@app/*": ["./src/*"] } } }' };
    const sides = between(before, { "src/new.ts": 'import { sum } from "@app/sum";\n' });
    expect(undeclaredQuestions({ sides })).toEqual([]);
  });

  test("a package in setup.py is declared", () => {
    const before = { ...python, "setup.py": 'from setuptools import setup\nsetup(install_requires=["requests>=2"])\n' };
    expect(undeclaredQuestions({ sides: between(before, { "till/new.py": "import requests\n" }) })).toEqual([]);
  });

  test.each([
    "import os.path",
    "import yaml",
    "from till.sum import total",
    "from . import sum",
    "try:\n    import ujson as json\nexcept ImportError:\n    import json",
  ])("%s is known", (text) => {
    expect(py(`${text}\n`)).toEqual([]);
  });
});

describe("what a feature says to remove", () => {
  const asked = (name: string, change: Texts) =>
    unremovedQuestions({
      sides: between(base, change),
      feature: feature("F1", { name, description: "", criteria: [] }),
    });

  test("is asked about if it still exists", () => {
    expect(asked("Remove the unused legacySum", { "src/sum.js": `// ${sum}` })).toEqual([
      expect.stringContaining("legacySum"),
    ]);
  });

  test("is not asked about if it is gone", () => {
    const without = sum.slice(0, sum.indexOf("export function legacySum"));
    expect(asked("Remove the unused legacySum", { "src/sum.js": without })).toEqual([]);
  });

  test.each([
    "Remove the padding from legacySum",
    "Remove the duplication between sum and legacySum",
    "It must not remove legacySum",
    "Add drag and drop to legacySum",
    "Let users delete entries with legacySum",
  ])("is not read from: %s", (name) => {
    expect(asked(name, { "src/sum.js": `${sum}// x\n` })).toEqual([]);
  });
});

describe("what disappears", () => {
  const asked = (name: string) =>
    removalQuestion({
      sides: between(base, { "src/sum.js": sum.replace("legacySum", "oldSum").replace("pad(a)", "pad(a, 2)") }),
      feature: feature("F1", { kind: "keep", name, description: "", criteria: [] }),
    });

  test("is asked about unless the feature says to remove or rename it", () => {
    expect(asked("Tidy up")).toContain("legacySum");
    expect(asked("Rename legacySum to oldSum everywhere")).toBeNull();
    expect(asked("Remove legacySum")).toBeNull();
  });
});

describe("what a refactoring should use", () => {
  const kept = (name: string, text: string) =>
    namedQuestions({
      sides: between(base, { "src/sum.js": text }),
      feature: feature("F1", { kind: "keep", name, description: "", criteria: [] }),
    });

  test("is asked about if it is unused", () => {
    expect(kept("Refactor sum() to use Array.prototype.reduce", sum.replace("a + b", "b + a"))).toEqual([
      expect.stringContaining("Array.prototype.reduce"),
    ]);
  });

  test("is not asked about if it is used", () => {
    const text = sum.replace("a + b", "[a, b].reduce((x, y) => x + y)");
    expect(kept("Refactor sum() to use Array.prototype.reduce", text)).toEqual([]);
  });

  test.each([
    "Refactor sum() to use early returns",
    "Stop using lodash.merge",
    "Do not use path.join",
    "Use Node.js streams",
  ])("is not read from: %s", (name) => {
    expect(kept(name, sum.replace("a + b", "b + a"))).toEqual([]);
  });
});

describe("a new test that cannot fail", () => {
  const asked = (path: string, text: string, criteria: readonly string[] = []) =>
    emptyTestQuestions({ sides: between(python, { [path]: text }), feature: feature("F1", { criteria }) });

  test("is asked about when any error passes, and the feature names one", () => {
    const text = "def test_a():\n    with pytest.raises(Exception):\n        pay(-1)\n";
    expect(asked("tests/test_new.py", text, ["pay(-1) raises ValueError"])).toEqual([
      "The feature names ValueError, and any error passes here: tests/test_new.py:2. Expect the one that it names.",
    ]);
    expect(asked("tests/test_new.py", text, ["pay(-1) fails"])).toEqual([]);
  });

  test("is asked about when another one has its name", () => {
    const text = "def test_a():\n    assert total(1, 2) == 3\n\n\ndef test_a():\n    pass\n";
    expect(asked("tests/test_new.py", text)).toEqual([expect.stringContaining("test_a (tests/test_new.py)")]);
  });

  test.each([
    ['assert (total(1, 2) == 3, "a message")', 1],
    ["assert (total(1, 2) == 3)", 0],
    ["assert (1, 2) == pair(1, 2)", 0],
    ['assert total(1, 2) == 3, "a message"', 0],
  ])("%s: %d", (line, count) => {
    expect(asked("tests/test_new.py", `def test_a():\n    ${line}\n`)).toHaveLength(count);
  });

  test("is fine in another class", () => {
    const one = (name: string) => `class ${name}:\n    def test_a(self):\n        pass\n`;
    expect(asked("tests/test_new.py", `${one("TestA")}\n${one("TestB")}`)).toEqual([]);
  });

  test.each([
    ["assert.ok(scale([1, 2], 3), [3, 6]);", 1],
    ["assert(total(1), 7);", 1],
    ['assert.ok(total(1) > 0, "more than nothing");', 0],
    ["assert.deepEqual(scale([1, 2], 3), [3, 6]);", 0],
    ["assert.ok(isNear(total(1), 7));", 0],
  ])("%s: %d", (line, count) => {
    expect(asked("tests/new.test.js", `${line}\n`)).toHaveLength(count);
  });
});

test("a dependency that the lockfile does not name is asked about", () => {
  const lock = '{ "packages": { "": { "dependencies": { "left-pad": "1.3.0" } } } }';
  const manifest = (base["package.json"] ?? "").replace('"left-pad"', '"decimal.js": "1.0.0", "left-pad"');
  const before = { ...base, "package-lock.json": lock };
  expect(unlockedQuestions({ sides: between(before, { "package.json": manifest }) })).toEqual([
    expect.stringContaining("decimal.js"),
  ]);
  const both = {
    "package.json": manifest,
    "package-lock.json": lock.replace('"left-pad"', '"decimal.js": "1", "left-pad"'),
  };
  expect(unlockedQuestions({ sides: between(before, both) })).toEqual([]);
});

test("an old name that a feature says to rename, and that is still there, is asked about", () => {
  const of = (name: string, text: string) =>
    unremovedQuestions({
      sides: between(base, { "src/sum.js": text }),
      feature: feature("F1", { name, description: "", criteria: [] }),
    });
  const added = `${sum}export function addUp(a, b) {\n  return a + b;\n}\n`;
  expect(of("Rename sum to addUp", added)).toEqual([expect.stringContaining("sum")]);
  expect(of("Rename sum to addUp, and keep sum as an alias", added)).toEqual([]);
  expect(of("Rename sum to addUp", sum.replace("function sum", "function addUp"))).toEqual([]);
});
