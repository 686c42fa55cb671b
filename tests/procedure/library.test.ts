// Gates from code: the library calls onGate, takes its answers, and drives the whole task to its end.
import { afterEach, expect, test, vi } from "vitest";
import { AutonomousLoop, type OpenGate } from "../../src/index.ts";
import type { Project } from "../support/project.ts";
import { sentence, sentenceProject } from "./sentence.ts";

vi.setConfig({ testTimeout: 240_000 });

let project: Project;
const before = process.env["XDG_STATE_HOME"];
afterEach(() => {
  process.env["XDG_STATE_HOME"] = before;
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  project.remove();
});

test("onGate gets each gate, and its answers lead to the same end as a person's", async () => {
  project = sentenceProject({ loopYaml: "autonomy: L1\n" });
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const seen: OpenGate[] = [];
  const result = await new AutonomousLoop(project.root).run({
    request: sentence,
    onGate: (gate) => {
      seen.push(gate);
      return { approve: true };
    },
  });
  expect(result).toMatchObject({ success: true, featuresCompleted: 4, exitCode: 0 });
  expect(seen.map(({ name }) => name)).toEqual(["G1", "G2", "G2", "G2", "G2", "G3"]);
  expect(new Set(seen.map(({ runId }) => runId)).size).toBe(2);
});

test("without onGate the run pauses at the gate, and can be continued later", async () => {
  project = sentenceProject({ loopYaml: "gates: [G1]\n" });
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const loop = new AutonomousLoop(project.root);
  expect(await loop.run({ request: sentence })).toMatchObject({ success: false, exitCode: 6 });
  const later = await loop.continue({ onGate: ({ name }) => (name === "G1" ? { approve: true } : null) });
  expect(later).toMatchObject({ success: true, featuresCompleted: 4 });
});
