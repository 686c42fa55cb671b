// A request given while features are open: only the request is built, and the features are left for another run.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const statuses = (of: Project): string[] =>
  (JSON.parse(of.read("docs/FEATURES.json")).features as { id: string; status: string }[]).map(
    ({ id, status }) => `${id} ${status}`,
  );

test("only the request is built; open and blocked features stay as they are until a run without a request", {
  timeout: 180_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), builder("F003", 1, right("F003")), evaluator];
  const open = [feature("F001"), feature("F002", { status: "blocked" })];
  project = new Project(sampleFiles(scenes, open));
  const of = project;
  const asked = await of.loop("run", "Add a function f003() to src/F003.js that returns 'F003'.", "--yes");
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stderr).toContain("2 open features stay as they are in docs/FEATURES.json (F001, F002)");
  expect([of.exists("src/F003.js"), of.exists("src/F001.js")]).toEqual([true, false]);
  expect(statuses(of)).toEqual(["F001 not-started", "F002 blocked", "F003 complete"]);
  const rest = await of.loop("run");
  expect(rest.code, rest.stderr).toBe(7);
  expect(statuses(of)).toEqual(["F001 complete", "F002 blocked", "F003 complete"]);
});

test.skipIf(!hasScript())(
  "in a terminal the person decides whether the open features follow",
  {
    timeout: 180_000,
  },
  async () => {
    const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
    project = new Project(sampleFiles(scenes, [feature("F001")]));
    const of = project;
    const request = ["run", "Add a function f002() to src/F002.js that returns 'F002'."];
    const open = ["What must not change", "\r"] as const;
    const start = "Start? [y]es";
    const cancelled = await typed(of, request, [open, [start, "y\r"], ["[n]othing", "n\r"]]);
    expect([cancelled.code, of.runs()]).toEqual([0, []]);
    const both = await typed(of, request, [open, [start, "a\r"], ["[n]othing", "t\r"], [start, "a\r"]]);
    expect(both.code, both.seen).toBe(0);
    expect([statuses(of), of.runs().length]).toEqual([["F001 complete", "F002 complete"], 2]);
    expect(of.git("log", "--format=%s")).toMatch(/F001[\s\S]*F002/);
  },
);
