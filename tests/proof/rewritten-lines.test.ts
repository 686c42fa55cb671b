// An old value that changes next to requested work must be noticed by a test, even within one line.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const head =
  'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { convert } from "../src/fx.js";\n';
const code = (rates: string): string =>
  `const RATES = { ${rates} };\nexport function convert(amount, to) {\n  return amount * RATES[to];\n}\n`;
const project: Edit = {
  "package.json": '{ "name": "fx", "type": "module", "main": "src/fx.js", "scripts": { "test": "node --test" } }\n',
  "src/fx.js": code("EUR: 1, GBP: 0.86"),
  "test/fx.test.js": `${head}test("euro", () => assert.equal(convert(3, "EUR"), 3));\n`,
};
const yen = `${head}test("yen", () => {\n  assert.equal(convert(1, "JPY"), 160);\n  assert.equal(convert(2, "JPY"), 320);\n});\n`;
const converted = (rates: string) =>
  play({
    project,
    run: "npm test",
    change: { "src/fx.js": code(rates), "test/yen.test.js": yen },
    feature: { name: "Support the yen", criteria: ["A yen is converted at a rate of 160"] },
  });

test("another rate on the line of the new one leaves the work unproved", { timeout: 120_000 }, async () => {
  const { outcome, why } = await converted("EUR: 1, GBP: 0.68, JPY: 160");
  expect([outcome, why]).toEqual([
    "asked",
    expect.stringMatching(/src\/fx\.js:1 with "0\.86" instead of "0\.68": .*GBP: 0\.86, JPY/),
  ]);
});

test("the new rate alone is accepted", { timeout: 120_000 }, async () => {
  expect((await converted("EUR: 1, GBP: 0.86, JPY: 160")).outcome).toBe("accepted");
});
