// How runs end, what they leave in the folder, and what the next command does about it.
import { afterEach, describe, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles, usage } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const one = [feature("F001")];
const half = { do: "write", path: "src/half.js", text: "// half\n" };
const slow = [half, { do: "sleep", ms: 60_000 }, ...right("F001")];
/** In the second run the work is there at once. */
const slowOnce = [{ ...builder("F001", 1, right("F001")), where: "ignored.txt" }, builder("F001", 1, slow), evaluator];

async function killed(of: Project): Promise<void> {
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  child.kill("SIGKILL");
  await end;
}
const dirt = (of: Project): string => of.git("status", "--porcelain", "--", "src", "test");

describe("cancel", () => {
  test("takes unproved work out of the folder and keeps it, also of a run that no process drives", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles(slowOnce, one));
    const of = project;
    await killed(of);
    expect(dirt(of)).toContain("src/half.js");
    const { code, stdout } = await of.loop("cancel");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("The unproved work on F001 was taken out of the folder, and is kept: loop recover ");
    expect(dirt(of)).toBe("");
    const id = /loop recover (\S+)/.exec(stdout)?.[1] ?? "";
    expect((await of.loop("recover", id)).code).toBe(0);
    expect(of.read("src/half.js")).toBe("// half\n");
  });

  test("takes it out while a process drives the run", { timeout: 120_000 }, async () => {
    project = new Project(sampleFiles(slowOnce, one));
    const of = project;
    const end = ended(of.start(["run"]));
    await until("the session at work", () => of.exists("src/half.js"));
    const { code, stdout } = await of.loop("cancel", "--undo");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("The unproved work on F001 was taken out of the folder");
    expect((await end).code).toBe(9);
    expect(dirt(of)).toBe("");
    of.write({ "ignored.txt": "" });
    const again = await of.loop("run");
    expect(again.code, again.stderr).toBe(0);
  });

  test("--keep leaves it, and says so; both flags are a mistake", { timeout: 120_000 }, async () => {
    project = new Project(sampleFiles(slowOnce, one));
    const of = project;
    await killed(of);
    const both = await of.loop("cancel", "--keep", "--undo");
    expect([both.code, both.stderr]).toEqual([64, expect.stringContaining("Nothing was cancelled.")]);
    const { stdout } = await of.loop("cancel", "--keep");
    expect(stdout).toContain("so does the unproved work on F001 in the folder: git status shows it.");
    expect(dirt(of)).toContain("src/half.js");
    expect((await of.loop("cancel")).stdout).toContain(
      "Unproved work on F001 may be in the folder: git status shows it.",
    );
  });
});

test("the records tell the ending: a breaker inside an iteration with the crash that tripped it, then the cancellation", {
  timeout: 120_000,
}, async () => {
  const crashing = { role: "builder", steps: [half, { do: "crash" }], usage };
  project = new Project(sampleFiles([crashing], one));
  const of = project;
  const before = of.git("status", "--porcelain", "--", "docs/FEATURES.json");
  expect((await of.loop("run")).code).toBe(4);
  const state = JSON.parse(of.read(".loop/state.json"));
  expect(state).toMatchObject({ status: "paused", phase: "resting", iteration: 3 });
  expect(state.cost).toBeCloseTo(0.03);
  const [, , last] = of.read("docs/loop-run-log.md").split("### Iteration ").slice(1);
  expect(last).toContain("- **Action**: build → stopped here\n");
  expect(last).toMatch(/- \*\*Notes\*\*: attempt 3 · The session.*SIGKILL/);
  const progress = of.read("docs/PROGRESS.md");
  expect(progress).toContain("- **Outcome**: HARD KILL (same error)\n");
  expect(progress).toMatch(/- \*\*Needs-rework \/ escalated\*\*: F001 — The session/);

  expect((await of.loop("cancel")).code).toBe(0);
  expect(JSON.parse(of.read(".loop/state.json"))).toMatchObject({ status: "cancelled", phase: "stopped" });
  expect(of.read("docs/PROGRESS.md")).toContain("- **Outcome**: CANCELLED\n");
  expect(of.read("docs/PROGRESS.md")).toContain("- **Next**: loop run\n");
  expect(of.git("status", "--porcelain", "--", "docs/FEATURES.json")).toBe(before);
});

test("a question that waits is in the records", { timeout: 120_000 }, async () => {
  const asks = { do: "reply", reply: { status: "question", summary: "?", question: { text: "In which\nunit?" } } };
  project = new Project(sampleFiles([builder("F001", 1, [asks])], one));
  const of = project;
  expect((await of.loop("run")).code).toBe(6);
  expect(of.read("docs/PROGRESS.md")).toContain(
    "- **Needs-rework / escalated**: F001 — waits for your answer: In which unit?\n",
  );
  expect(of.read("docs/loop-run-log.md")).toContain("asks: In which unit?");
  expect(JSON.parse(of.read(".loop/state.json")).phase).toBe("resting");
});

test("a run at a gate comes before another one over the queue: loop run says what waits and what to type", {
  timeout: 120_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], one));
  const of = project;
  of.write({ "loop.yaml": `${of.read("loop.yaml")}gates: [G2]\n` });
  expect((await of.loop("run")).code).toBe(6);
  const { code, stderr } = await of.loop("run");
  expect(code, stderr).toBe(6);
  expect(stderr).toMatch(/^No new run was started\.\nRun \S+ waits for you\. /);
  expect(stderr).toMatch(/Next: Answer it: loop approve.*\. Give it up: loop cancel/);
  expect(of.runs()).toHaveLength(1);
});

describe("an interrupted run", () => {
  test("comes before a new one: without a terminal, loop run exits with 6 and names it", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles(slowOnce, one));
    const of = project;
    await killed(of);
    for (const args of [["run"], ["Add a function f002() to src/F002.js with tests"]]) {
      const { code, stderr } = await of.loop(...args);
      expect(code, stderr).toBe(6);
      expect(stderr).toMatch(
        /^No new run was started\.\nRun \S+ can be resumed\. The process that drove the run is gone/,
      );
      expect(stderr).toContain("Its unproved work (F001, attempt 1) may be in the folder.");
      expect(stderr).toContain("Next: Resume it: loop continue. Give it up: loop cancel");
    }
    expect(of.runs()).toHaveLength(1);
  });

  test.skipIf(!hasScript())("is resumed by Enter at a terminal", { timeout: 180_000 }, async () => {
    const resumed = builder("F001", 1, [{ do: "run", command: "rm src/half.js" }, ...right("F001")]);
    project = new Project(sampleFiles([{ ...resumed, where: "src/half.js" }, ...slowOnce.slice(1)], one));
    const of = project;
    await killed(of);
    const { code, seen } = await typed(of, ["run"], [["[n]either", "\r"]]);
    expect(code, seen).toBe(0);
    expect(seen).toContain("The previous process was interrupted. Resuming.");
    expect(of.runs()).toHaveLength(1);
  });

  test.skipIf(!hasScript())("is cancelled at a terminal, and the new run begins", { timeout: 180_000 }, async () => {
    project = new Project(sampleFiles(slowOnce, one));
    const of = project;
    await killed(of);
    of.write({ "ignored.txt": "" });
    const { code, seen } = await typed(
      of,
      ["run"],
      [
        ["[n]either", "c\r"],
        ["Start? [y]es", "y\r"],
      ],
    );
    expect(code, seen).toBe(0);
    expect(of.runs()).toHaveLength(2);
    expect(of.git("ls-files", "src")).not.toContain("half.js");
  });
});

test("a cap names the unproved work that it leaves, and the way on and back", { timeout: 120_000 }, async () => {
  const dear = { ...builder("F001", 1, [half, ...lie]), usage: { cost_usd: 30 } };
  project = new Project(sampleFiles([dear, evaluator], one));
  const of = project;
  const { code, stdout } = await of.loop("run");
  expect(code, stdout).toBe(2);
  expect(stdout).toContain("Unproved work on F001 is in the folder. loop continue resumes it; loop cancel");
  expect(stdout).toContain("Next: loop continue --budget 50");
  expect((await of.loop("run")).code).toBe(6);
  expect((await of.loop("cancel")).code).toBe(0);
  expect(dirt(of)).toBe("");
});

describe("a run that is over", () => {
  test("takes no pause, no answer and no rejection, each with exit code 1", { timeout: 120_000 }, async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], one));
    expect((await project.loop("run")).code).toBe(0);
    for (const args of [
      ["pause"],
      ["approve"],
      ["reject"],
      ["reject", "--reason", "no"],
      ["answer", "x"],
      ["continue"],
    ]) {
      const { code, stderr } = await project.loop(...args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/Run \S+ is over\. The contract is met/)]);
    }
    expect((await project.loop("inbox")).stdout).toBe("The inbox is empty.\n");
  });

  test("asks for nothing in the inbox once it is cancelled", { timeout: 120_000 }, async () => {
    const asks = { do: "reply", reply: { status: "question", summary: "", question: { text: "Which?" } } };
    project = new Project(sampleFiles([builder("F001", 1, [asks]), evaluator], one));
    expect((await project.loop("run")).code).toBe(6);
    expect((await project.loop("inbox")).stdout).toContain("loop answer F001");
    const other = await project.loop("answer", "F099", "yes");
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining("No question is open about F099; F001 has one."),
    ]);
    expect((await project.loop("cancel")).code).toBe(0);
    expect((await project.loop("inbox")).stdout).toBe("The inbox is empty.\n");
  });
});

test("an earlier run's next command names that run", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([evaluator], []));
  expect((await project.loop("run", "Add a function f002() to src/F002.js with tests")).code).toBe(6);
  expect((await project.loop("run", "Add a function f003() to src/F003.js with tests")).code).toBe(6);
  const [old = ""] = project.runs().map((dir) => dir.split("/").at(-1) ?? "");
  const { stdout } = await project.loop("--run", old, "status");
  expect(stdout).toContain(`loop approve --run ${old}, or: loop reject --run ${old} --reason`);
  expect((await project.loop("status")).stdout).toContain("loop approve, or: loop reject --reason");
});

test("a decision that no agent works on afterwards is answered with what it changed, and no summary", {
  timeout: 120_000,
}, async () => {
  const untested = [{ do: "write", path: "src/F001.js", text: 'export const f001 = () => "F001";\n' }];
  const anyTry = { role: "builder", feature: "F001", steps: [...untested, ...lie], usage: { cost_usd: 0.01 } };
  const two = [...one, feature("F002", { priority: 2 })];
  project = new Project(sampleFiles([anyTry, builder("F002", 1, right("F002")), evaluator], two));
  expect((await project.loop("run")).code).toBe(7);
  const { code, stdout } = await project.loop("accept", "F001");
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^Done: 2 of 2 features complete\n {2}✓ F001 .*\n/);
  expect(stdout).not.toContain("F002");
  expect(stdout.split("\n").length).toBeLessThan(9);
});

test("a decision after which nothing happens takes two lines", { timeout: 120_000 }, async () => {
  const untested = [{ do: "write", path: "src/F001.js", text: 'export const f001 = () => "F001";\n' }];
  const anyTry = { role: "builder", feature: "F001", steps: [...untested, ...lie], usage: { cost_usd: 0.01 } };
  const two = [...one, feature("F002", { priority: 2 })];
  project = new Project(sampleFiles([anyTry, builder("F002", 1, right("F002")), evaluator], two));
  await project.loop("run", "--commits", "1");
  const { code, stdout } = await project.loop("accept", "F001");
  expect([code, stdout]).toEqual([2, expect.stringMatching(/^The commits cap is reached \(1 of 1\)\.\nNext: .*\n$/)]);
});

test.skipIf(!hasScript())(
  "work that is rejected without a reason waits in the inbox",
  { timeout: 120_000 },
  async () => {
    const untested = [{ do: "write", path: "src/F001.js", text: 'export const f001 = () => "F001";\n' }];
    const anyTry = { role: "builder", steps: [...untested, ...lie], usage: { cost_usd: 0.01 } };
    project = new Project(sampleFiles([anyTry, evaluator], one));
    expect((await project.loop("run")).code).toBe(7);
    const { seen } = await typed(
      project,
      [],
      [
        ["[l]ater", "r\r"],
        ["Why?", "\r"],
      ],
    );
    expect(seen).toContain("F001 is rejected. The branch loop/held/F001 is removed. The diff is kept: ");
    expect((await project.loop("inbox")).stdout).toContain("gave no reason");
  },
);

test.skipIf(!hasScript())(
  "a pause at a gate that a terminal shows says what it waits for",
  { timeout: 120_000 },
  async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], one));
    const of = project;
    of.write({ "loop.yaml": `${of.read("loop.yaml")}gates: [G2]\n` });
    const answering = typed(
      of,
      ["run"],
      [
        ["Start? [y]es", "y\r"],
        ["Approve?", ""],
      ],
    );
    const isAtGate = (): boolean => of.runs().length > 0 && of.events().at(-1)?.type === "committed";
    await until("the commit", isAtGate, 60_000);
    expect((await of.loop("pause")).stdout).toBe(
      'Nothing to pause: the run waits for you.\nIteration 1: F001 is proved and committed. Go on?\nNext: loop approve, or: loop reject --reason "…"\n',
    );
    expect((await of.loop("cancel")).code).toBe(0);
    expect((await answering).code).toBe(9);
  },
);
