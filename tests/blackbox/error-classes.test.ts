// Each class of error, from an agent that really makes it to the record that people read; and what is done about them.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles, tamper } from "../support/sample.ts";

let project: Project;
afterEach(() => project.remove());

const writes = (text: string) => [
  ...right("F001").slice(0, -1),
  { do: "write", path: "src/F001.js", text },
  ...right("F001").slice(-1),
];

test.each([
  ["syntax", writes("export const f001 = ( => 1;\n")],
  ["environment", writes('import "left-pad";\nexport const f001 = () => "F001";\n')],
  ["resource", writes("export const f001 = () => {\n  for (;;);\n};\n")],
  ["logic", writes('export const f001 = () => "F002";\n')],
  ["transient", [{ do: "crash" }]],
  ["unrecoverable", tamper("F001")],
  ["unproved", [...right("F001").slice(0, 1), ...right("F001").slice(2)]],
])("the class %s is in the run log, and loop show has it", { timeout: 120_000 }, async (name, steps) => {
  const files = sampleFiles([builder("F001", 1, steps)], [feature("F001")]);
  project = new Project({ ...files, "loop.yaml": (files["loop.yaml"] ?? "").replace("timeout_s: 60", "timeout_s: 5") });
  expect((await project.loop("run", "--iterations", "1")).code).toBe(3);
  expect(project.read("docs/loop-run-log.md")).toContain(`- **Error class**: ${name}\n`);
  expect((await project.loop("show")).stdout).toContain(`- **Error class**: ${name}\n`);
});

test("an agent that dies each time pauses the run at the third, and not because nothing changed", {
  timeout: 120_000,
}, async () => {
  const scenes = [{ role: "builder", steps: [{ do: "exit", code: 9 }] }];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  const { code, stdout } = await project.loop("run");
  expect([code, stdout]).toEqual([4, expect.stringMatching(/3 (?:times|sessions) in a row/)]);
});

test("an agent that changes nothing is still stopped at the second time", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([{ role: "builder", steps: lie }], [feature("F001")]));
  const { code, stdout } = await project.loop("run");
  expect([code, stdout]).toEqual([4, expect.stringContaining("Nothing changed in 2 iterations in a row.")]);
});

test("a builder that is blocked is not called again: its feature waits in the inbox with its reason", {
  timeout: 120_000,
}, async () => {
  const reply = { status: "blocked", summary: "The key of the weather service is missing." };
  const features = ["F001", "F002", "F003"].map((id) => feature(id));
  project = new Project(sampleFiles([{ role: "builder", steps: [{ do: "reply", reply }] }], features));
  const { code, stdout } = await project.loop("run");
  expect([code, stdout]).toEqual([7, expect.stringContaining("Left for you in the inbox: F001, F002, F003")]);
  expect(project.prompts("builder")).toHaveLength(3);
  expect(project.read("docs/LOOP.md")).toContain(
    "- F001: Its builder is blocked. The key of the weather service is missing. Root cause: the agent says it is blocked. Next: Remove what is in its way",
  );
});

test("a passing verdict that leaves a criterion out is asked for again, and the work is not built again", {
  timeout: 120_000,
}, async () => {
  const two = feature("F001", { acceptance_criteria: ["f001() returns 'F001'", "src/F001.js exports f001"] });
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [two]));
  const { code, stdout } = await project.loop("run");
  expect([code, stdout]).toEqual([4, expect.stringContaining("The verdict says nothing of: src/F001.js exports f001")]);
  const sessions = project.read("docs/loop-run-log.md").match(/(?<=\*\*Cost\*\*: ).*/)?.[0] ?? "";
  expect(sessions.match(/builder|evaluator/g)).toEqual(["builder", "evaluator", "evaluator", "evaluator"]);
});
