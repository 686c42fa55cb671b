// The commands of autoloop and the hope loop, as the documents write them, typed to the built command line and the hook.
import { afterEach, describe, expect, test, vi } from "vitest";
import { done, Held } from "../hook/held.ts";
import { lastLine, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles, usage } from "../support/sample.ts";
import { example } from "./example.ts";

vi.setConfig({ testTimeout: 240_000 });

let project: Project;
afterEach(() => project.remove());

const clear = "Add f001() to src/F001.js, which returns its own name, with a test in test/F001.test.js";
const lines = (name: string): string[] => example(name).trim().split("\n");
const replies = (role: string, reply: object) => ({ role, steps: [{ do: "reply", reply }], usage });
const agreed = { verdict: "pass", summary: "Nothing against it.", findings: [] };

/** Every stage of autoloop, for one feature. */
function allStages(): Project {
  const planned = { ...feature("F1"), name: "Add f001()", acceptance_criteria: ["f001() returns 'F001'"] };
  const more = `import assert from "node:assert/strict";
import { f001 } from "../src/F001.js";
assert.equal(f001().length, 4);
`;
  const tester = [
    { do: "write", path: "test/F001-more.test.js", text: more },
    { do: "reply", reply: { status: "done", summary: "Length tested." } },
  ];
  const scenes = [
    replies("planner", { status: "done", summary: "One feature.", features: [planned] }),
    replies("plan-verifier", agreed),
    builder("F001", 1, right("F001")),
    evaluator,
    { role: "tester", steps: tester, usage },
    { ...evaluator, role: "test-verifier" },
    replies("auditor", { status: "passed", summary: "All there.", gaps: [] }),
    replies("audit-verifier", agreed),
  ];
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(scenes, []);
  return new Project(files);
}

describe("autoloop", () => {
  const typed = (line: string, root: string): string[] =>
    Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => (quoted === undefined ? bare : clear) ?? "")
      .slice(1)
      .map((word) => word.replace("/path/to/workspace", root).replace("<task-id>", "one"));

  test("its commands begin a task, list it and resume it, and its files are where it puts them", async () => {
    project = allStages();
    const [help = [], first = [], list = [], resume = []] = lines("autoloop-commands.txt").map((line) =>
      typed(line, project.root),
    );
    expect(await project.loop(...help)).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage: loop") });
    const pairs = ["--pairs", "plan,implement,test,audit"];
    const begun = await project.loop(...first, "--task-id", "one", ...pairs, "--yes", "--sessions", "1");
    expect(begun.code, begun.stderr).toBe(2);
    expect(await project.loop(...list)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^one {2}/) });
    const ended = await project.loop(...resume, "--sessions", "20", "--json");
    expect(ended.code, ended.stderr).toBe(0);
    const { run } = lastLine(ended.stdout);
    const paths = lines("autoloop-artifacts.txt").map((path) =>
      path
        .replace(".autoloop", ".loop")
        .replace("<task-id>", "one")
        .replace("<run-id>", run)
        .replace("<phase-key>", "F001"),
    );
    expect(paths.filter((path) => !project.exists(path))).toEqual([]);
    expect(project.read(paths[2] ?? "")).toBe(`${clear}\n`);
    expect(JSON.parse(project.read(".loop/tasks/one/task.json"))).toMatchObject({ task: "one", request: clear });
  });
});

describe("hope loop", () => {
  const commands = lines("hope-commands.txt");

  test("its request is scored in its form; what is in brackets is what was found", async () => {
    project = new Project({ "a.txt": "a\n" });
    const request = "refactor all API routes to use validation middleware";
    const { code, stdout } = await project.loop("score", "--bare", "--format", "seed", request);
    const unsaid = (text: string): string => text.replace(/\(.*\)/g, "()");
    expect([code, unsaid(stdout)]).toEqual([0, unsaid(example("scoring.txt"))]);
    expect(stdout).toContain('- Scope: 2 ("all API routes")');
  });

  test("its commands start, continue, show and cancel a run", async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
    const [start = [], goOn = [], withBudget = [], cancel = [], status = []] = commands.map((line) =>
      line.slice("/loop ".length).split(" "),
    );
    expect(start).toEqual(["[spec]"]);
    expect((await project.loop("run", "--budget=0.001")).code).toBe(2);
    expect(await project.loop(...status)).toMatchObject({ code: 0, stdout: expect.stringContaining("cost cap") });
    expect((await project.loop(...goOn)).code).toBe(2);
    expect((await project.loop(...withBudget)).code).toBe(0);
    expect(await project.loop(...cancel)).toMatchObject({ code: 0, stdout: expect.stringContaining("already over") });
  });

  test("its commands hold, show, continue and release a session, and a budget is refused with the way", async () => {
    const held = new Held();
    project = held;
    const [start = "", goOn = "", withBudget = "", cancel = "", status = ""] = commands.map((line) =>
      line.replace("/loop", "/loopwright:loop").replace("[spec]", "Make add() add. --iterations=1"),
    );
    expect((await held.type(start)).systemMessage).toMatch(/holds this session until it is met: Make add\(\) add\./);
    expect((await held.type(status)).reason).toMatch(/^request {3}Make add\(\) add\./);
    // A breaker lets it go, and continue holds it again.
    expect((await held.stop({ message: done })).systemMessage).toContain("[LOOP] ⏸ Paused: ");
    expect((await held.type(withBudget)).reason).toMatch(
      /does not see what your own session costs[\s\S]*--iterations N/,
    );
    expect((await held.hookStatus()).held).toEqual([]);
    expect((await held.type(goOn)).systemMessage).toMatch(/holds this session again/);
    expect((await held.type(cancel)).reason).toMatch(/^Released/);
    expect((await held.hookStatus()).held).toEqual([]);
  });

  test("under the harness's own contract the three gates ask in its words, and the records are the harness's", async () => {
    // What the contract leaves out in words, the evaluator judges as well.
    const shown = { met: true, verification: "execution output", evidence: [{ command: "sh run-tests.sh" }] };
    const criteria = ["C1", "C2", "C3"].map((criterion) => ({ criterion, ...shown }));
    const judge = replies("evaluator", { verdict: "pass", summary: "seen", criteria });
    const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), judge];
    project = new Project(
      sampleFiles(scenes, [feature("F001"), feature("F002"), feature("F007")], { "docs/LOOP.md": example("LOOP.md") }),
    );
    const asked = [await project.loop("run", "--format", "seed")];
    for (let time = 0; time < 2; time++) asked.push(await project.loop("approve", "--format", "seed"));
    expect(asked.map(({ code }) => code)).toEqual([6, 6, 6]);
    const [first, second, third] = asked.map(({ stdout }) => stdout);
    expect(first).toMatch(
      /^\nG1: Decomposed into 2 steps:\n1\. Add f001\(\)\n2\. Add f002\(\)\nProceed\? \[Y\/n\]\n\n\[LOOP\] ⏸ Paused: /,
    );
    expect(second).toMatch(/^\nG2: Step Add f001\(\) complete\. Continue\? \[Y\/n\]\n\n\[LOOP\] ⏸ Paused: /);
    expect(third).toMatch(
      /^\n---LOOP_STATUS---\nEXIT_SIGNAL: false\n[^-]*---END_STATUS---\n\nG3: All criteria met\. Confirm done\? \[Y\/n\]\n\n\[LOOP\] ⏸ Paused: /,
    );
    expect((await project.loop("approve")).code).toBe(0);
    expect(project.read("docs/LOOP.md")).toBe(example("LOOP.md"));
    const commits = project.git("log", "--reverse", "--format=%h %s", "--abbrev=10", "--grep=feat(").split("\n");
    const log = project.read("docs/loop-run-log.md");
    expect(log).toMatch(/^# Loop run log\n/);
    for (const commit of commits) expect(log).toContain(`- **Commit**: ${commit}\n`);
    expect(project.read("docs/PROGRESS.md")).toMatch(
      /- \*\*Outcome\*\*: SUCCESS\n- \*\*Iterations\*\*: 2 {3}\*\*Commits\*\*: 2\n- \*\*Completed this run\*\*: F001, F002\n/,
    );
  });
});
