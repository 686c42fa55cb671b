// Green only where the agent worked: files that git ignores are not part of the tree, so they cannot carry a proof.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

test("work that is green only with a file that git ignores is not accepted", {
  timeout: 120_000,
}, async () => {
  const needs = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.equal(readFileSync("ignored.txt", "utf8"), "here");
`;
  const steps = [
    { do: "write", path: "ignored.txt", text: "here" },
    { do: "write", path: "test/F001.test.js", text: needs },
    { do: "reply", reply: { status: "done", summary: "green here" } },
  ];
  project = new Project(
    sampleFiles([{ ...builder("F001", 1, steps), attempt: undefined }, evaluator], [feature("F001")]),
  );
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).not.toBe(0);
  expect(stderr).toMatch(/test \(everything as it would be committed\): red/);
  expect(project.git("log", "--format=%s", "--grep=^feat")).toBe("");
});
