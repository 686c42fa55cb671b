// Ordinary ways to work: an assertion added to an old test, and an old line that is only written in another way.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const code = (round: string, total = "items.reduce((sum, each) => sum + each, 0)"): string =>
  `export function price(cents) {\n  return Math.${round}(cents) / 100;\n}\n\nexport function total(items) {\n  return ${total};\n}\n`;
const tests = (more = ""): string =>
  `import assert from "node:assert/strict";\nimport test from "node:test";\nimport { price, total } from "../src/shop.js";\n\ntest("price", () => {\n  assert.equal(price(250), 2.5);\n${more}});\n\ntest("total", () => assert.equal(total([1, 2, 3]), 6));\n`;
const project: Edit = {
  "package.json": '{ "name": "shop", "type": "module", "main": "src/shop.js", "scripts": { "test": "node --test" } }\n',
  "src/shop.js": code("round"),
  "test/shop.test.js": tests(),
};
const down = { name: "price rounds down", criteria: ["price(250.7) is 2.5"] };
const floorTest = "  assert.equal(price(250.7), 2.5);\n  assert.equal(price(99.9), 0.99);\n";
const half = { name: "Add half(n) to src/half.js", criteria: ["half(8) is 4"] };
const halfTest =
  'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { half } from "../src/half.js";\n\ntest("half", () => {\n  assert.equal(half(8), 4);\n  assert.equal(half(3), 1.5);\n});\n';

const outcomeOf = async (change: Edit, feature: typeof down): Promise<readonly [string, string]> => {
  const { outcome, why } = await play({ project, run: "npm test", change, feature });
  return [outcome, why];
};

test("assertions that are added to an old test show a fix", { timeout: 180_000 }, async () => {
  const change = { "src/shop.js": code("floor"), "test/shop.test.js": tests(floorTest) };
  expect(await outcomeOf(change, down)).toEqual(["accepted", expect.any(String)]);
});

test("assertions that hold without the change show nothing", { timeout: 180_000 }, async () => {
  const change = { "src/shop.js": code("floor"), "test/shop.test.js": tests("  assert.equal(price(300), 3);\n") };
  expect(await outcomeOf(change, down)).toEqual(["asked", expect.stringContaining("No new test fails")]);
});

const with_ = (total: string): Edit => ({
  "src/shop.js": `${code("round", total)}\nexport const shop = (n) => n / 2;\n`,
  "src/half.js": "export const half = (n) => n / 2;\n",
  "test/half.test.js": `${halfTest}import { shop } from "../src/shop.js";\n\ntest("shop", () => assert.equal(shop(8), 4));\n`,
});

test("an old line that is written in another way needs no test", { timeout: 180_000 }, async () => {
  const change = with_("items.reduce((all, item) => all + item, 0)");
  expect(await outcomeOf(change, half)).toEqual(["accepted", expect.any(String)]);
});

test("an old line that now does something else needs one", { timeout: 180_000 }, async () => {
  const change = with_("items.reduce((sum, each) => sum + (each > 90 ? 90 : each), 0)");
  expect((await outcomeOf(change, half))[0]).toBe("asked");
});
