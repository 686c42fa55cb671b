// Gates from code: the library calls onGate, takes its answers, and drives the whole task to its end.
import { afterEach, expect, test, vi } from "vitest";
import { AutonomousLoop, type LoopConfig, type OpenGate } from "../../src/index.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
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
  let sessions = 0;
  const config: LoopConfig = {
    request: sentence,
    maxSessions: 100,
    tokenBudget: 500_000,
    autoCheckpoint: true,
    onEvent: ({ type }) => {
      if (type === "session-ended") sessions += 1;
    },
    onGate: (gate) => {
      seen.push(gate);
      return { approve: true };
    },
  };
  const result = await new AutonomousLoop(project.root, { trust: true }).run(config);
  expect(result).toMatchObject({ success: true, featuresCompleted: 4, exitCode: 0 });
  expect(seen.map(({ name }) => name)).toEqual(["G1", "G2", "G2", "G2", "G2", "G3"]);
  expect(new Set(seen.map(({ runId }) => runId)).size).toBe(2);
  // Over the run and its follow-up.
  expect(result).toMatchObject({ sessionsUsed: sessions, totalTokens: 1100 * sessions, handoffReason: null });
});

test("without onGate the run pauses at the gate, and can be continued later", async () => {
  project = sentenceProject({ loopYaml: "gates: [G1]\n" });
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const loop = new AutonomousLoop(project.root, { trust: true });
  expect(await loop.run({ request: sentence })).toMatchObject({ success: false, exitCode: 6 });
  const later = await loop.continue({ onGate: ({ name }) => (name === "G1" ? { approve: true } : null) });
  expect(later).toMatchObject({ success: true, featuresCompleted: 4 });
});

test("a run at its cap continues with a higher one, and a complete list is a success without a run", async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
  const loop = new AutonomousLoop(project.root, { trust: true });
  const capped = await loop.run({ maxSessions: 1 });
  expect(capped).toMatchObject({ success: false, outcome: { kind: "cap", cap: "sessions" }, sessionsUsed: 1 });
  // Its first session is paid for: a new run would pay again.
  await expect(loop.run({ maxSessions: 9 })).rejects.toMatchObject({ code: "run-to-resume", exitCode: 6 });
  const done = await loop.continue({ maxSessions: 9 });
  expect(done).toMatchObject({ success: true, featuresCompleted: 1 });
  // Checks are part of how long it took.
  const { spent } = JSON.parse((await project.loop("show", "--json")).stdout);
  expect(spent.checkMs).toBeGreaterThan(0);
  expect(done.durationMinutes * 60_000).toBeCloseTo(spent.activeMs + spent.checkMs, 3);
  const took = { success: true, featuresTotal: 1, sessionsUsed: 0, runId: null };
  expect(await loop.run()).toMatchObject(took);
  const queue = JSON.parse(project.read("docs/FEATURES.json"));
  project.write({ "docs/FEATURES.json": JSON.stringify({ ...queue, features: [...queue.features, feature("F002")] }) });
  const settings = { scope: { features: { include: ["F001"] } } };
  expect(await loop.run({ settings })).toMatchObject(took);
});

test.each([
  { verb: "run", options: { maxSesions: 3 }, next: "Did you mean maxSessions?" },
  { verb: "continue", options: { tokensBudget: 3 }, next: "Did you mean tokenBudget?" },
] as const)("$verb refuses an option that does not exist, and names the nearest", async ({ verb, options, next }) => {
  project = sentenceProject();
  const loop = new AutonomousLoop(project.root, { trust: true });
  await expect(loop[verb](options as object)).rejects.toMatchObject({ code: "unknown-option", next });
});
