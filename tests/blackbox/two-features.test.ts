// The first feature's test hides that the second feature breaks old code: so people's tests are also run without the
// tests that agents added.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const write = (path: string, text: string) => ({ do: "write", path, text });
const done = { do: "reply", reply: { status: "done", summary: "done" } };
const testOf = (id: string, more = ""): string =>
  `import assert from "node:assert/strict";\nimport test from "node:test";\n${more}import { ${id} } from "../src/${id}.js";\ntest("${id}", () => assert.equal(${id}(2), ${id === "f001" ? 4 : 6}));\n`;
const code = (id: string): string => `export const ${id} = (n) => ${id === "f001" ? 2 : 3} * n;\n`;
const old = "export const old = () => 1;\n";
const files = {
  "package.json": '{ "name": "sample", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/old.js": old,
  "test/old.test.js":
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { old } from "../src/old.js";\ntest("old", () => assert.equal(old(), 1));\n',
  "loop.yaml":
    "version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, run: npm test, timeout_s: 60 }]\nlimits: { rework: 0 }\n",
};
const two = [
  feature("F001", { description: "f001(n) doubles.", acceptance_criteria: ["f001(2) is 4"] }),
  feature("F002", { priority: 2, description: "f002(n) triples.", acceptance_criteria: ["f002(2) is 6"] }),
];

// It writes back the source that it was made with, before the other tests are loaded.
const restores = `import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("../src/old.js", import.meta.url), ${JSON.stringify(old)});\n`;
const first = [write("src/f001.js", code("f001")), write("test/a.test.js", testOf("f001", restores)), done];
const second = [
  write("src/f002.js", code("f002")),
  write("src/old.js", "export const old = () => 7;\n"),
  write(
    "test/f002.test.js",
    `${testOf("f002")}import { old } from "../src/old.js";\ntest("old too", () => assert.ok([1, 7].includes(old())));\n`,
  ),
  done,
];
const inOrder = {
  ...files,
  "package.json": files["package.json"].replace("node --test", "node --test --test-concurrency=1"),
};
const alone = "when the tests that earlier features added are left out";

test("a change that passes only because of an earlier feature's test is refused", { timeout: 180_000 }, async () => {
  const scenes = [builder("F001", 1, first), builder("F002", 1, second), evaluator];
  project = new Project(sampleFiles(scenes, two, inOrder));
  const { code: exit, stdout, stderr } = await project.loop("run");
  expect(exit, stdout).not.toBe(0);
  expect(stderr).toContain(alone);
  expect(project.git("show", "main:src/old.js")).toBe(old.trim());
});

test("so is one that passes only because of a test of an earlier run", { timeout: 180_000 }, async () => {
  const scenes = [builder("F001", 1, first), builder("F002", 1, second), evaluator];
  project = new Project(sampleFiles(scenes, two.slice(0, 1), inOrder));
  expect((await project.loop("run")).code).toBe(0);
  const queue = JSON.parse(project.read("docs/FEATURES.json")) as { features: object[] };
  project.write({ "docs/FEATURES.json": JSON.stringify({ ...queue, features: [...queue.features, two[1]] }) });
  const { code: exit, stdout, stderr } = await project.loop("run");
  expect(exit, stdout).not.toBe(0);
  expect(stderr).toContain(alone);
  expect(project.git("show", "main:src/old.js")).toBe(old.trim());
});

test("two honest features in a row are proved", { timeout: 180_000 }, async () => {
  const steps = (id: string) => [write(`src/${id}.js`, code(id)), write(`test/${id}.test.js`, testOf(id)), done];
  project = new Project(
    sampleFiles([builder("F001", 1, steps("f001")), builder("F002", 1, steps("f002")), evaluator], two, files),
  );
  const { code: exit, stdout, stderr } = await project.loop("run");
  expect(exit, stdout + stderr).toBe(0);
  expect((await project.loop("report")).stdout).toMatch(/F001: proved[\s\S]*F002: proved/);
  expect(stderr + stdout).toContain("without the tests of earlier features");
});
