// Tasks: each has its runs, and --task never means the run of another one.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project;
afterEach(() => project.remove());

test("--task means the latest run of that task, in every command, and list shows tasks with their runs", {
  timeout: 180_000,
}, async () => {
  project = new Project(
    sampleFiles(
      [builder("F001", 1, right("F001")), evaluator],
      [feature("F001"), feature("F002", { status: "complete" })],
    ),
  );
  // It rests at the first session, and the second run finishes.
  expect((await project.loop("--task", "one", "run", "--sessions", "1")).code).toBe(2);
  const first = await project.loop("--task", "one", "status", "--json");
  expect((await project.loop("--task", "one", "cancel")).code).toBe(0);
  project.git("reset", "--hard", "--quiet");
  project.git("clean", "-fdq");
  expect((await project.loop("--task", "two", "run")).code).toBe(0);

  const shown = JSON.parse((await project.loop("--task", "one", "status", "--json")).stdout);
  expect(shown).toMatchObject({ task: "one", run: JSON.parse(first.stdout).run, outcome: { kind: "cancelled" } });
  // The latest run is another task's, so it is not the one that is continued or cancelled.
  const again = await project.loop("--task", "one", "continue");
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is over") });

  const listed = await project.loop("list");
  expect(listed.stdout.replace(/[0-9TZ:-]{10,}\S*/g, "…")).toMatch(
    /^two {2}Complete.*\n {2}….*success.*\n\none {2}.*\n {2}….*cancelled/,
  );
  const json = JSON.parse((await project.loop("list", "--json", "--task", "two")).stdout);
  expect(json.tasks).toEqual([expect.objectContaining({ task: "two", runs: [json.runs[0].run] })]);
});

test("a task that does not exist, or cannot, is refused", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([], [feature("F001")]));
  expect(await project.loop("--task", "nowhere", "continue", "--yes")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("nowhere"),
  });
  expect(await project.loop("--task", "a b", "run")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('"a b"'),
  });
});
