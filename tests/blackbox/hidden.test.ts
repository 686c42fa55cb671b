// Tests written from the contract alone: a builder that fits its code to its own tests is held, and never sees them.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, sampleFiles, usage } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const write = (path: string, text: string) => ({ do: "write", path, text });
const done = { do: "reply", reply: { status: "done", summary: "done" } };
const ask = (title: string, value: number, twice: number): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { f001 } from "../src/F001.js";
test("${title}", () => {
  assert.equal(f001(${value}), ${twice});
});
`;
const examiner = {
  role: "examiner",
  steps: [
    {
      do: "reply",
      reply: { summary: "s", tests: [{ path: "test/unknown.test.js", content: ask("known to nobody", 31, 62) }] },
    },
  ],
  usage,
};
/** The builder records where it can find the hidden tests in the folder or in .loop. */
const looks = {
  do: "run",
  command: 'grep -rl "f001(31)" . --exclude-dir=.git --exclude=rehearsal.json > "$HOME/seen" || true',
};
const built = (body: string) => [
  looks,
  write("src/F001.js", `export function f001(value) {\n  ${body}\n}\n`),
  write("test/F001.test.js", ask("twice", 4, 8)),
  done,
];
const begin = (body: string): Project =>
  new Project(
    sampleFiles(
      [examiner, { ...builder("F001", 1, built(body)), attempt: undefined }, evaluator],
      [feature("F001", { acceptance_criteria: ["f001(value) returns twice the value"] })],
      {
        "test/old.test.js": ask("old", 1, 1)
          .replaceAll("f001", "old")
          .replace("F001", "old")
          .replace("old(1)", "old()"),
        "loop.yaml":
          "version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, run: node --test, timeout_s: 60 }]\nproof: { depth: deep }\n",
      },
    ),
  );

test("code that fits only the builder's own tests is held, by tests that the builder cannot find", {
  timeout: 180_000,
}, async () => {
  project = begin("return { 4: 8 }[value];");
  const ran = await project.loop("run");
  expect(ran.code, ran.stdout + ran.stderr).toBe(7);
  expect((await project.loop("inbox")).stdout).toContain("test/unknown.test.js > known to nobody");
  expect(fs.readFileSync(join(project.home, "seen"), "utf8")).toBe("");
});

test("an honest solution passes them, and they are in no commit", { timeout: 180_000 }, async () => {
  project = begin("return value * 2;");
  const ran = await project.loop("run");
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stderr).toContain("tests written from the contract alone: 1 passed");
  expect(project.git("ls-files")).not.toContain("unknown.test.js");
  const again = await project.loop("prove", "--all");
  expect(again.stdout, again.stderr).toContain("1 of 1 proof matches");
});
