// loop init: detects, asks at most three questions, overwrites nothing, and writes a contract that runs.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const npm: Files = { "package.json": '{ "name": "x", "scripts": { "test": "node --test" } }\n' };
const contract = "docs/LOOP.md";

test("--yes writes what it detected and the defaults, and a run can read both", { timeout: 60_000 }, async () => {
  project = new Project(npm);
  const { code, stdout, stderr } = await project.loop("init", "--yes");
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('Wrote loop.yaml\nWrote docs/LOOP.md\nNext: loop "what should be done"\n');
  expect(project.read("loop.yaml")).toContain('{ name: test, run: "npm test", must: stay-green }');
  const planned = await project.loop(
    "run",
    "Add src/hello.js that prints hello, with a test in test/hello.test.js",
    "--agent",
    "rehearsal",
    "--dry-run",
    "--json",
  );
  expect(planned.code, planned.stderr).toBe(0);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    request: "Add src/hello.js that prints hello, with a test in test/hello.test.js",
    autonomy: "L2",
    from: { autonomy: contract, checks: "loop.yaml" },
  });
});

test("flags answer the questions, and a run without a request takes the goal", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], []));
  fs.rmSync(join(project.root, "loop.yaml"));
  fs.rmSync(join(project.root, "docs/FEATURES.json"));
  project.git("commit", "--quiet", "--all", "--message", "without a contract");
  const flags = [
    "--goal",
    "f001() returns F001",
    "--check",
    "sh run-tests.sh",
    "--autonomy",
    "l3",
    "--agent",
    "rehearsal",
  ];
  const { code, stdout, stderr } = await project.loop("init", ...flags, "--json");
  expect(code, stderr).toBe(0);
  const files = ["loop.yaml", contract];
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    exitCode: 0,
    wrote: files,
    left: [],
    kept: [],
    next: "loop run --dry-run",
  });
  project.write({
    "loop.yaml": project
      .read("loop.yaml")
      .replace("maker: rehearsal", "maker: { kind: rehearsal, script: rehearsal.json }"),
  });
  const run = await project.loop("run");
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain("autonomy  L3: asks at no gate (docs/LOOP.md)");
  expect(project.git("log", "--format=%s")).toContain("feat(F001): f001() returns F001");
});

test.each([
  {
    title: "no terminal and no answers",
    args: [],
    code: 64,
    says: /--goal, --check, --autonomy, or take the defaults/,
  },
  {
    title: "no terminal and some answers",
    args: ["--goal", "x"],
    code: 64,
    says: /2 questions[\s\S]*--check, --autonomy/,
  },
  { title: "a level that is none", args: ["--yes", "--autonomy", "L4"], code: 64, says: /--autonomy L4/ },
  { title: "an agent that is none", args: ["--yes", "--agent", "cursor"], code: 64, says: /--agent cursor/ },
  {
    title: "broken features",
    args: ["--yes"],
    files: { "docs/FEATURES.json": "{" },
    code: 1,
    says: /FEATURES\.json has/,
  },
  {
    title: "a broken loop.yaml that stays",
    args: ["--yes"],
    files: { "loop.yaml": "a: [" },
    code: 1,
    says: /loop\.yaml has/,
  },
  { title: "a file where the folder should be", args: ["--yes"], files: { docs: "mine\n" }, code: 1, says: /docs/ },
])("$title: exit code $code, and existing files are unchanged", { timeout: 60_000 }, async (row) => {
  project = new Project({ ...npm, ...row.files });
  const { code, stderr } = await project.loop("init", ...row.args);
  expect(stderr).toMatch(row.says);
  expect(code).toBe(row.code);
  expect(stderr).toMatch(/Next: \S/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("existing files stay, and only missing ones are asked about and written", { timeout: 60_000 }, async () => {
  const mine = "# Ours\n\n## Goal\nMore tea.\n";
  project = new Project({ ...npm, [contract]: mine });
  const { code, stdout } = await project.loop("init", "--check", "make tea");
  expect(code).toBe(0);
  expect(stdout).toContain("Left docs/LOOP.md as it is");
  expect(stdout).toContain("Next: loop run --dry-run");
  expect(project.read(contract)).toBe(mine);
  const again = await project.loop("init");
  expect(again.code).toBe(0);
  expect(again.stdout).not.toContain("Wrote");
});

test("--force keeps a backup of each replaced file under a new name, even of a broken file or a symlink", {
  timeout: 60_000,
}, async () => {
  project = new Project({ ...npm, "loop.yaml": "a: [", "docs/LOOP.md": "mine\n" });
  expect((await project.loop("init", "--yes", "--force")).code).toBe(0);
  expect(project.read("loop.yaml.bak")).toBe("a: [");
  expect(project.read("docs/LOOP.md.bak")).toBe("mine\n");
  fs.rmSync(join(project.root, "loop.yaml"));
  fs.symlinkSync("/nowhere/at/all", join(project.root, "loop.yaml"));
  const { stdout } = await project.loop("init", "--yes", "--force");
  expect(stdout).toContain("Kept what was there: loop.yaml.bak-2, docs/LOOP.md.bak-2 (no run reads it)");
  expect(fs.readlinkSync(join(project.root, "loop.yaml.bak-2"))).toBe("/nowhere/at/all");
  expect(fs.lstatSync(join(project.root, "loop.yaml")).isFile()).toBe(true);
});

test("writes nothing while a run is active", { timeout: 60_000 }, async () => {
  const slow = [
    { do: "write", path: "src/half.js", text: "" },
    { do: "sleep", ms: 60_000 },
  ];
  project = new Project(sampleFiles([builder("F001", 1, slow), evaluator], [feature("F001")]));
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  const { code, stderr } = await of.loop("init", "--yes", "--force");
  expect(code).toBe(1);
  expect(stderr).toContain("A run is under way");
  expect(of.exists("loop.yaml.bak")).toBe(false);
  child.kill("SIGINT");
  await end;
});

describe.skipIf(!hasScript())("in a terminal (skipped without script of util-linux)", () => {
  test("three questions are asked, with the detected values as defaults", { timeout: 60_000 }, async () => {
    project = new Project(npm);
    const { code, seen } = await typed(
      project,
      ["init"],
      [
        ["What should be true at the end?", "Tea is served.\r"],
        ["Which command proves it? [npm test]", "\r"],
        ["How autonomous?", "L8\r"],
        ["L8 is not L1, L2 or L3.", "l1\r"],
      ],
    );
    expect(code, seen).toBe(0);
    expect(project.read(contract)).toContain("Tea is served.");
    expect(project.read(contract)).toContain("L1 (report-only)");
    expect(project.read("loop.yaml")).toContain('"npm test"');
  });

  test.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s writes nothing", { timeout: 60_000 }, async (_, key) => {
    project = new Project(npm);
    const { code, seen } = await typed(project, ["init"], [["What should be true at the end?", key]]);
    expect(code).toBe(130);
    expect(seen).toContain("Nothing was written.");
    expect(project.git("status", "--porcelain")).toBe("");
  });
});
