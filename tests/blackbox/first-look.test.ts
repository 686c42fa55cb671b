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
  expect(stdout).toContain("you, before building, after each iteration and before it is called done");
});

test("loop --dry-run says what a start would refuse", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([evaluator], []));
  project.git("update-ref", "-d", "HEAD");
  const request = "Add a function discount(total, percent) to src/cart.js";
  const { code, stdout } = await project.loop("run", "--dry-run", request);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/without --dry-run nothing is: The repository has no commit/),
  ]);
  expect(stdout).toContain("\nNext: git add -A && git commit -m start");
  const { refused } = JSON.parse((await project.loop("run", "--dry-run", "--json", request)).stdout);
  expect((await project.loop("run", "--yes", request)).stderr).toContain(refused.why);
});

test("the start screen has the request to its end", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([evaluator], []));
  const first = `Add a function discount(total, percent) to src/cart.js, ${"which is careful, ".repeat(8)}and refuses a negative total`;
  const more = Array.from({ length: 9 }, (_, at) => `It has rule ${at + 1}.`);
  const { stdout } = await project.loop("run", "--dry-run", [first, ...more].join("\n"));
  expect(stdout.replace(/\s+/g, " ")).toContain(`build 1 ${first} ${more.join(" ")} agents`);
});

test("the goal of a contract is what loop run builds next, and every screen says so", { timeout: 60_000 }, async () => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([evaluator], []);
  project = new Project(files);
  const init = await project.loop("init", "--goal", "discount(total, percent) in src/cart.js is there", "--yes");
  expect(init.code, init.stderr).toBe(0);
  expect((await project.loop("status")).stdout).toContain("\nNext: loop run\n");
  expect((await project.loop()).stdout).toContain("Next: loop run   (the goal in docs/LOOP.md)\n");
  expect((await project.loop("doctor")).stdout).toContain("none yet; the goal in docs/LOOP.md is built: loop run");
});
