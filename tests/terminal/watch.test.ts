// A run is watched from another terminal and from a pipe, and its sessions can be read at any time.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lockWorkspace } from "../../src/project/place/lock.ts";
import { type Ended, ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { noTmux, Tmux } from "../support/tmux.ts";

vi.setConfig({ testTimeout: 60_000 });

let project: Project;
afterEach(() => project.remove());

const go = (file: string): void => fs.writeFileSync(join(project.home, file), "");
const waits = { do: "run", command: 'while [ ! -e "$HOME/one" ]; do sleep 0.02; done' };
const steps = [{ do: "print", text: "Looking\u001b[2J around." }, waits, ...right("F001")];
const files = () => sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")]);
const sessionsBegun = (): number => {
  const dir = join(project.runs().at(-1) ?? "", "sessions");
  return fs.existsSync(dir) ? fs.readdirSync(dir).length : 0;
};
/** The run's agent is in the middle of its command. */
async function begin(): Promise<{ run: Promise<Ended>; pid: number }> {
  const child = project.start(["run"]);
  const run = ended(child);
  const live = (): string => join(project.runs().at(-1) ?? "", "live.jsonl");
  await until("the command", () => fs.existsSync(live()) && fs.readFileSync(live(), "utf8").includes('"tool"'), 60_000);
  return { run, pid: child.pid ?? 0 };
}

const why = noTmux();
describe.skipIf(why !== null)(`in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test("loop watch shows the same as the terminal of the run, and ends with it", async () => {
    project = new Project(files());
    const { run } = await begin();
    const terminal = new Tmux(project, 100, 30);
    try {
      terminal.loop("watch");
      await terminal.shows(/F001 builder · \d+ s · 1\.1k tokens · \$0\.010 of \$25 · v: details\n {2}▸ run while/);
      await terminal.shows("Looking⟨U+001B⟩[2J around.");
      terminal.key("v");
      await terminal.shows("v: less");
      go("one");
      await terminal.shows("The contract is met");
      await terminal.shows("Next: loop report");
      expect((await run).code).toBe(0);
      terminal.line("stty -a | grep -o -- ' icanon'");
      await terminal.shows(/ icanon$/m);
    } finally {
      terminal.close();
    }
  });
});

test("in a pipe, loop watch prints a line for each thing and no control sequences", async () => {
  project = new Project(files());
  const { run } = await begin();
  const child = project.start(["watch"]);
  let seen = "";
  child.stderr?.on("data", (chunk) => (seen += chunk));
  const watching = ended(child);
  await until("the command", () => seen.includes("builder   ▸ run while"));
  go("one");
  const { code, stdout, stderr } = await watching;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^Run \S+: over\. The contract is met: .*\nNext: loop report\n$/);
  expect(stderr).toMatch(/ {2}builder {3}✎ src\/F001\.js\n/);
  expect(stderr).toMatch(/ {2}commit {4}[0-9a-f]{10}\n/);
  expect(stderr + stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  await run;
});

test("loop watch says what to type where nothing runs", async () => {
  project = new Project(files());
  const none = await project.loop("watch");
  expect(none.code).toBe(64);
  expect(none.stderr).toContain("No run was ever begun here.");
  const { run, pid } = await begin();
  process.kill(pid, "SIGKILL");
  await run;
  const interrupted = await project.loop("watch");
  expect(interrupted.stdout).toMatch(
    /^Run \S+: interrupted\. The process that drove the run is gone\. .*\nNext: loop continue\n$/,
  );
  go("one");
  expect((await project.loop("continue")).code).toBe(0);
  expect((await project.loop("watch")).stdout).toMatch(/: over\. The contract is met/);
});

test("loop logs tells a session's story while it goes on and long after, readable and raw", async () => {
  project = new Project(files());
  const { run } = await begin();
  const now = await project.loop("logs");
  expect(now.stdout).toMatch(
    /^Session 1 of 1: builder, F001, attempt 1 \S+\n {2}Looking⟨U\+001B⟩\[2J around\.\n {2}▸ run while/,
  );
  expect(now.stdout).toContain("It is at work. To follow it: loop logs -f");
  const following = ended(project.start(["logs", "-f"]));
  go("one");
  expect((await run).code).toBe(0);
  const followed = await following;
  expect(followed.code, followed.stderr).toBe(0);
  expect(followed.stdout).toMatch(
    / {2}✎ test\/F001\.test\.js\n {2}✎ src\/F001\.js\n {2}done after .*, \$0\.010: done\n/,
  );
  expect(followed.stdout).toMatch(/Session 2 of 2: evaluator, F001, attempt 1 [\s\S]*pass after/);
  expect(sessionsBegun()).toBe(2);

  const first = await project.loop("logs", "--session", "1");
  expect(first.stdout.replace(/of \d/, "")).toBe(
    followed.stdout.slice(0, followed.stdout.indexOf("Session 2")).replace(/of \d/, ""),
  );
  const raw = await project.loop("logs", "--session", "1", "--json");
  const lines = raw.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.every(({ number, role, feature: id }) => number === 1 && role === "builder" && id === "F001")).toBe(
    true,
  );
  expect(lines.map(({ text }) => text)).toContain('@rehearsal {"sign":"edit","path":"src/F001.js"}');
  expect(lines.flatMap(({ signs }) => signs)).toContainEqual({ sign: "edit", path: "src/F001.js" });
  expect((await project.loop("logs", "--session", "7")).stderr).toContain("The run has sessions 1 to 2");
  expect((await project.loop("logs", "--session", "7")).code).toBe(64);
});

test("loop logs -f follows a paused run while a process holds it, and passes over a session that has not begun", async () => {
  project = new Project(files());
  const { run, pid } = await begin();
  process.kill(pid, "SIGINT");
  await run;
  const dir = project.runs().at(-1) ?? "";
  fs.mkdirSync(join(dir, "sessions", "F001-a2-builder-00000000"));
  const lock = await project.withState(() => lockWorkspace(project.root, `run ${basename(dir)}`));
  const child = project.start(["logs", "-f"]);
  let seen = "";
  child.stdout?.on("data", (chunk) => (seen += chunk));
  const following = ended(child);
  await until("its session", () => seen.includes("Looking"));
  // Three looks at a run that rests.
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(child.exitCode).toBeNull();
  await lock.release();
  const { code, stdout, stderr } = await following;
  expect(code, stderr).toBe(0);
  expect(stdout.match(/^Session .*$/gm)).toEqual([expect.stringMatching(/^Session 1 of 1: builder, F001, attempt 1 /)]);
});
