// What people run into on the second day: a feature that gets nowhere, words that are corrected, prices.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const two = [feature("F001"), feature("F002", { priority: 2 })];
const lies = [builder("F001", 1, lie), builder("F001", 2, lie)];
const statuses = async (of: Project): Promise<Record<string, string>> => {
  const { features } = JSON.parse((await of.loop("status", "--json")).stdout) as {
    features: { id: string; status: string }[];
  };
  return Object.fromEntries(features.map(({ id, status }) => [id, status]));
};

test("a feature on which nothing changes is blocked, and the others are built", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([...lies, builder("F002", 1, right("F002")), evaluator], two));
  const { code, stdout } = await project.loop("run");
  expect(code, stdout).toBe(7);
  expect(await statuses(project)).toEqual({ F001: "blocked", F002: "complete" });
});

test("an agent that does nothing on two features trips the breaker after one more session", {
  timeout: 120_000,
}, async () => {
  project = new Project(sampleFiles([...lies, builder("F002", 1, lie), evaluator], two));
  const { code, stdout } = await project.loop("run");
  expect(code, stdout).toBe(4);
  expect(stdout).toContain("Nothing changed in 3 iterations in a row.");
  expect(project.events().filter(({ type }) => type === "session-reserved")).toHaveLength(3);
});

test("a blocked feature whose words are corrected is tried again, whatever the run waits for", {
  timeout: 180_000,
}, async () => {
  const asks = { do: "reply", reply: { status: "question", summary: "", question: { text: "Which?" } } };
  const corrected = { ...builder("F001", 1, right("F001")), where: "ignored.txt" };
  project = new Project(sampleFiles([corrected, ...lies, builder("F002", 1, [asks]), evaluator], two));
  const of = project;
  expect((await of.loop("run")).code).toBe(6);
  expect(await statuses(of)).toEqual({ F001: "blocked", F002: "blocked" });
  const queue = JSON.parse(of.read("docs/FEATURES.json"));
  queue.features[0].description = "A function f001() in src/F001.js that returns the text F001.";
  of.write({ "docs/FEATURES.json": `${JSON.stringify(queue, null, 2)}\n`, "ignored.txt": "" });
  const { code, stdout } = await of.loop("continue");
  expect(code, stdout).toBe(6);
  expect(await statuses(of)).toEqual({ F001: "complete", F002: "blocked" });
  expect(of.prompts("builder").at(-1)).toContain("returns the text F001");
});

test("a request that came to nothing names how to ask differently, and is tried again by the next command", {
  timeout: 120_000,
}, async () => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(
    [{ ...builder("F001", 3, right("F001")), where: "ignored.txt", attempt: undefined }, ...lies, evaluator],
    [],
  );
  project = new Project(files);
  const of = project;
  const asked = await of.loop("run", "--yes", "Add a function f001() to src/F001.js with tests");
  expect(asked.code, asked.stdout).toBe(4);
  const next =
    'Next: Read the reason, then: loop continue. To ask for it differently: loop continue --intent replace "…"';
  expect((await of.loop("inbox")).stdout).toContain(next);
  expect((await of.loop("reject", "F001", "--reason", "again")).stderr).toContain(next);
  of.write({ "ignored.txt": "" });
  const again = await of.loop("continue");
  expect(again.code, again.stdout).toBe(0);
});

test("a request that is replaced before building is what the gate shows", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([evaluator], []));
  expect((await project.loop("run", "Add a function f001() to src/F001.js with tests")).code).toBe(6);
  const other = "Add a function f002() to src/F002.js with tests";
  const { code, stdout } = await project.loop("continue", "--intent", "replace", other);
  expect(code, stdout).toBe(6);
  expect(stdout).toContain("f002()");
  expect(stdout).not.toContain("f001()");
  expect(stdout).toContain("1 feature is to be built");
});

test("a session with a known price above the budget is not begun", { timeout: 60_000 }, async () => {
  const agent = '{ kind: command, command: [sh, -c, "touch $HOME/began"], cost_usd: 2 }';
  project = new Project({
    ...sampleFiles([], [feature("F001")]),
    "loop.yaml": `agents: { maker: ${agent} }\nchecks: [{ name: test, run: sh run-tests.sh }]\n`,
  });
  const { code, stdout } = await project.loop("run", "--budget", "1");
  expect(code, stdout).toBe(2);
  expect(stdout).toContain("A session costs $2.00, and $0.00 of the cost cap of $1.00 is spent.");
  expect(stdout).toContain("Next: loop continue --budget 2");
  expect(fs.existsSync(join(project.home, "began"))).toBe(false);
});
