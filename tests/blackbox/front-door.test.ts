// What a person meets at the front door and used to stumble over: words taken for work, prices out of thin air, hooks
// in the way, runs that are there and not seen.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { ended, type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

vi.setConfig({ testTimeout: 120_000 });

let project: Project;
afterEach(() => project.remove());

const request = "Add a function f001() to src/F001.js that returns 'F001'.";
const made = (extra: Files = {}): void => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")], extra));
};
/** An agent that is a program of the person's, without a price. */
const commandAgent = (script: string): Files => ({
  "loop.yaml":
    "agents: { maker: { kind: command, command: [sh, agent.sh] } }\nlimits: { rework: 0 }\nchecks: [{ name: test, run: sh run-tests.sh }]\n",
  "agent.sh": `cat > /dev/null\n${script}\n`,
});

test.each([
  [["report", "errors", "of", "the", "parser"], 'loop run "report errors of the parser"'],
  [["runn", "Add", "it"], 'Did you mean: loop run "Add it"?'],
  [["statsu"], "Did you mean: loop status?"],
])("%j starts nothing, and says what to type", async (words, says) => {
  made();
  const { code, stderr } = await project.loop(...words);
  expect([code, stderr]).toEqual([64, expect.stringContaining(says)]);
  expect(project.runs()).toEqual([]);
});

test.each([["resume"], ["stop"], ["logs"], ["ls"], ["-v"]])("%s is a command, and never a request", async (word) => {
  made();
  const { stdout, stderr } = await project.loop(word);
  expect(stdout + stderr).toMatch(/No run was ever begun here|^\d+\.\d+\.\d+/);
  expect(project.runs()).toEqual([]);
});

test("a session of unknown price that is over at once counts as cents, and its limit message is understood", async () => {
  made(commandAgent("exit 3"));
  expect((await project.loop("run", "--yes")).code).toBe(7);
  const { spent } = JSON.parse((await project.loop("status", "--json")).stdout);
  expect(spent).toMatchObject({ sessions: 1, estimated: true });
  expect(spent.costUsd).toBeLessThan(1);
  project.remove();
  made(commandAgent(`echo "You've hit your session limit · resets 8pm" >&2; exit 1`));
  expect((await project.loop("run", "--yes", "--no-wait")).code).toBe(8);
});

test("an installed hook is no uncommitted change, and leaves no trace when it is removed", async () => {
  made();
  const exclude = join(project.root, ".git", "info", "exclude");
  const before = fs.readFileSync(exclude, "utf8");
  expect((await project.loop("hook", "install")).code).toBe(0);
  expect(project.git("status", "--short")).toBe("");
  expect((await project.loop("run", "--yes")).code).toBe(0);
  expect((await project.loop("hook", "remove")).code).toBe(0);
  expect(fs.readFileSync(exclude, "utf8")).toBe(before);
});

test("without an installed hook, loop hook start does not claim to hold anything", async () => {
  made();
  const { stderr } = await project.loop("hook", "start", request);
  expect(stderr).toContain("No hook is installed here, so nothing holds a session yet. Run: loop hook install");
  expect(stderr).not.toContain("Held:");
});

test("in another home, the records of earlier runs are noticed", async () => {
  made();
  expect((await project.loop("run", "--yes")).code).toBe(0);
  const home = join(project.dir, "other-home");
  fs.mkdirSync(home);
  for (const args of [[], ["status"], ["list"]]) {
    const { stdout } = await ended(project.start(args, { HOME: home, XDG_STATE_HOME: join(home, "state") }));
    expect(stdout.replace(/\s+/g, " "), args.join(" ")).toContain(
      "begun by another user or with another HOME. Only there can it be resumed.",
    );
  }
});
