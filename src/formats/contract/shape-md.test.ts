import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readShapeMd } from "./shape-md.ts";

describe("readShapeMd", () => {
  test.each([
    {
      name: "headings",
      text: "# Shape\n## Criteria\n- [ ] tests pass (execution output)\n- UI renders\n\n## mustNot\n1. break the API\n\n## Verification\n- UI renders: observation\n",
    },
    {
      name: "keys",
      text: 'criteria:\n  - "tests pass"\n  - UI renders\nmustNot:\n  - break the API\nverification:\n  - tests pass → execution output\n  - "UI renders": observation\n',
    },
    {
      name: "other spellings",
      text: "### Success Criteria\r\n* tests pass [execution_output]\r\n* UI renders\r\n**Must not:**\r\n* break the API\r\n### Verification:\r\n* UI renders = Observation\r\n",
    },
    {
      name: "a mapping, as YAML has it",
      text: '---\ncriteria:\n  - tests pass\n  - UI renders\nmustNot:\n  - break the API\nverification:\n  tests pass: execution output\n  "UI renders": "observation"\n---\n',
    },
  ])("reads $name", ({ text }) => {
    expect(readShapeMd(text)).toEqual({
      criteria: [
        { text: "tests pass", verification: "execution output" },
        { text: "UI renders", verification: "observation" },
      ],
      mustNot: ["break the API"],
      unread: [],
    });
  });

  test("lists elsewhere, in fences and in comments do not count", () => {
    const text = "- a\n## Notes\n- b\n```\n## Criteria\n- c\n```\n<!--\ncriteria:\n- d\n-->\n## Criteria\n(empty)\n";
    expect(readShapeMd(text)).toEqual({ criteria: [], mustNot: [], unread: [] });
  });

  test("lists and mappings on one line are read as the same on several", () => {
    const text =
      'criteria: ["tests pass", UI renders]\nverification: { "UI renders": observation }\nmustNot: ["touch src/one.js"]\n- no item of it\n';
    expect(readShapeMd(text)).toEqual({
      criteria: [
        { text: "tests pass", verification: null },
        { text: "UI renders", verification: "observation" },
      ],
      mustNot: ["touch src/one.js"],
      unread: [],
    });
    expect(readShapeMd("criteria: [broken\nmustNot: [1, 2]\n")).toEqual({ criteria: [], mustNot: [], unread: [] });
  });

  test("what is said of an unknown criterion, or in an unknown way, is named", () => {
    const text = "criteria:\n- tests pass\nverification:\n  tests pass: a unit test\n  UI renders: observation\n";
    expect(readShapeMd(text).unread).toEqual(["tests pass: a unit test", "UI renders: observation"]);
  });

  test("a remark in brackets that is not a verification stays in the criterion", () => {
    expect(readShapeMd("criteria:\n- fast (under 1 s)").criteria).toEqual([
      { text: "fast (under 1 s)", verification: null },
    ]);
  });

  test("any text can be read, even a large one", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readShapeMd(`# criteria\n- ${text}`)));
    const lines = [
      "- a: ".repeat(50_000),
      `- ${"(".repeat(100_000)}`,
      `- ${"a (".repeat(50_000)}`,
      `- ${" :".repeat(100_000)}`,
    ];
    for (const line of lines) readShapeMd(`# criteria\n${line}\n# verification\n${line}\n`);
    expect(readShapeMd(`criteria:\n${"- a\n".repeat(100_000)}`).criteria.length).toBeLessThanOrEqual(200);
  });
});
