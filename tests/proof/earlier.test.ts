// The examples of a completed feature bind the features after it, even where no test has them.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const project: Edit = {
  "package.json": '{ "name": "text", "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
  "src/text.js": 'export function slug(text) {\n  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");\n}\n',
  "test/text.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { slug } from "../src/text.js";\n\ntest("slug", () => assert.equal(slug("A b"), "a-b"));\n',
};
const first = { name: "Add slug(text)", criteria: ['slug("A b") is "a-b"', 'slug("v1.2") is "v1-2"'] };
const change = (slug: string): Edit => ({
  "src/text.js": `export function slug(text) {\n  return text.toLowerCase().replace(/${slug}+/g, "-");\n}\n\nexport function slugs(texts) {\n  return texts.map(slug);\n}\n`,
  "test/slugs.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { slugs } from "../src/text.js";\n\ntest("slugs", () => assert.deepEqual(slugs(["A b", "C"]), ["a-b", "c"]));\ntest("none", () => assert.deepEqual(slugs([]), []));\n',
});
const dots = "[^a-z0-9.]";
const second = { name: "Add slugs(texts)", criteria: ["slugs(texts) gives the slug of each text"] };

test("a feature that breaks an example of an earlier one is not proved", async () => {
  const { outcome, why } = await play({
    project,
    run: "npm test",
    change: change(dots),
    feature: second,
    earlier: [first],
  });
  expect([outcome, why]).toEqual([
    "asked",
    expect.stringContaining(
      'Examples of features that are complete held before this change, and no longer do: slug("v1.2") is "v1-2"',
    ),
  ]);
}, 120_000);

test("an example that never held, or that the feature replaces by its own, binds nobody", async () => {
  const never = { name: "Old", criteria: ['slug("A b") is "A_b"'] };
  const kept = await play({
    project,
    run: "npm test",
    change: change("[^a-z0-9]"),
    feature: second,
    earlier: [first, never],
  });
  expect(kept).toMatchObject({ outcome: "accepted", grade: "strong" });
  const own = { ...second, criteria: [...second.criteria, 'slug keeps dots: slug("v1.2") is "v1.2"'] };
  const tests = {
    "test/dots.test.js": `${project["test/text.test.js"] ?? ""}test("dots", () => assert.equal(slug("v1.2"), "v1.2"));\n`,
  };
  const replaced = await play({
    project,
    run: "npm test",
    change: { ...change(dots), ...tests },
    feature: own,
    earlier: [first],
  });
  expect(replaced.why).not.toContain("features that are complete");
}, 120_000);
