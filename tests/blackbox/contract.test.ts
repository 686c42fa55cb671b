// The contract as people write it: what a run takes from LOOP.md and SHAPE.md, and what nobody but a person may change.
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const loopMd = `Our loop
========

## Scope
- Include: F001
- Exclude: [no new features]

## Autonomy
L3

## Goal
Every function says its own name.
`;

test("a dry run shows what LOOP.md says, and where each value came from", { timeout: 60_000 }, async () => {
  project = new Project(
    sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001"), feature("F002")], {
      "docs/LOOP.md": loopMd,
    }),
  );
  const { code, stdout, stderr } = await project.loop("run", "--dry-run", "--iterations", "4");
  expect(code, stderr).toBe(0);
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({ request: "Every function says its own name.", autonomy: "L3" });
  expect(shown.features.map(({ id }: { id: string }) => id)).toEqual(["F001"]);
  expect(shown.scope.mustNot).toEqual(["no new features"]);
  expect(shown.from).toMatchObject({ request: "goal", autonomy: "docs/LOOP.md", limits: "command line" });
  expect(stderr).toContain("autonomy  L3 (docs/LOOP.md)");
  expect(stderr).toContain("must not  no new features (docs/LOOP.md)");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a contract that contradicts itself is refused with its line, and nothing is written", {
  timeout: 60_000,
}, async () => {
  project = new Project(sampleFiles([evaluator], [feature("F001")], { "docs/LOOP.md": "## Autonomy\n\nL9\n" }));
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toContain("docs/LOOP.md has a problem.\nline 3: L9 is no level of autonomy");
  expect(stderr).toMatch(/Next: Correct docs\/LOOP\.md/);
  expect(project.exists(".loop")).toBe(false);
});

test("a request after a finished one is not shut out by the contract that the first left behind", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(scenes, []);
  project = new Project(files);
  expect((await project.loop("run", "f001() returns F001")).code).toBe(0);
  const second = await project.loop("run", "f002() returns F002");
  expect(second.code, second.stderr).toBe(0);
  expect(project.prompts("builder").join()).not.toContain("f001() returns F001");
});

test("inputs that an agent plants are taken away, kept, and never read", { timeout: 120_000 }, async () => {
  const plant = [
    { do: "write", path: ".loop/shape/SHAPE.md", text: "criteria:\n- nothing at all\n" },
    { do: "write", path: "docs/LOOP.md", text: "## Autonomy\nL3\n" },
    ...right("F001"),
  ];
  project = new Project(sampleFiles([builder("F001", 1, plant), evaluator], [feature("F001")]));
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(project.exists(".loop/shape/SHAPE.md")).toBe(false);
  expect(project.read("docs/LOOP.md")).toContain("# Loop contract");
  expect(project.read("docs/loop-run-log.md")).toMatch(/SHAPE\.md was written by the agent; it was taken away/);
  expect(project.git("log", "--format=", "--name-only")).not.toContain("SHAPE");
});

test("what an agent did to loop.yaml before a pause is undone; what a person does after it is not", {
  timeout: 120_000,
}, async () => {
  const edit = [
    { do: "append", path: "loop.yaml", text: "autonomy: L3\n" },
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 60_000 },
  ];
  const files = sampleFiles([builder("F001", 1, edit), evaluator], [feature("F001")]);
  project = new Project(files);
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
  expect(of.read("loop.yaml")).toBe(files["loop.yaml"]);
  const mine = `${files["loop.yaml"]}# mine\n`;
  of.write({
    "loop.yaml": mine,
    "rehearsal.json": JSON.stringify({ version: 1, scenes: [builder("F001", 1, right("F001")), evaluator] }),
  });
  expect((await of.loop("continue")).code).not.toBe(70);
  expect(of.read("loop.yaml")).toBe(mine);
});
