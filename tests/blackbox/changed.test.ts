// What changed while a run was paused: what applies now, what cannot apply, and what is invalid.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, lastLine, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
const yaml = (more = "", script = "rehearsal.json", check = "sh run-tests.sh") =>
  `version: 1\nagents: { maker: { kind: rehearsal, script: ${script} } }\nchecks: [{ name: test, run: ${check}, timeout_s: 60 }]\n${more}`;
const two = (first: readonly object[] = scenes): Project =>
  new Project(
    sampleFiles(first, [feature("F001"), feature("F002")], { "loop.yaml": yaml("limits: { iterations: 1 }\n") }),
  );

test("reports nothing when nothing changed, though the loop itself drafted a contract meanwhile", {
  timeout: 120_000,
}, async () => {
  project = two();
  expect((await project.loop("run", "--autonomy", "L3")).code).toBe(3);
  const { code, stdout, stderr } = await project.loop("continue", "--json");
  expect(code).toBe(3);
  expect(lastLine(stdout)["changes"]).toEqual([]);
  expect(stderr).not.toContain("changed");
});

test("a changed limit in loop.yaml applies now, changed checks and autonomy do not, and all are reported", {
  timeout: 120_000,
}, async () => {
  project = two();
  expect((await project.loop("run")).code).toBe(3);
  project.write({ "loop.yaml": yaml("limits: { iterations: 5 }\nautonomy: L3\n", "rehearsal.json", "sh other.sh") });
  const { code, stderr } = await project.loop("continue");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("limits.iterations: 1 → 5; applies now.");
  expect(stderr).toMatch(
    /checks: test: sh run-tests\.sh .* → test: sh other\.sh .*; does not apply to this run\..*loop cancel/,
  );
  expect(stderr).toContain("autonomy: L2 → L3; does not apply to this run.");
  expect(project.events().find(({ type }) => type === "continued")).toMatchObject({ limits: { iterationsMax: 5 } });
});

test("a flag wins over a limit that changed in loop.yaml", { timeout: 120_000 }, async () => {
  project = two();
  expect((await project.loop("run")).code).toBe(3);
  project.write({ "loop.yaml": yaml("limits: { iterations: 1, minutes: 20 }\n") });
  const { code, stdout } = await project.loop("continue", "--iterations", "7", "--json");
  expect(code).toBe(0);
  const answer = lastLine(stdout);
  expect(answer.changes.map(({ what }: { what: string }) => what)).toEqual(["limits.minutes"]);
  expect(answer.limits).toMatchObject({ iterationsMax: 7, activeMsMax: 20 * 60_000 });
});

test("a run whose agent has no credit left resumes with another, and keeps its original plan", {
  timeout: 120_000,
}, async () => {
  const broke = [{ role: "builder", steps: [{ do: "fail", class: "billing", text: "Credit balance is too low" }] }];
  project = two(broke);
  const of = project;
  of.write({ "loop.yaml": yaml(), "other.json": JSON.stringify({ version: 1, scenes }) });
  of.git("add", "--all");
  of.git("commit", "--quiet", "--message", "both scripts");
  const stopped = await of.loop("run");
  expect(stopped.code, stopped.stdout).toBe(6);
  const plan = fs.readFileSync(join(of.runs()[0] ?? "", "plan.json"), "utf8");
  of.write({ "loop.yaml": yaml("", "other.json") });
  const { code, stderr } = await of.loop("continue");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("agents.maker: rehearsal (rehearsal.json) → rehearsal (other.json); applies now.");
  expect(of.events().filter(({ about }) => about === "agents")).toHaveLength(1);
  expect(fs.readFileSync(join(of.runs()[0] ?? "", "plan.json"), "utf8")).toBe(plan);
});

test("an interrupted session is finished by the agent that began it, and the new agent takes the next one", {
  timeout: 120_000,
}, async () => {
  const slow = [...right("F001").slice(0, 2), { do: "sleep", ms: 3000 }, ...right("F001").slice(2)];
  project = two([builder("F001", 1, slow)]);
  const of = project;
  of.write({ "loop.yaml": yaml(), "other.json": JSON.stringify({ version: 1, scenes: scenes.slice(1) }) });
  of.git("add", "--all");
  of.git("commit", "--quiet", "--message", "both scripts");
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("test/F001.test.js"));
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
  of.write({ "loop.yaml": yaml("", "other.json") });
  const { code, stderr } = await of.loop("continue");
  expect(code, stderr).toBe(0);
  expect(of.events().filter(({ type }) => type === "committed")).toHaveLength(2);
});

test("continue refuses a loop.yaml that is broken, above a ceiling or names a missing script, and the run stays as it was", {
  timeout: 120_000,
}, async () => {
  const of = two();
  project = of;
  expect((await of.loop("run")).code).toBe(3);
  const before = of.events().length;
  for (const { text, says } of [
    { text: "limits: { iterations: 5\n", says: /loop\.yaml has/ },
    { text: yaml("limits: { iterations: 5000 }\n"), says: /the most is 50/ },
    { text: yaml("", "nowhere.json"), says: /nowhere\.json/ },
  ]) {
    of.write({ "loop.yaml": text });
    const { code, stderr } = await of.loop("continue");
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/Next: \S/);
    expect(of.events()).toHaveLength(before);
    expect(of.read("loop.yaml")).toBe(text);
  }
  of.write({ "loop.yaml": yaml("limits: { iterations: 5 }\n") });
  expect((await of.loop("continue")).code).toBe(0);
});

/** The agent writes the file, and the run is killed while it works. */
async function killedAfter(of: Project): Promise<void> {
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  child.kill("SIGKILL");
  await end;
  await until("the agent ended", () => of.strays().length === 0, 10_000);
}
const writing = (path: string, text: string) =>
  builder("F001", 1, [
    { do: "write", path, text },
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 3000 },
    ...right("F001"),
  ]);

test("after kill -9, the run does not resume with a loop.yaml that the agent wrote", {
  timeout: 120_000,
}, async () => {
  const evil = yaml("limits: { cost_usd: 99, iterations: 50 }\n", "evil.json");
  const of = two([writing("loop.yaml", evil), ...scenes.slice(1)]);
  project = of;
  await killedAfter(of);
  expect(of.read("loop.yaml")).toContain("evil.json");
  const { code, stdout } = await of.loop("continue", "--json");
  expect(code).toBe(3);
  const answer = lastLine(stdout);
  // It does not count, and that is said: it could have been the person's.
  expect(answer.changes).toMatchObject([{ what: "loop.yaml", applies: "next run" }]);
  expect(answer.limits).toMatchObject({ iterationsMax: 1, costUsdMax: 25 });
  expect(of.read("loop.yaml")).not.toContain("evil.json");
});

test("after kill -9, an autoloop.yaml that the agent wrote does not count either, and is named", {
  timeout: 120_000,
}, async () => {
  const evil = "provider: { name: claude }\nruntime: { max_iterations: 9 }\n";
  const files = sampleFiles([writing("autoloop.yaml", evil), ...scenes.slice(1)], [feature("F001"), feature("F002")]);
  const { "loop.yaml": _, ...without } = files;
  const of = new Project(without);
  project = of;
  fs.writeFileSync(
    join(of.home, ".config/loopwright/loop.yaml"),
    `${yaml("limits: { iterations: 1 }\n")}place: here\n`,
  );
  await killedAfter(of);
  const { code, stdout } = await of.loop("continue", "--json");
  expect(code).toBe(3);
  const answer = lastLine(stdout);
  expect(answer.changes).toMatchObject([{ what: "autoloop.yaml", applies: "next run" }]);
  expect(answer.limits).toMatchObject({ iterationsMax: 1, roundsMax: 3 });
  expect(of.exists("autoloop.yaml")).toBe(false);
});
