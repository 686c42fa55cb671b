// Files that moved: the same test under another path, and when a protected file counts as changed.
import { describe, expect, test } from "vitest";
import { sidesBetween } from "../testing/sides-rig.ts";
import { rewrittenJudge } from "./rules/rewritten.ts";
import { changedJudge, movedKey } from "./sides.ts";

const source = { "package.json": "{}", "src/sum.js": "export const sum = (a, b) => a + b;\n" };
const old = `import { sum } from "../src/sum.js";
import test from "node:test";
import assert from "node:assert";
test("adds", () => {
  assert.equal(sum(1, 2), 3);
  assert.equal(sum(2, 2), 4);
});
`;
const more = 'test("adds nothing", () => {\n  assert.equal(sum(0, 0), 0);\n});\n'.repeat(3);

describe("a test file that moved", () => {
  test.each([
    ["as it was", old],
    ["and imports more", old.replace("{ sum }", "{ sum, other }")],
  ])("%s is not a changed one", (_, text) => {
    const sides = sidesBetween({ ...source, "test/sum.test.js": old }, { ...source, "test/math.test.js": text });
    expect(sides.moved).toEqual([{ from: "test/sum.test.js", to: "test/math.test.js" }]);
    expect(changedJudge(sides)).toEqual([]);
  });

  test.each([
    ["lost an assertion", old.replace("  assert.equal(sum(2, 2), 4);\n", ""), ["test/sum.test.js"]],
    ["returns early", old.replace("() => {\n", "() => {\n  return;\n"), []],
    ["was added to", `${old}${more}`, []],
  ])("and %s at the same time is a changed one", (_, text, asked) => {
    const sides = sidesBetween({ ...source, "test/sum.test.js": old }, { ...source, "test/math.test.js": text });
    expect(sides.moved).toHaveLength(1);
    // Run F looks at it, whether or not it is also a question.
    expect(changedJudge(sides).map(({ path }) => path)).toEqual(["test/sum.test.js"]);
    expect(rewrittenJudge({ sides, release: () => false, releasedTests: [] })).toEqual(asked);
  });

  test.each([
    ["a comment names it", "// see src/biome.json\nexport const sum = 1;\n", "src/biome.json", "other"],
    ["product opens it", 'export const from = "../data/rates.json";\n', "data/rates.json", "product"],
    ["nothing opens it", "export const sum = 1;\n", "data/rates.json", "other"],
  ])("the side of a new data file is right where %s", (_, text, path, side) => {
    const sides = sidesBetween(source, { ...source, "src/sum.js": text, [path]: "{}" });
    expect(sides.changes.find((change) => change.path === path)?.side).toBe(side);
  });

  test.each([
    ["test/sum.test.js > adds", "test/math.test.js > adds"],
    ["test/other.test.js > adds", "test/other.test.js > adds"],
  ])("%s becomes %s", (was, is) => {
    const sides = sidesBetween({ ...source, "test/sum.test.js": old }, { ...source, "test/math.test.js": old });
    expect(movedKey(sides, was)).toBe(is);
  });

  test("gets a new program name, too, if it is a separate Rust program", () => {
    const moved = [{ from: "tests/price.rs", to: "tests/orders.rs" }];
    const sides = { ...sidesBetween(source, source), moved };
    expect(movedKey(sides, "tests/price.rs > price > adds")).toBe("tests/orders.rs > orders > adds");
  });
});
