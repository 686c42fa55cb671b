// An evaluator's evidence is looked up; its must-nots are asked for; a verdict that does not hold does not count.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, feature, right, sampleFiles, usage } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const yaml = (more = "") =>
  `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, run: sh run-tests.sh }]\nlimits: { rework: 0 }\n${more}`;
const judge = (...criteria: object[]) => ({
  role: "evaluator",
  steps: [{ do: "reply", reply: { verdict: "pass", summary: "seen", criteria } }],
  usage,
});
const seen = (criterion: string, ...evidence: object[]) => ({
  criterion,
  met: true,
  verification: "execution output",
  evidence,
});
const play = async (evaluator: object, more = "") => {
  project = new Project(
    sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")], { "loop.yaml": yaml(more) }),
  );
  return project.loop("run");
};

test.each([
  { what: "a check that the loop saw green", evidence: [{ command: "sh run-tests.sh" }], says: "SHIP" },
  { what: "a line of the change", evidence: [{ file: "src/F001.js", line: 1 }], says: "SHIP" },
  { what: "a command that is no check", evidence: [{ command: "node -e 1" }], says: "MONITOR" },
  { what: "nothing", evidence: [], says: "MONITOR" },
])("a pass on $what is worth $says", { timeout: 120_000 }, async ({ evidence, says }) => {
  const { code, stdout, stderr } = await play(judge(seen("C1", ...evidence)));
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(says);
});

test("a pass on a file that does not exist is void: nothing is committed, and the work is not blamed", {
  timeout: 120_000,
}, async () => {
  const { code, stdout, stderr } = await play(judge(seen("C1", { file: "src/nothing.js", line: 1 })));
  expect(stdout + stderr).toContain("src/nothing.js:1 (there is no such file)");
  expect(code).toBe(4);
  expect(project?.git("log", "--format=%s")).toBe("start");
  expect(stdout + stderr).not.toContain("put into the inbox");
});

test("a must-not that no rule can see is a criterion, and a verdict that says nothing of it is void", {
  timeout: 120_000,
}, async () => {
  const mustNot = 'scope: { must_not: ["break the public API"] }\n';
  const silent = await play(judge(seen("C1", { command: "test" })), mustNot);
  expect(silent.stdout + silent.stderr).toContain("The verdict says nothing of: break the public API");
  project?.remove();
  const spoken = await play(
    judge(seen("C1", { command: "test" }), seen("C2", { file: "src/F001.js", line: 1 })),
    mustNot,
  );
  expect(spoken.code, spoken.stderr).toBe(0);
});

test("a must-not that became true, by the verdict, stops the run at once", { timeout: 120_000 }, async () => {
  const broken = { criterion: "C2", met: false, verification: "observation", evidence: [] };
  const { code, stdout, stderr } = await play(
    judge(seen("C1", { command: "test" }), broken),
    'scope: { must_not: ["break the public API"] }\n',
  );
  expect(code, stderr).toBe(4);
  expect(stdout + stderr).toContain("A must-not became true: break the public API");
});

test("a report file is counted, and one that the run did not write is not", { timeout: 120_000 }, async () => {
  const script =
    'mkdir -p out; { echo "<testsuite>"; for f in cases/*; do echo "<testcase name=\\"$f\\"/>"; done; echo "</testsuite>"; } > out/report.xml\n';
  project = new Project(
    sampleFiles(
      [
        builder("F001", 1, [{ do: "delete", path: "cases/b" }, ...right("F001")]),
        judge(seen("C1", { command: "test" })),
      ],
      [feature("F001")],
      {
        "loop.yaml": yaml().replace(
          "{ name: test, run: sh run-tests.sh }",
          "{ name: test, run: sh report.sh, report: out/report.xml }",
        ),
        "report.sh": script,
        "cases/a": "",
        "cases/b": "",
      },
    ),
  );
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(7);
  expect(stderr).toContain("ran fewer tests than before: 2 tests → 1 test");
});

test("loop status --seal says what is sealed and why, before any run", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([judge()], [feature("F001")], { "loop.yaml": yaml() }));
  const { code, stdout } = await project.loop("status", "--seal", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).sealed).toEqual([
    { path: "package.json", why: "in part: scripts and test settings" },
    { path: "run-tests.sh", why: "named by the command of test" },
    { path: "test/old.test.js", why: "tests, fixtures and snapshots" },
  ]);
  expect((await project.loop("status", "--seal")).stdout).toContain("3 files are sealed.");
});
