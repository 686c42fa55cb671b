// New functions, asked with the arguments of their tests: whether these have to stay as they were.
import { expect, test } from "vitest";
import { sidesBetween } from "../../../testing/sides-rig.ts";
import { feature } from "../../../testing/world/contracts.ts";
import type { Case } from "../../case.ts";
import { newCalls } from "./calls.ts";

const base = { "package.json": "{}", "src/a.js": "export const a = 1;\n" };
const ranked = "export function ranked(list) {\n  return list.sort();\n}\n";
const plain =
  'import { ranked } from "../src/ranked.js";\ntest("r", () => assert.deepEqual(ranked([3, 1]), [1, 3]));\n';
const after = `${plain}test("s", () => {\n  const list = [2, 1];\n  ranked(list);\n  assert.deepEqual(list, [1, 2]);\n});\n`;

test.each([
  ["nothing says otherwise", "ranked(list) answers the highest first", plain, true],
  ["the feature sorts in place", "ranked(list) sorts the list in place", plain, false],
  ["a test asserts on it after the call", "ranked(list) answers the highest first", after, false],
  ["the feature says that it stays", "ranked(list) sorts; the list is unchanged", after, true],
])("the argument must stay: %s", (_, criterion, tests, must) => {
  const sides = sidesBetween(base, { ...base, "src/ranked.js": ranked, "test/ranked.test.js": tests });
  const about = { sides, feature: feature("F1", { criteria: [criterion] }) } as unknown as Case;
  expect(newCalls(about, "src/ranked.js")).toMatchObject([{ name: "ranked", mustKeepArguments: must }]);
});
