// Examples without quotes, in a feature's own words, are run where it is clear what they mean.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const slug = (chain: string): string => `export function slug(text) {\n  return text.toLowerCase()${chain};\n}\n`;
const length = "\nexport function size(text) {\n  return text.length;\n}\n";
const head = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "../src/text.js";

`;
const project: Edit = {
  "package.json": '{ "name": "text", "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
  "src/text.js": slug('.replaceAll(" ", "-")') + length,
  "test/text.test.js": `${head}test("slug", () => assert.equal(slug("A b"), "a-b"));\n`,
};
const changed = (criterion: string, letter: string) =>
  play({
    project,
    run: "npm test",
    change: {
      "src/text.js": slug(`.replaceAll(" ", "-").replaceAll("ä", "${letter}")`) + length,
      "test/umlaut.test.js": `${head}test("umlaut", () => {\n  assert.equal(slug("ä"), "${letter}");\n  assert.equal(slug("Bär"), "b${letter}r");\n});\n`,
    },
    feature: { name: "slug in src/text.js turns umlauts into plain letters", criteria: [criterion] },
  });

const forms = ['`slug("Äpfel")` gives aepfel', "e.g. Äpfel -> aepfel"];

test.each(forms)("an example that does not hold is told: %s", { timeout: 120_000 }, async (criterion) => {
  const { outcome, why } = await changed(criterion, "a");
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/Äpfel.*aepfel, but it is "apfel"/)]);
});

test.each(forms)("one that holds is not: %s", { timeout: 120_000 }, async (criterion) => {
  const { outcome, why } = await changed(criterion, "ae");
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});
