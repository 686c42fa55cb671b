// A person who is not looking is told, once for each thing, and answers by a button. Real processes, servers on loopback.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Ended, ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { FakeServers } from "./servers.ts";

vi.setConfig({ testTimeout: 120_000 });

let project: Project;
let servers: FakeServers;
beforeEach(async () => {
  servers = await new FakeServers().open();
});
afterEach(() => {
  servers.close();
  project.remove();
});

const two = [feature("F001"), feature("F002", { priority: 2 })];
const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
function projectWith(loopYaml: string, acts: readonly object[] = scenes): Project {
  const files = sampleFiles(acts, two);
  return new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}${loopYaml}` });
}
const everyWay = (): string =>
  `notify: { webhook: "${servers.url}/hook", ntfy: { url: "${servers.url}", topic: phone, answers: true } }\n`;
const kinds = (): unknown[] => servers.hooked.map(({ kind }) => kind);
const events = (type: string) => project.events().filter((event) => event.type === type);
const start = (...args: string[]): { end: Promise<Ended>; pid: number } => {
  const child = project.start(args);
  return { end: ended(child), pid: child.pid ?? 0 };
};

test("the answer by button passes exactly that gate, and a replayed one passes nothing", async () => {
  project = projectWith(`gates: [G2]\n${everyWay()}`);
  const run = start("run");
  await until("the first gate", () => servers.pushed.length === 1, 60_000);
  const first = servers.pushed[0];
  expect(first?.title).toMatch(/^project: Waits for you/);
  expect(first?.actions.map(({ label }) => label)).toEqual(["Approve", "Reject"]);
  await servers.press(first, "Approve");
  await until("the second gate", () => servers.pushed.length === 2, 60_000);
  const second = servers.pushed[1];
  // Both buttons of the first gate, again; then the second gate's own.
  await servers.press(first, "Approve");
  await servers.press(first, "Reject");
  await servers.press(second, "Approve");
  const { code, stderr } = await run.end;
  expect(code, stderr).toBe(0);
  const approved = events("approved").map(({ number, tree }) => [number, tree]);
  expect(approved).toHaveLength(2);
  expect(new Set(approved.map(String)).size).toBe(2);
  expect(events("rejected")).toEqual([]);
  expect(kinds()).toEqual(["waits", "waits", "ended"]);
  expect(servers.pushed).toHaveLength(3);
  expect(servers.pushed.at(-1)?.actions).toEqual([]);
  expect(new Set(servers.pushed.flatMap(({ actions }) => actions.map(({ body }) => body))).size).toBe(4);
});

test("a run that was killed at a gate tells nothing twice when it is resumed, and its old buttons still work", async () => {
  project = projectWith(`gates: [G3]\n${everyWay()}`);
  const run = start("run");
  await until("the gate", () => servers.pushed.length === 1, 60_000);
  await until("both", () => servers.hooked.length === 1);
  process.kill(run.pid, "SIGKILL");
  await run.end;
  const again = start("continue");
  await servers.press(servers.pushed[0], "Approve");
  const { code, stderr } = await again.end;
  expect(code, stderr).toBe(0);
  expect(kinds()).toEqual(["waits", "ended"]);
  expect(servers.pushed).toHaveLength(2);
});

test("Ctrl-C ends the wait for a button, and the gate stays open", async () => {
  project = projectWith(`gates: [G3]\n${everyWay()}`);
  const run = start("run");
  await until("the gate", () => servers.pushed.length === 1, 60_000);
  process.kill(run.pid, "SIGINT");
  expect((await run.end).code).toBe(6);
  expect((await project.loop("approve")).code).toBe(0);
  expect(kinds()).toEqual(["waits", "ended"]);
});

test("80 % of a cap is told once", async () => {
  project = projectWith(`limits: { sessions: 5 }\nnotify: { webhook: "${servers.url}/hook" }\n`);
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(kinds()).toEqual(["cap", "ended"]);
  expect(servers.hooked[0]).toMatchObject({ project: "project", text: "80 % of the sessions cap is used." });
});

test("the person's program and the desktop get the message; one that fails harms nothing and is noted", async () => {
  const program = 'cat >> "$HOME/told.jsonl"\n';
  project = projectWith(`notify: { desktop: true, command: [sh, notify.sh], webhook: "http://127.0.0.1:1/" }\n`);
  const bin = join(project.home, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "notify-send"), '#!/bin/sh\nfor word; do echo "$word"; done >> "$HOME/desktop"\n', {
    mode: 0o755,
  });
  project.write({ "notify.sh": program });
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "notify");
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const { code, stderr } = await ended(project.start(["run"], env));
  expect(code, stderr).toBe(0);
  const told = fs.readFileSync(join(project.home, "told.jsonl"), "utf8").trimEnd().split("\n");
  expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([
    { version: 1, kind: "ended", project: "project" },
  ]);
  expect(fs.readFileSync(join(project.home, "desktop"), "utf8")).toContain(
    "--\nproject: Done: 2 of 2 features complete\n",
  );

  const tested = await ended(project.start(["notify", "--test"], env));
  expect(tested.code).toBe(1);
  expect(tested.stdout).toMatch(/^✓ desktop\n✓ command\n✗ webhook: .+\n$/);
});

test.each([
  { place: "here", told: [] },
  {
    place: "worktree",
    told: [{ by: "person", project: "project", title: "Done: 1 of 1 feature complete" }],
    noted: 0,
  },
])("an agent that rewrites the person's program in a run $place does not get it started", async (given) => {
  const tell = (by: string): string => `printf '{"by":"${by}","message":%s}\\n' "$(cat)" >> "$HOME/told.jsonl"\n`;
  const rewritten = { do: "write", path: "node_modules/tell.sh", text: tell("agent") };
  const files = sampleFiles([builder("F001", 1, [rewritten, ...right("F001")]), evaluator], [feature("F001")]);
  const notify = "notify: { command: [sh, ./node_modules/tell.sh] }\n";
  project = new Project({
    ...files,
    "loop.yaml": `${files["loop.yaml"]}${notify}`,
    "node_modules/tell.sh": tell("person"),
  });
  const { code, stderr } = await project.loop("run", `--${given.place}`);
  expect(code, stderr).toBe(0);
  const path = join(project.home, "told.jsonl");
  const lines = fs.existsSync(path) ? fs.readFileSync(path, "utf8").trimEnd().split("\n") : [];
  const told = lines.map((line) => JSON.parse(line) as { by: string; message: { project: string; title: string } });
  expect(told.map(({ by, message: { project, title } }) => ({ by, project, title }))).toEqual(given.told);
});

test("loop notify --test names the ways there are where none is configured", async () => {
  project = projectWith("");
  const { code, stdout } = await project.loop("notify", "--test");
  expect(code).toBe(0);
  expect(stdout).toContain("ntfy: { topic:");
  expect((await project.loop("notify")).code).toBe(64);
});
