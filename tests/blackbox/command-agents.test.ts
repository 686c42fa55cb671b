// The examples in docs/COMMAND-AGENTS.md build and judge a feature, exactly as printed.
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const example = (name: string): string => fileURLToPath(new URL(`../../examples/agents/${name}`, import.meta.url));
const feature = {
  id: "F001",
  name: "Add twice(n) to src/twice.js",
  description: "A function twice(n) that returns 2 * n.",
  acceptance_criteria: ["twice(2) returns 4"],
};

test.each([
  ["sh", "agent.sh"],
  ["python3", "agent.py"],
  [process.execPath, "agent.mjs"],
])("%s %s", { timeout: 120_000 }, async (program, file) => {
  const agent = JSON.stringify({ kind: "command", command: [program, example(file)], cost_usd: 0 });
  project = new Project({
    "package.json": '{ "name": "sample", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/one.js": "export const one = () => 1;\n",
    "test/one.test.js":
      'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { one } from "../src/one.js";\ntest("one", () => assert.equal(one(), 1));\n',
    "loop.yaml": `agents: { maker: ${agent}, checker: ${agent} }\nchecks: [{ name: test, run: npm test }]\n`,
    "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature] }),
  });
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(0);
  expect(project.git("log", "--format=%s", "main")).toContain("feat(F001): Add twice(n) to src/twice.js");
  expect((await project.loop("report")).stdout).toContain("F001: proved");
});
