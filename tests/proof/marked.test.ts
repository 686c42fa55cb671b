// A test that is marked as one to do, or as expected to fail, and that works all the same: a change must not break it.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const node: Edit = {
  "package.json":
    '{ "name": "sample", "type": "module", "main": "src/index.js", "scripts": { "test": "node --test" } }\n',
  "src/index.js": "export function size(text) {\n  return text.length;\n}\n",
  "test/index.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { size } from "../src/index.js";

test("size", () => assert.equal(size("ab"), 2));
test("emoji", { todo: true }, () => assert.equal(size("🙂"), 1));
test("spaces", { todo: true }, () => assert.equal(size(" ab "), 4));
`,
};
const python: Edit = {
  "pyproject.toml": '[project]\nname = "text"\nversion = "1"\n',
  "text/__init__.py": "",
  "text/ops.py": "def size(text):\n    return len(text)\n",
  "tests/test_ops.py":
    'import pytest\nfrom text.ops import size\n\n\ndef test_size():\n    assert size("ab") == 2\n\n\n@pytest.mark.xfail\ndef test_spaces():\n    assert size(" ab ") == 4\n',
};
const feature = { name: "Add longest(texts)", criteria: ["longest(texts) is the text with the greatest size"] };

const inNode = (size: string): Edit => ({
  "src/index.js": `export function size(text) {\n  return ${size};\n}\n\nexport function longest(texts) {\n  return texts.reduce((a, b) => (size(b) > size(a) ? b : a));\n}\n`,
  "test/longest.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { longest } from "../src/index.js";\n\ntest("longest", () => assert.equal(longest(["a", "bcd", "ef"]), "bcd"));\ntest("first of two", () => assert.equal(longest(["ab", "cd"]), "ab"));\n',
});
const inPython = (size: string): Edit => ({
  "text/ops.py": `def size(text):\n    return len(${size})\n\n\ndef longest(texts):\n    return max(texts, key=size)\n`,
  "tests/test_longest.py":
    'from text.ops import longest\n\n\ndef test_longest():\n    assert longest(["a", "bcd", "ef"]) == "bcd"\n\n\ndef test_first():\n    assert longest(["ab", "cd"]) == "ab"\n',
});

test.each([
  ["node", node, "npm test", inNode("text.trim().length"), inNode("text.length"), "test/index.test.js > spaces"],
  [
    "pytest",
    python,
    "python3 -m pytest -q",
    inPython("text.strip()"),
    inPython("text"),
    "tests/test_ops.py > test_spaces",
  ],
])(
  "%s: broken, it refuses the change; working, it does not",
  async (_, project, run, bad, good, broken) => {
    const refused = await play({ project, run, change: bad, feature });
    expect(refused).toMatchObject({ outcome: "refused", why: expect.stringContaining(broken) });
    expect(await play({ project, run, change: good, feature })).toMatchObject({ outcome: "accepted", grade: "strong" });
  },
  120_000,
);
