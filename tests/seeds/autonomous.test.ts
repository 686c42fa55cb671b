// Autonomous-loop: its quick start runs in our language, with its options and the fields of its result.
import { afterEach, expect, test } from "vitest";
import { AutonomousLoop, type LoopConfig } from "../../src/index.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { example } from "./example.ts";

let project: Project;
const before = process.env["XDG_STATE_HOME"];
afterEach(() => {
  process.env["XDG_STATE_HOME"] = before;
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  project.remove();
});

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const named = (pattern: RegExp): string[] =>
  Array.from(example("autonomous-loop.py").matchAll(pattern), ([, name = ""]) => camel(name));

test("the options and the fields of its result are ours, in its order", async () => {
  project = new Project(sampleFiles([], [feature("F001", { status: "complete" })]));
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const config: LoopConfig = { maxSessions: 10, tokenBudget: 500_000, autoCheckpoint: true };
  expect(Object.keys(config)).toEqual(named(/^(\w+)=/gm));
  const loop = new AutonomousLoop(project.root, { trust: true });
  const result = await loop.run(config);
  const fields = named(/^(\w+): /gm);
  expect(fields).toHaveLength(8);
  expect(Object.keys(result).filter((key) => fields.includes(key))).toEqual(fields);
  const printed = named(/result\.(\w+)/g);
  expect(Object.entries(result).filter(([key]) => printed.includes(key))).toEqual([
    ["featuresCompleted", 1],
    ["sessionsUsed", 0],
  ]);
});

test("a crash that the next attempt makes up for is one recovered error", async () => {
  const crashed = builder("F001", 1, [{ do: "crash" }]);
  project = new Project(sampleFiles([crashed, builder("F001", 2, right("F001")), evaluator], [feature("F001")]));
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const result = await new AutonomousLoop(project.root, { trust: true }).run();
  expect(result).toMatchObject({ featuresCompleted: 1, errorsRecovered: 1 });
});
