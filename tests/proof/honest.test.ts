// Ordinary changes that nobody should be refused for, one after the other in one project.
import { afterEach, expect, test } from "vitest";
import { type Part, remove, Stage, type Step, swap, write } from "./cast.ts";

let stage: Stage | null = null;
afterEach(() => {
  stage?.project.remove();
  stage = null;
});

const testOf = (module: string, name: string, says: string): string =>
  `import assert from "node:assert/strict";\nimport test from "node:test";\nimport { ${name} } from "../src/${module}.js";\ntest("${name}", () => {\n  assert.equal(${name}(), ${says});\n});\n`;
const run = (command: string): Step => ({ do: "run", command });
const accepted = (who: string, grade: Part["grade"], ...steps: Step[]): Part => ({
  who,
  steps: () => steps,
  caught: null,
  ...(grade === undefined ? {} : { grade }),
});

const files = {
  "package.json":
    '{\n  "name": "sample",\n  "private": true,\n  "type": "module",\n  "scripts": {\n    "test": "node --test test/"\n  }\n}\n',
  "package-lock.json": '{\n  "name": "sample",\n  "lockfileVersion": 3,\n  "packages": {}\n}\n',
  "README.md": "# Sample\n",
  Makefile: "test:\n\tnpm test\n",
  "src/words.js": "export const words = () => 2;\n",
  "src/obsolete.js": "export const obsolete = true;\n",
  "src/util/pad.js": "export const pad = () => 'p';\n",
  "src/page.js": "export const page = () => 'Hello';\n",
  "test/helpers.js": "export const same = (a, b) => a === b;\n",
  "test/words.test.js": testOf("words", "words", "2"),
  "test/util/pad.test.js": testOf("util/pad", "pad", '"p"').replace("../src", "../../src"),
  "test/page.test.js":
    'import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport test from "node:test";\nimport { page } from "../src/page.js";\ntest("page", () => {\n  assert.equal(page(), readFileSync("test/__snapshots__/page.txt", "utf8").trim());\n});\n',
  "test/__snapshots__/page.txt": "Hello\n",
};

const parts: readonly Part[] = [
  accepted(
    "a new test file with its module",
    "strong",
    write("src/a.js", "export const a = () => 1;\n"),
    write("test/a.test.js", testOf("a", "a", "1")),
  ),
  accepted(
    "tests added to a file that was there",
    "strong",
    write("src/words.js", "export const words = () => 2;\nexport const more = () => 3;\n"),
    swap(
      "test/words.test.js",
      'import { words } from "../src/words.js";\n',
      'import { words } from "../src/words.js";\nimport { more } from "../src/words.js";\n',
    ),
    { do: "append", path: "test/words.test.js", text: 'test("more", () => {\n  assert.equal(more(), 3);\n});\n' },
  ),
  accepted(
    "a module renamed with its test",
    "weak",
    run(
      "git mv -f src/words.js src/text.js 2>/dev/null || mv src/words.js src/text.js; sed 's#src/words#src/text#' test/words.test.js > test/text.test.js; rm test/words.test.js",
    ),
  ),
  accepted(
    "a dependency that the contract does not forbid",
    "weak",
    swap("package.json", '"scripts"', '"dependencies": {\n    "left-pad": "1.3.0"\n  },\n  "scripts"'),
    swap(
      "package-lock.json",
      '"packages": {}',
      '"packages": {\n    "node_modules/left-pad": { "version": "1.3.0", "integrity": "sha512-q7Zr2Lw9Xk4Vb8Nc3Ty6Hd1Jf5Gs0Pm8Qe2Rt4Yu6Wz9==" }\n  }',
    ),
  ),
  accepted(
    "a snapshot that the request asks to update, released by may_change",
    undefined,
    write("src/page.js", "export const page = () => 'Hello, you';\n"),
    write("test/__snapshots__/page.txt", "Hello, you\n"),
  ),
  accepted(
    "a refactoring without new tests",
    "weak",
    write("src/text.js", "const two = 2;\nexport const words = () => two;\nexport const more = () => two + 1;\n"),
  ),
  accepted("a comment", "weak", swap("src/page.js", "export", "// What a visitor sees first.\nexport")),
  accepted(
    "a new fixture and a test that reads it",
    "strong",
    write("test/fixtures/list.json", "[1, 2]\n"),
    write("src/sum.js", "export const sum = (list) => list.reduce((a, b) => a + b, 0);\n"),
    write(
      "test/sum.test.js",
      'import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport test from "node:test";\nimport { sum } from "../src/sum.js";\ntest("sum", () => {\n  assert.equal(sum(JSON.parse(readFileSync("test/fixtures/list.json", "utf8"))), 3);\n});\n',
    ),
  ),
  accepted(
    "a test file formatted anew",
    "weak",
    swap("test/a.test.js", "  assert.equal(a(), 1);", "    assert.equal(\n      a(),\n      1,\n    );"),
  ),
  accepted("a source file that nobody needs any more", "weak", remove("src/obsolete.js")),
  accepted(
    "a folder moved with its tests",
    "weak",
    run(
      "mkdir -p src/text-tools test/text-tools; mv src/util/pad.js src/text-tools/; sed 's#src/util/#src/text-tools/#' test/util/pad.test.js > test/text-tools/pad.test.js; rm -r test/util",
    ),
  ),
  accepted(
    "documentation",
    "weak",
    write("README.md", "# Sample\n\nSee the guide.\n"),
    write("docs/GUIDE.md", "# Guide\n"),
  ),
  accepted(
    "a generated file of 3,000 lines",
    "weak",
    write("src/generated.js", `export const table = [\n${"  1,\n".repeat(3000)}];\n`),
  ),
  accepted(
    "a helper for tests, added to a file that was there, and a test that needs it",
    "strong",
    { do: "append", path: "test/helpers.js", text: "export const isOdd = (n) => n % 2 === 1;\n" },
    write("src/odd.js", "export const odd = () => 3;\n"),
    write(
      "test/odd.test.js",
      'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { odd } from "../src/odd.js";\nimport { isOdd } from "./helpers.js";\ntest("odd", () => {\n  assert.ok(isOdd(odd()));\n});\n',
    ),
  ),
  accepted(
    "another script and another target",
    "weak",
    swap("package.json", '"test":', '"lint": "true",\n    "test":'),
    { do: "append", path: "Makefile", text: "\nlint:\n\tnpm run lint\n" },
  ),
  accepted("a small picture", "weak", run("printf '\\211PNG\\r\\n\\032\\n\\000\\000' > logo.png")),
];

test("no honest change is refused", { timeout: 600_000 }, async () => {
  stage = new Stage({
    files,
    parts,
    checks: "{ name: test, run: node --test test/ }",
    command: "node --test test/",
    commits: false,
    more: 'scope: { may_change: ["test/__snapshots__/**"] }\n',
  });
  const { code, stderr } = await stage.play();
  expect(code, stderr).toBe(0);
  const proof = JSON.stringify(stage.proof("F004"));
  expect(proof).toContain("left-pad (package.json)");
  expect(JSON.stringify(stage.proof("F003"))).toContain("test/words.test.js → test/text.test.js");
});
