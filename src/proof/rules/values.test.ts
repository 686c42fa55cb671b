// Values that the feature gives, and where they have to be found.
import { describe, expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import { valueQuestions } from "./values.ts";

const base: Texts = {
  "package.json": '{ "type": "module" }',
  "README.md": "# till\n",
  "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
  "src/rates.json": '{ "de": 1, "it": 2 }',
};
const about = (change: Texts, criteria: readonly string[]) => ({
  sides: sidesBetween(base, { ...base, ...change }),
  feature: feature("F1", { criteria }),
});

test("a number that the change replaced by the one that was asked for is not missing", () => {
  const description = "7 percent are too little. Raise the rate of de to 30.";
  const before = { ...base, "src/rates.json": '{ "de": 7 }' };
  const asked = (text: string) =>
    valueQuestions({
      sides: sidesBetween(before, { ...before, "src/rates.json": text }),
      feature: feature("F1", { description, criteria: [] }),
    }).join("");
  expect(asked('{ "de": 30 }')).toBe("");
  expect(asked('{ "de": 40 }')).toContain("30");
});

test("two figures are in a test that gives what they come to", () => {
  const criteria = ["a parcel costs 400, and each kilogram 150"];
  const change = {
    "src/b.js": "export const b = 1;\n",
    "test/b.test.js": "test('x', () => {\n  equal(shipping(2), 700);\n});\n",
  };
  expect(valueQuestions(about(change, criteria))).toEqual([]);
});

describe("values that the feature gives", () => {
  const asked = (criteria: readonly string[], change: Texts) => valueQuestions(about(change, criteria)).join("");
  test("is not asked about where it limits the change itself", () => {
    expect(asked(["at most 50 lines, in fewer than 3 files"], { "src/a.js": "export const a = 1;\n" })).toBe("");
  });

  test.each([
    ["a row of a table", "grade(points) is as in the table\n| from 75 | B |", "export const b = 80;\n", "75"],
    ["a number", "size is 25 when it is not given", "export const size = 20;\n", "25"],
    ["an option", "`todo list --json` prints JSON", "export const list = (asText) => asText;\n", "--json"],
    ["a variable", "without APP_PORT it is 8080", "export const port = (env) => env.PORT ?? 8080;\n", "APP_PORT"],
    [
      "an error",
      "an unknown id is a RangeError",
      "export const find = () => { throw new RangeErorr(); };\n",
      "RangeError",
    ],
    ["a method", "it calls `gateway.send` once", "export const pay = (gateway) => gateway.submit();\n", "gateway.send"],
    ["a text", 'an empty list prints "no items yet"', 'export const show = () => "nothing";\n', '"no items yet"'],
    ["what becomes of a text", 'a dash ("A b" becomes "a-b")', 'test("A b", "a_b");\n', '"a-b"'],
    ["a result in a table", '| input | output |\n|---|---|\n| `"A b"` | `"a-b"` |', 'test("A b", "a_b");\n', '"a-b"'],
    ["a count, where a tenth of it is", "the first 80 characters", "export const cut = (t) => t.slice(0, 8);\n", "80"],
    ["a comment that says it", "size is 25", "// 25\nexport const size = 20;\n", "25"],
    ["a number in backquotes", "size is `25` pixels", "export const size = 20;\n", "25"],
    ["a number one less, where nothing is bounded", "a month has 29 days", "export const days = 28;\n", "29"],
    ["a part of it, where no unit is smaller", "lists of 100000 different words", "const list = 1000;\n", "100000"],
    ["a text after as", '3 bytes are shown as "3 B"', 'export const show = (n) => n + "KB", three = 3;\n', '"3 B"'],
  ])("%s is asked about where nothing has it", (_, criterion, text, shown) => {
    expect(asked([criterion], { "src/a.js": text })).toContain(`The feature says ${shown},`);
  });

  test.each([
    ["a title", 'it prints "two items"', 'test("two items", () => assert.match(print(2), /items/));\n', '"two items"'],
    ["a title of a group", "a page has 25 items", 'describe.only("25 items", () => {});\n', "25"],
    ["a comment", "a page has 25 items", "// 25\nassert.ok(page(1));\n", "25"],
    ["a limit of time", "at most 50 times", "assert.ok(Date.now() - began < 50 * 2);\n", "50"],
    ["an argument, of a default", "25 is the size when it is left out", "assert.ok(page(list, 25));\n", "25"],
    [
      "another number, of an exit code",
      "It exits with 3, or with 0",
      'assert.equal(result.stdout, "1 3");\nassert.equal(result.status, 0);\n',
      "3",
    ],
  ])("%s of a test is not enough", (_, criterion, text, shown) => {
    expect(asked([criterion], { "src/a.js": "export const a = 1;\n", "test/a.test.js": text })).toContain(
      `The feature says ${shown},`,
    );
  });

  test("a document is enough only where it is spoken of", () => {
    const change = { "src/a.js": "export const a = 1;\n", "README.md": "# till\n\nUse --json.\n" };
    expect(asked(["list takes --json"], change)).toContain("--json");
    expect(asked(["--json is in the README"], change)).toBe("");
  });

  test.each([
    [
      "as the limit of time that is asked for",
      "it takes less than 300 ms",
      { "test/a.test.js": "assert.ok(Date.now() - began < 300);\n" },
    ],
    ["as an exit code in a test", "It exits with 3", { "test/a.test.js": "assert.equal(result.status, 3);\n" }],
    ["as a percentage", "7 percent off", { "src/a.js": "export const off = 0.93;\n" }],
    ["as a limit", "more than 60 points", { "src/a.js": "export const is = (n) => n >= 61;\n" }],
    ["in the product", "size is 25 when it is not given", { "src/a.js": "export const size = 25;\n" }],
    ["in a test", "at most 60 characters", { "src/a.js": "1;\n", "test/a.test.js": "const long = 61;\n" }],
    ["in another unit", "it waits 5 minutes", { "src/a.js": "export const wait = 300;\n" }],
    ["as a result", "400 plus 150 for each", { "test/a.test.js": "equal(cost(1), 550);\n" }],
    ["as it was", "it returned 25 where it was wrong", { "src/a.js": "1;\n" }],
    ["a standard, a version, a small count", "ISO 8601, Node 20, 2 lines", { "src/a.js": "1;\n" }],
    ["a text that is quoted", "as the issue says:\n> --json and 25", { "src/a.js": "1;\n" }],
    ["an example, which is run", 'pad("a", 7) is "      a"', { "src/a.js": "1;\n" }],
    ["an option without its dashes", "add --dry-run", { "src/a.js": 'option("dry-run");\n' }],
  ])("and not %s", (_, criterion, change) => {
    expect(asked([criterion], change)).toBe("");
  });
});
