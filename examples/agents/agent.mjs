// A command agent in JavaScript: see agent.sh.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const { LOOP_ROLE, LOOP_PROMPT_FILE, LOOP_REPLY_FILE } = process.env;
const prompt = readFileSync(LOOP_PROMPT_FILE, "utf8");

function build() {
  if (!prompt.includes("twice")) return { status: "blocked", summary: "I only know twice()." };
  writeFileSync("src/twice.js", "export const twice = (n) => 2 * n;\n");
  const test = 'test("twice", () => {\n  assert.equal(twice(2), 4);\n  assert.equal(twice(-3), -6);\n});\n';
  const imports = 'import assert from "node:assert/strict";\nimport test from "node:test";\n';
  writeFileSync("test/twice.test.js", `${imports}import { twice } from "../src/twice.js";\n${test}`);
  return { status: "done", summary: "Added twice() with a test." };
}

function judge() {
  const ok = spawnSync("npm", ["test"]).status === 0;
  const evidence = [{ command: "npm test" }];
  const criteria = [{ criterion: "C1", met: ok, verification: "execution output", evidence }];
  return { verdict: ok ? "pass" : "fail", summary: "I ran the tests.", criteria };
}

writeFileSync(LOOP_REPLY_FILE, JSON.stringify(LOOP_ROLE === "evaluator" ? judge() : build()));
