// What only a person can decide about, seen from the texts alone.
import { describe, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import type { ProveOrder } from "../prover.ts";
import { reexportQuestion } from "./exports.ts";
import { namedQuestions } from "./named.ts";
import { ownTestQuestions } from "./own-tests.ts";
import { removalQuestion } from "./removed.ts";
import { unseenQuestions } from "./unseen.ts";

const base: Texts = {
  "package.json": '{ "type": "module" }',
  "README.md": "# till\n",
  "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n\nexport function half(a) {\n  return a / 2;\n}\n",
  "src/index.js": 'export { sum, half } from "./sum.js";\n',
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
  "test/fixtures/prices.json": "{}",
};
const about = (change: Readonly<Record<string, string | null>>, of: Parameters<typeof feature>[1] = {}) => {
  const after = Object.entries({ ...base, ...change }).filter((pair): pair is [string, string] => pair[1] !== null);
  return { sides: sidesBetween(base, Object.fromEntries(after)), feature: feature("F1", of) };
};

describe("what is removed", () => {
  test.each([
    ["a file of the product", { "src/sum.js": null }, "src/sum.js"],
    ["a document", { "README.md": null }, "README.md"],
    [
      "a public function",
      { "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n" },
      "half() of src/sum.js",
    ],
  ])("%s is asked about", (_, change, named) => {
    expect(removalQuestion(about(change))).toContain(named);
  });

  test.each([
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

  test("is asked about, whether it is a file or too many of them", () => {
    expect(unseen({ "src/large.js": "x" })).toEqual([expect.stringContaining("src/large.js")]);
    expect(unseen(many)).toEqual([expect.stringContaining("49 files of code")]);
  });

  test("is not data, not a document, and not counted where nothing is taken back", () => {
    expect(unseen({ "src/rates.json": "{}", "README.md": "# other\n" })).toEqual([]);
    expect(unseen(many, "quick")).toEqual([]);
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
  ])("%s is asked about", (_, criteria, change, missing) => {
    expect(named(criteria, change).join("")).toContain(missing);
  });

  test("is not asked about when it is there", () => {
    expect(named(["total(lines) is in src/total.js"], { "src/total.js": "export function total() {}\n" })).toEqual([]);
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
])("a file that passes on %s", (_, text, asked) => {
  const found = reexportQuestion(about({ "src/index.js": text }));
  if (asked === null) expect(found).toBeNull();
  else expect(found).toContain(asked);
});
