// What is said before the first run: nothing is a mistake yet, and every question that a run would ask is named.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { evaluator, feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

test("loop status before any run is an answer, with the next command", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([evaluator], [feature("F001")]));
  const { code, stdout } = await project.loop("status");
  expect(stdout).toBe("No run was ever begun here.\nNext: loop run\n");
  expect(code).toBe(0);
  const asJson = await project.loop("status", "--json");
  expect(JSON.parse(asJson.stdout)).toEqual({ version: 1, exitCode: 0, run: null, next: "loop run" });
});

test("loop --dry-run without a terminal names the review before building", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([evaluator], []));
  const { stdout } = await project.loop("run", "--dry-run", "Add a function discount(total, percent) to src/cart.js");
  expect(stdout).toContain("you, before building, after each iteration, before it is called done");
});
