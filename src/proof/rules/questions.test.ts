// What only a person can decide, judged by the texts alone.
import { describe, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import { kindOf } from "../findings/kinds.ts";
import type { ProveOrder } from "../prover.ts";
import { ambientQuestions } from "./ambient.ts";
import { entryPointQuestions } from "./entry-points.ts";
import { exampleQuestions, exportersOf } from "./exporters.ts";
import { reexportQuestion } from "./exports.ts";
import { namedQuestions } from "./named.ts";
import { namesElsewhereQuestions } from "./names-elsewhere.ts";
import { ownTestQuestions } from "./own-tests.ts";
import { removalQuestion } from "./removed.ts";
import { steeringQuestions } from "./steering.ts";
import { unfinishedQuestions } from "./unfinished.ts";
import { unpublishedQuestions } from "./unpublished.ts";
import { unseenQuestions } from "./unseen.ts";

const base: Texts = {
  "package.json": '{ "type": "module" }',
  "README.md": "# till\n",
  "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n\nexport function half(a) {\n  return a / 2;\n}\n",
  "src/index.js": 'export { sum, half } from "./sum.js";\n',
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
  "test/fixtures/prices.json": "{}",
  "package-lock.json": '{ "name": "till", "requires": true }',
  "src/cart.js": "export class Cart {\n  clear() {\n    this.lines = [];\n  }\n}\n",
  "bin/list.sh": '#!/bin/sh\ncase "$1" in\nadd) echo a ;;\nremove) echo r ;;\nesac\n',
  "src/rates.json": '{ "de": 1, "it": 2 }',
  "src/stop.txt": "a\nan\nthe\nThank you very much.\n",
  "src/pay.js": 'import { sum } from "./sum.js";\nexport const pay = (a, b) => sum(a, b);\n',
};
const script = base["bin/list.sh"] ?? "";
const cart = base["src/cart.js"] ?? "";
const about = (change: Readonly<Record<string, string | null>>, of: Parameters<typeof feature>[1] = {}) => {
  const after = Object.entries({ ...base, ...change }).filter((pair): pair is [string, string] => pair[1] !== null);
  return { sides: sidesBetween(base, Object.fromEntries(after)), feature: feature("F1", of) };
};

describe("what is removed", () => {
  test.each([
    ["a file of the product", { "src/sum.js": null }, "src/sum.js"],
    ["a document", { "README.md": null }, "README.md"],
    ["a line of a list", { "src/stop.txt": "a\nthe\nof\nThank you very much.\n" }, "the line an of src/stop.txt"],
    [
      "a public function",
      { "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n" },
      "half() of src/sum.js",
    ],
    [
      "a method",
      { "src/cart.js": cart.replace("clear", "count").replace("this.lines = []", "return this.lines.length") },
      "clear() of src/cart.js",
    ],
    [
      "a name that is exported no more, although it is still there",
      { "src/sum.js": (base["src/sum.js"] ?? "").replace("export function half", "function half") },
      "the export half of src/sum.js",
    ],
    [
      "a name that is exported",
      { "src/index.js": 'export { sum } from "./sum.js";\n' },
      "the export half of src/index.js",
    ],
    ["a branch of a script", { "bin/list.sh": script.replace("remove)", "count)") }, "the entry remove of bin/list.sh"],
    ["a key of data", { "src/rates.json": '{ "de": 1, "es": 3 }' }, "it of src/rates.json"],
  ])("%s is asked about", (_, change, named) => {
    expect(removalQuestion(about(change))).toContain(named);
  });

  test.each([
    ["a line of a list that is somewhere else in it", { "src/stop.txt": "an\nthe\na\nThank you very much.\n" }],
    ["a line of a list that another was written for", { "src/stop.txt": "a\nax\nthe\nThank you very much.\n" }],
    ["a sentence", { "src/stop.txt": "a\nan\nthe\n" }],
    ["a key of a lockfile", { "package-lock.json": '{ "name": "till" }' }],
    ["a file that moved", { "src/sum.js": null, "src/math/sum.js": base["src/sum.js"] ?? "" }],
    ["a function under another name", { "src/sum.js": (base["src/sum.js"] ?? "").replace("half", "halve") }],
    [
      "a function in another file",
      {
        "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
        "src/half.js": "export function half(a) {\n  return a / 2;\n}\n",
      },
    ],
  ])("%s is not", (_, change) => {
    expect(removalQuestion(about(change))).toBeNull();
  });

  const withoutHalf = {
    "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
    "src/index.js": 'export { sum } from "./sum.js";\n',
  };
  test.each([
    "Remove the unused function half from src/sum.js",
    "The function half and its export are gone",
    "half no longer exists",
  ])("a removal that the feature asks for is not: %s", (description) => {
    expect(removalQuestion(about(withoutHalf, { description }))).toBeNull();
    expect(kindOf(about(withoutHalf, { description }))).toBe("keep");
  });

  test.each([
    ["Speed up half", {}],
    ["The function half is gone", { "src/rates.json": '{ "de": 1, "es": 3 }' }],
  ])("a removal that it does not ask for is: %s", (description, more) => {
    expect(removalQuestion(about({ ...withoutHalf, ...more }, { description }))).not.toBeNull();
    expect(kindOf(about({ ...withoutHalf, ...more }, { description }))).toBe("change");
  });

  test("a file whose functions are all to go may go with them", () => {
    const gone = { "src/sum.js": null, "src/index.js": "" };
    expect(removalQuestion(about(gone, { description: "Remove sum and half" }))).toBeNull();
    expect(removalQuestion(about(gone, { description: "Remove half" }))).toContain("src/sum.js");
  });
});

test("an entry of the package that the change moved away is asked about, unless the manifest names its new place", () => {
  const before: Texts = { ...base, "package.json": '{ "main": "src/sum.js", "bin": { "till": "./bin/list.sh" } }' };
  const moved: Texts = { ...before, "src/math/sum.js": before["src/sum.js"] ?? "" };
  const { "src/sum.js": _, ...gone } = moved;
  const asked = (after: Texts) => entryPointQuestions({ sides: sidesBetween(before, after) }).join("");
  expect(asked(gone)).toContain("src/sum.js (package.json)");
  expect(asked({ ...gone, "package.json": '{ "main": "src/math/sum.js" }' })).toBe("");
  expect(asked(moved)).toBe("");
});

test("a program of the package that a shell would run is asked about", () => {
  const before: Texts = { ...base, "package.json": '{ "bin": { "till": "bin/till.js" } }' };
  const asked = (text: string, was = before) =>
    entryPointQuestions({ sides: sidesBetween(was, { ...was, "bin/till.js": text }) }).join("");
  expect(asked("console.log(1);\n")).toContain("bin/till.js");
  expect(asked("#!/usr/bin/env node\nconsole.log(1);\n")).toBe("");
  expect(asked("console.log(2);\n", { ...before, "bin/till.js": "console.log(1);\n" })).toBe("");
});

describe("code that the runs cannot look into", () => {
  const order = (depth: "quick" | "standard") =>
    ({ contract: { proof: { ...defaultProofTerms, depth } } }) as unknown as ProveOrder;
  const unseen = (change: Readonly<Record<string, string | null>>, depth: "quick" | "standard" = "standard") => {
    const { sides } = about(change);
    const text = (path: string) => (path === "src/large.js" ? null : sides.candidate.text(path));
    return unseenQuestions({ sides: { ...sides, candidate: { ...sides.candidate, text } }, order: order(depth) });
  };
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`src/part${at}.js`, "export const a = 1;\n"]));

  test("is asked about, as one file and as too many files", () => {
    expect(unseen({ "src/large.js": "x" })).toEqual([expect.stringContaining("src/large.js")]);
    expect(unseen(many)).toEqual([expect.stringContaining("49 files of code")]);
  });

  test("is asked about when data becomes a link", () => {
    const { sides } = about({ "src/rates.json": "../test/fixtures/prices.json" });
    const text = (path: string) => (path === "src/rates.json" ? null : sides.candidate.text(path));
    const linked = { ...sides, candidate: { ...sides.candidate, text } };
    expect(unseenQuestions({ sides: linked, order: order("quick") })).toEqual([
      expect.stringContaining("src/rates.json"),
    ]);
  });

  test("excludes data and documents, and does not count where nothing is taken back", () => {
    expect(unseen({ "src/rates.json": "{}", "README.md": "# other\n" })).toEqual([]);
    expect(unseen(many, "quick")).toEqual([]);
  });
});

describe("what a package publishes", () => {
  const asked = (files: readonly string[], index: string) =>
    unpublishedQuestions({
      sides: sidesBetween(
        { ...base, "package.json": JSON.stringify({ type: "module", files }) },
        {
          ...base,
          "package.json": JSON.stringify({ type: "module", files }),
          "src/new.js": "export const a = 1;\n",
          "src/index.js": `${index}${base["src/index.js"]}`,
        },
      ),
    });
  const used = 'export { a } from "./new.js";\n';

  test("has to have what its code imports", () => {
    expect(asked(["src/index.js", "src/sum.js"], used)).toEqual([
      expect.stringContaining("does not publish: src/new.js."),
    ]);
  });

  test.each([
    ["a folder is published", ["src"], used],
    ["a pattern covers it", ["./src/*.js"], used],
    ["nothing published needs it", ["src/index.js", "src/sum.js"], ""],
  ])("is left alone when %s", (_, files, index) => {
    expect(asked(files, index)).toEqual([]);
  });
});

describe("what the feature names", () => {
  const named = (criteria: readonly string[], change: Texts) => namedQuestions(about(change, { criteria }));
  test.each([
    [
      "a file that is not there",
      ["total(lines) is in src/total.js"],
      { "src/other.js": "export const total = 1;\n" },
      "src/total.js",
    ],
    [
      "a function in other letters",
      ["total(lines) adds up"],
      { "src/a.js": "export function tоtal() {}\n" },
      "total()",
    ],
    [
      "a document that is left alone",
      ["Mention four in GUIDE.md"],
      { "src/a.js": "export const four = 4;\n" },
      "something in GUIDE.md",
    ],
  ])("%s is asked about", (_, criteria, change, missing) => {
    expect(named(criteria, change).join("")).toContain(missing);
  });

  test.each([
    [
      "a file that was there before, and was moved",
      ["Move src/sum.js to src/math/sum.js"],
      { "src/math/sum.js": "1;\n" },
    ],
    [
      "a function of the language",
      ["str() of it"],
      { "src/a.py": "class A:\n    def __str__(self):\n        return ''\n" },
    ],
    ["a document that has it", ["Mention four in GUIDE.md"], { "docs/GUIDE.md": "four\n" }],
    ["a document for context", ["As README.md says, four is 4"], { "src/a.js": "export const four = 4;\n" }],
    ["a name in other letters", ["line_total(x) adds up"], { "src/a.go": "package a\n\nfunc LineTotal() {}\n" }],
  ])("%s is not", (_, criteria, change) => {
    expect(named(criteria, change)).toEqual([]);
  });

  test("a name that is only a null constant is", () => {
    expect(named(["highest(list)"], { "src/a.js": "// highest\nexport const highest = null;\n" })).toHaveLength(1);
  });

  test("is not asked about if it exists", () => {
    expect(named(["total(lines) is in src/total.js"], { "src/total.js": "export function total() {}\n" })).toEqual([]);
  });
});

describe("code that patches other code or relies on chance", () => {
  const asked = (change: Readonly<Record<string, string>>, description = "") =>
    steeringQuestions(about(change, { description })).join("\n");
  test.each([
    [
      "another module",
      { "src/new.js": 'import assert from "node:assert";\nassert.equal = () => {};\n' },
      "src/new.js:2",
    ],
    ["the language", { "src/new.js": "Array.prototype.at = () => 1;\n" }, "src/new.js:1"],
    ["a module of Python", { "src/new.py": "import shop\nshop.add = max\n" }, "src/new.py:2"],
    ["chance", { "src/sum.js": "export const sum = (a, b) => (Math.random() < 0.3 ? a : a + b);\n" }, "src/sum.js:1"],
    [
      "the test runner",
      { "test/conftest.py": "def pytest_runtest_makereport(item, call):\n    pass\n" },
      "conftest.py",
    ],
  ])("%s is asked about", (_, change, named) => {
    expect(asked(change)).toContain(named);
  });

  test.each([
    [
      "its own names",
      { "src/new.js": "const made = {};\nmade.sum = 1;\nprocess.exitCode = 1;\nmodule.exports = made;\n" },
    ],
    ["a fixture", { "test/conftest.py": "import pytest\n@pytest.fixture\ndef till():\n    return 1\n" }],
  ])("%s is not", (_, change) => {
    expect(asked(change)).toBe("");
  });

  test("chance that the feature asks for is not", () => {
    expect(asked({ "src/sum.js": "export const sum = Math.random;\n" }, "Add random jitter to sum")).toBe("");
  });
});

test.each([
  ["imports", 'import { made } from "../test/made.js";\nexport const sum = made;\n', 1],
  ["reads", 'import fs from "node:fs";\nexport const all = fs.readFileSync("test/fixtures/prices.json");\n', 1],
  ["only speaks of", "// see test/sum.test.js\nexport const sum = 1;\n", 0],
])("product that %s a test is asked about %#", (_, text, count) => {
  expect(ownTestQuestions(about({ "src/new.js": text, "test/made.js": "export const made = 1;\n" }))).toHaveLength(
    count,
  );
});

test.each([
  [
    "something else under an old name",
    'export { sum, sum as half } from "./sum.js";\n',
    "half of src/index.js was half, and is sum",
  ],
  ["one more name", 'export { sum, half, sum as add } from "./sum.js";\n', null],
  [
    "a copy under the old name",
    'export { half } from "./sum.js";\nexport { sum } from "./pay.js";\n',
    "src/sum.js still has it",
  ],
])("a file that re-exports %s", (_, text, asked) => {
  const found = reexportQuestion(about({ "src/index.js": text }));
  if (asked === null) expect(found).toBeNull();
  else expect(found).toContain(asked);
});

describe("what is not finished", () => {
  test.each([
    ["src/load.js", 'export function load() {\n  throw new Error("not implemented yet");\n}\n'],
    ["src/load.py", 'def load():\n    """Rates of today."""\n    raise NotImplementedError("later")\n'],
    ["src/load.rs", "pub fn load() -> u8 {\n    todo!()\n}\n"],
  ])("%s", (path, text) => {
    expect(unfinishedQuestions(about({ [path]: text }))).toEqual([
      `It is not finished: load() of ${path} only says so.`,
    ]);
  });

  test.each([
    ["an old one", { "src/sum.js": `${base["src/sum.js"]}\n` }],
    [
      "a method that a subclass defines",
      {
        "src/shape.py":
          "class Shape:\n    def area(self):\n        raise NotImplementedError\n\n\nclass Square(Shape):\n    def area(self):\n        return 4\n",
      },
    ],
    [
      "an abstract method",
      {
        "src/shape.py":
          "class Shape(ABC):\n    @abstractmethod\n    def area(self):\n        raise NotImplementedError\n",
      },
    ],
    [
      "an input that is refused",
      {
        "src/load.js": 'export function load(a) {\n  if (a) return 1;\n  throw new Error("only numbers");\n}\n',
        "src/fee.py":
          'def fee(kind):\n    if kind == "normal":\n        return 1\n    raise NotImplementedError(f"{kind} is not supported")\n',
      },
    ],
    [
      "a branch that was there before",
      { "src/half.js": 'export function half(a) {\n  if (a) return 1;\n  throw new Error("TODO: halves");\n}\n' },
      { "src/half.js": 'export function half(b) {\n  if (b) return 2;\n  throw new Error("TODO: halves");\n}\n' },
    ],
    ["a comment", { "src/load.js": 'export function load(a) {\n  // throw new Error("TODO");\n  return a;\n}\n' }],
    [
      "a product about lists",
      { "src/load.js": 'export function load(a) {\n  if (a) throw new Error("todo is done");\n}\n' },
    ],
  ] as const)("nothing to ask: %s", (_, change, now: Readonly<Record<string, string>> = {}) => {
    const before = Object.keys(now).length === 0 ? base : { ...base, ...change };
    const sides = sidesBetween(before, { ...before, ...change, ...now });
    expect(unfinishedQuestions({ sides, feature: feature("F1") })).toEqual([]);
  });

  test.each([
    [
      "src/ship.js",
      'export function ship(total, kind) {\n  if (kind === "express") throw new Error("TODO: express is not there");\n  return total;\n}\n',
      'src/ship.js:2 throw new Error("TODO: express is not there',
    ],
    [
      "src/sum.js",
      "export function sum(a, b) {\n  if (a < 0) {\n    throw new RangeError(\n      `negative: not implemented yet`,\n    );\n  }\n  return a + b;\n}\n\nexport function half(a) {\n  return a / 2;\n}\n",
      "src/sum.js:3 throw new RangeError(",
    ],
    [
      "src/fees.py",
      'def fee(cents, kind="normal"):\n    if kind == "express":\n        raise NotImplementedError("express comes later")\n    return 490\n',
      "src/fees.py:3 raise NotImplementedError",
    ],
    [
      "src/fees.rs",
      "pub fn fee(express: bool) -> u8 {\n    if express {\n        todo!()\n    }\n    4\n}\n",
      "src/fees.rs:3 todo!()",
    ],
  ])("a branch of %s", (path, text, says) => {
    expect(unfinishedQuestions(about({ [path]: text }))).toEqual([expect.stringContaining(says)]);
    expect(unfinishedQuestions(about({ [path]: text }, { description: "express is not implemented yet" }))).toEqual([]);
  });
});

test.each([
  ["a program in the folder where it runs", 'execFileSync("git", ["rev-list", "--count", "HEAD"])', 1],
  ["a shell's line", 'execSync("git describe --tags")', 1],
  ["a folder that it is given", 'execFileSync("git", ["log"], { cwd: folder })', 0],
  ["another program", 'execFileSync("gitk", ["HEAD"])', 0],
])("starting git with %s", (_, call, asked) => {
  expect(ambientQuestions(about({ "src/version.js": `export const version = () => ${call};\n` }))).toHaveLength(asked);
});

test.each([
  ["src/Sum.js", 1],
  ["src/aux.js", 1],
  ["src/auxiliary.js", 0],
])("a new file %s is asked about where other systems cannot have it", (path, asked) => {
  expect(namesElsewhereQuestions(about({ [path]: "export const a = 1;\n" }))).toHaveLength(asked);
});

describe("the file that an example is of", () => {
  const example = 'slug("A b") is "a-b"';
  const body = "function slug(text) {\n  return text;\n}\n";
  test.each([
    ["the default export", "src/slug.js", `export default ${body}`],
    ["module.exports", "src/slug.cjs", `${body}module.exports = slug;\n`],
    ["what a file of its name exports", "src/slug.js", "export default (text) => text;\n"],
    ["a name", "src/text.js", `export ${body}`],
  ])("exports it as %s", (_, path, text) => {
    expect(exportersOf(about({ [path]: text }).sides, [example], "slug", /js$/)).toEqual([path]);
  });

  const two = { "src/one.js": `export ${body}`, "src/two.js": `export ${body}` };
  test.each([
    ["two files export it", two, "", 1],
    ["the feature names one of them", two, "Add slug to src/two.js.", 0],
    ["the other keeps it to itself", { ...two, "src/two.js": body }, "", 0],
  ])("is asked for: %s", (_, change, description, asked) => {
    expect(exampleQuestions(about(change, { description, criteria: [example] }))).toHaveLength(asked);
  });
});
