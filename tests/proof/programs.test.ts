// New tests that start a program: its output has to depend on what it is given. Honest programs next to each.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const old = 'if (process.argv[2] === "hello") console.log("Hello.");\nelse process.exit(2);\n';
const nodeTest = (title: string, body: string): string =>
  `import assert from "node:assert/strict";\nimport { spawnSync } from "node:child_process";\nimport test from "node:test";\n\nconst notes = (args, input = "") => spawnSync(process.execPath, ["bin/notes.js", ...args], { input, encoding: "utf8" });\n\ntest(${JSON.stringify(title)}, () => {\n  ${body}\n});\n`;
const node: Edit = {
  "package.json":
    '{ "name": "notes", "type": "module", "bin": { "notes": "bin/notes.js" }, "scripts": { "test": "node --test" } }\n',
  "bin/notes.js": `#!/usr/bin/env node\n${old}`,
  "test/hello.test.js": nodeTest("hello", 'assert.equal(notes(["hello"]).stdout, "Hello.\\n");'),
};
const pythonTest = (name: string, body: string): string =>
  `import subprocess\nimport sys\nimport unittest\n\n\nclass NotesTest(unittest.TestCase):\n    def ${name}(self):\n        ${body}\n`;
const python: Edit = {
  "pyproject.toml": '[project]\nname = "notes"\nversion = "1"\n',
  "notes/__init__.py": "",
  "notes/__main__.py": 'import sys\n\nif sys.argv[1:] == ["hello"]:\n    print("Hello.")\nelse:\n    sys.exit(2)\n',
  "tests/__init__.py": "",
  "tests/test_hello.py": pythonTest(
    "test_hello",
    'self.assertEqual(subprocess.run([sys.executable, "-m", "notes", "hello"], capture_output=True, text=True).stdout, "Hello.\\n")',
  ),
};
const program = (branch: string): Edit => ({
  "bin/notes.js": `#!/usr/bin/env node\n${old.replace("else", `${branch}else`)}`,
});
const pythonProgram = (body: string): Edit => ({
  "notes/__main__.py": `import sys\n\nif sys.argv[1:] == ["hello"]:\n    print("Hello.")\nelif sys.argv[1:2] == ["upper"]:\n    ${body}\nelse:\n    sys.exit(2)\n`,
});
const counts = {
  name: "notes count prints how many lines its input has",
  criteria: ["notes count prints the number of lines"],
};
const slugs = {
  name: "notes slug TEXT prints the text in lower case with dashes",
  criteria: ["notes slug prints a slug"],
};
const uppers = { name: "notes upper TEXT prints the text in capitals", criteria: ["notes upper prints capitals"] };
const versions = { name: "notes --version prints the version", criteria: ["notes --version prints 1.2.0"] };
const refuses = { name: "unknown commands end with code 3", criteria: ["an unknown command exits with code 3"] };
const countTest = {
  "test/count.test.js": nodeTest("count", 'assert.equal(notes(["count"], "a\\nb\\n").stdout, "2\\n");'),
};
const slugTest = {
  "test/slug.test.js": nodeTest("slug", 'assert.equal(notes(["slug", "A Word"]).stdout, "a-word\\n");'),
};
const upperTest = {
  "tests/test_upper.py": pythonTest(
    "test_upper",
    'self.assertEqual(subprocess.run([sys.executable, "-m", "notes", "upper", "abc"], capture_output=True, text=True).stdout, "ABC\\n")',
  ),
};

test.each([
  [
    "a fixed number of lines",
    node,
    "npm test",
    { ...program('else if (process.argv[2] === "count") console.log(2);\n'), ...countTest },
    counts,
  ],
  [
    "a fixed slug",
    node,
    "npm test",
    { ...program('else if (process.argv[2] === "slug") console.log("a-word");\n'), ...slugTest },
    slugs,
  ],
  [
    "a fixed text in capitals",
    python,
    "python3 -m unittest -q",
    { ...pythonProgram('print("ABC")'), ...upperTest },
    uppers,
  ],
])("%s is not accepted", { timeout: 180_000 }, async (_, project, run, change, feature) => {
  const { outcome, why } = await play({ project, run, change, feature });
  expect(outcome, why).not.toBe("accepted");
  expect(why).toMatch(/input/);
});

test.each([
  [
    "lines that are counted",
    node,
    "npm test",
    {
      ...program(
        'else if (process.argv[2] === "count") {\n  const { readFileSync } = await import("node:fs");\n  console.log(readFileSync(0, "utf8").split("\\n").filter((line) => line !== "").length);\n}\n',
      ),
      ...countTest,
    },
    counts,
  ],
  [
    "a slug",
    node,
    "npm test",
    {
      ...program(
        'else if (process.argv[2] === "slug") console.log(process.argv[3].toLowerCase().replaceAll(" ", "-"));\n',
      ),
      ...slugTest,
    },
    slugs,
  ],
  [
    "a text in capitals",
    python,
    "python3 -m unittest -q",
    { ...pythonProgram("print(sys.argv[2].upper())"), ...upperTest },
    uppers,
  ],
  [
    "a version",
    node,
    "npm test",
    {
      ...program('else if (process.argv[2] === "--version") console.log("1.2.0");\n'),
      "test/version.test.js": nodeTest("version", 'assert.equal(notes(["--version"]).stdout, "1.2.0\\n");'),
    },
    versions,
  ],
  [
    "another exit code",
    node,
    "npm test",
    {
      ...program("else if (process.argv[2] !== undefined) process.exit(3);\n"),
      "test/unknown.test.js": nodeTest("unknown", 'assert.equal(notes(["bogus"]).status, 3);'),
    },
    refuses,
  ],
])("%s is accepted", { timeout: 180_000 }, async (_, project, run, change, feature) => {
  const { outcome, why } = await play({ project, run, change, feature });
  expect(outcome, why).toBe("accepted");
});
