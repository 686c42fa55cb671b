// A suite that is red before: the tests say what has to change, also where the feature only asks for them to pass.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const code = (two: string, three = "a + b + c"): string =>
  `export function two(a, b) {\n  return ${two};\n}\n\nexport function three(a, b, c) {\n  return ${three};\n}\n`;
const tests =
  'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { three, two } from "../src/sums.js";\n\ntest("two", () => {\n  assert.equal(two(2, 3), 5);\n  assert.equal(two(1, 1), 2);\n});\n\ntest("three", () => assert.equal(three(1, 2, 3), 6));\n';
const project: Edit = {
  "package.json": '{ "name": "sums", "type": "module", "main": "src/sums.js", "scripts": { "test": "node --test" } }\n',
  "src/sums.js": code("a - b"),
  "test/sums.test.js": tests,
};
const make = { name: "Make the tests pass", criteria: ["npm test passes"] };
const fix = { name: "Make the failing tests pass: fix two(a, b), two(2, 3) is 5", criteria: ["npm test passes"] };

test.each([make, fix])("$name: a fix of what the tests ask for is accepted", { timeout: 180_000 }, async (feature) => {
  const change = { "src/sums.js": code("a + b") };
  const { outcome, why } = await play({ project, run: "npm test", change, feature, turns: true });
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

test("another function that answers otherwise with it is not", { timeout: 180_000 }, async () => {
  const change = { "src/sums.js": code("a + b", "a > 9 ? 0 : a + b + c") };
  const { outcome } = await play({ project, run: "npm test", change, feature: make, turns: true });
  expect(outcome).not.toBe("accepted");
});
