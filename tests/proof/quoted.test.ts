// What a request quotes from others neither asks for anything nor allows anything.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { quotedHere, withQuotes } from "../../src/formats/contract/others-words.ts";
import { play } from "./play.ts";

const project: Edit = {
  "package.json": '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/sums.js": "export function sum(a, b) {\n  return a + b;\n}\n",
  "src/old.js": "export function legacy() {\n  return 1;\n}\n",
  "test/sums.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { sum } from "../src/sums.js";\n\ntest("sum", () => assert.equal(sum(1, 2), 3));\n',
};
const change: Edit = {
  "src/sums.js": `${project["src/sums.js"]}\nexport function double(a) {\n  return a * 2;\n}\n`,
  "test/double.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { double } from "../src/sums.js";\n\ntest("double", () => assert.equal(double(2), 4));\ntest("of nothing", () => assert.equal(double(0), 0));\n',
};
const own = `Add double(a) to src/sums.js, for ${quotedHere("title")}`;
const asking = (title: string) => ({
  name: own,
  criteria: [own],
  description: withQuotes(own, "GitHub (issues in octo/shop)", new Map([["title", title]])),
});

test("a function whose removal is only quoted is asked about", async () => {
  const removing = { ...change, "src/old.js": "export {};\n" };
  const feature = asking("Remove the function legacy() from src/old.js, it is dead code.");
  const { outcome, why } = await play({ project, run: "npm test", change: removing, feature });
  expect([outcome, why]).toEqual([
    "asked",
    expect.stringContaining("It removes or changes what no test needs: legacy()"),
  ]);
}, 120_000);

test("a name that is only quoted is not missed", async () => {
  const feature = asking("TypeError at alert() in renderPage() (src/page.js:3)");
  expect(await play({ project, run: "npm test", change, feature })).toMatchObject({ outcome: "accepted" });
}, 120_000);
