// loop alone: where things stand and what waits for a person, and nothing is started.
import { afterEach, describe, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const one = [feature("F001")];
const slow = [{ do: "write", path: "src/half.js", text: "// half\n" }, { do: "sleep", ms: 60_000 }, ...right("F001")];

describe("loop alone", () => {
  test("starts nothing, and says how to start the queue", { timeout: 60_000 }, async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], one));
    const { code, stdout } = await project.loop();
    expect(code).toBe(0);
    expect(stdout).toContain("No run was ever begun here.");
    expect(stdout).toContain("loop run   (1 open feature in docs/FEATURES.json)");
    expect(project.runs()).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  test("says what is wrong with a queue that cannot be read, and nothing else fails", { timeout: 60_000 }, async () => {
    project = new Project({ "docs/FEATURES.json": "{" });
    const { code, stdout } = await project.loop();
    expect([code, stdout]).toEqual([0, expect.stringContaining("docs/FEATURES.json cannot be read:")]);
  });

  test("calls a run whose process was killed interrupted, and names the work that it left", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([builder("F001", 1, slow), evaluator], one));
    const of = project;
    const child = of.start(["run"]);
    const end = ended(child);
    await until("the session at work", () => of.exists("src/half.js"));
    const working = (await of.loop()).stdout;
    expect(working).toMatch(/running: builder at work on F001, attempt 1/);
    expect(working).toContain("Next: loop watch, loop pause or loop cancel");
    child.kill("SIGKILL");
    await end;
    const { stdout } = await of.loop();
    expect(stdout).toContain("interrupted: The process that drove the run is gone. Its work is kept.");
    expect(stdout).toContain("Unproved work on F001 may be in the folder.");
    expect(stdout).toContain("Next: loop continue");
    const status = (await of.loop("status")).stdout;
    expect(status).toMatch(/^now +interrupted, F001 attempt 1/m);
    expect(JSON.parse((await of.loop("--json")).stdout)).toMatchObject({
      run: { state: "interrupted" },
      next: "loop continue",
    });
    expect((await of.loop("list")).stdout).toContain("interrupted");
  });

  test("shows the gate that waits, with its command", { timeout: 60_000 }, async () => {
    project = new Project(sampleFiles([evaluator], []));
    expect((await project.loop("run", "Add a function f002() to src/F002.js with tests")).code).toBe(6);
    const { stdout } = await project.loop();
    expect(stdout).toMatch(/Waits for you\n +G1 .*\n +loop approve/);
  });
});

test("control characters in names reach no terminal", { timeout: 60_000 }, async () => {
  const evil = "Add \u001b]0;owned\u0007\u001b[2Jf001()";
  project = new Project(sampleFiles([evaluator], [feature("F001", { name: evil, description: evil })]));
  expect((await project.loop("run", "--autonomy", "L1")).code).toBe(6);
  for (const args of [[], ["status"], ["show"], ["report"], ["inbox"], ["list"], ["export", "--format", "markdown"]]) {
    const { stdout, stderr } = await project.loop(...args);
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0007\u001b]/);
  }
});
