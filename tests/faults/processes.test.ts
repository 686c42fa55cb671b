// Agents that ignore signals and loops that die: 10 s after the loop ends, no process that it started is alive.
import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  for (const pid of leftOf(project)) process.kill(pid, "SIGKILL");
  project?.remove();
  project = null;
});

const reply = `printf '{"status":"done","summary":"done"}' > "$LOOP_REPLY_FILE"`;
const verdict = `printf '{"verdict":"pass","summary":"seen","criteria":[{"criterion":"C1","met":true,"verification":"execution output","evidence":[{"command":"sh run-tests.sh"}]}]}' > "$LOOP_REPLY_FILE"`;
const work = `mkdir -p test; echo 'export const f001 = () => "F001";' > src/F001.js
printf 'import assert from "node:assert/strict";\\nimport { f001 } from "../src/F001.js";\\nassert.equal(f001(), "F001");\\n' > test/F001.test.js`;
const stay = 'trap "" TERM INT HUP; echo $$ >> "$HOME/pids"; while :; do sleep 1; done';

/** Ways in which agents have left processes running. */
const leaving = [
  { title: "a child deaf to SIGTERM", script: `sh -c '${stay}' &` },
  { title: "a child in a session of its own", script: `setsid sh -c '${stay}' &` },
  { title: "a daemon forked twice, without output", script: `(setsid sh -c '${stay}' >/dev/null 2>&1 </dev/null &)` },
  {
    title: "a daemon without environment that holds the output",
    script: `(env -i HOME="$HOME" PATH="$PATH" setsid sh -c '${stay}' &)`,
  },
];

/** First it leaves a process running; then it works and replies, or hangs. */
function place(script: string, then: "replies" | "hangs"): Project {
  const agent = `[ "$LOOP_ROLE" = evaluator ] && { ${verdict}; exit 0; }
if [ ! -e "$HOME/pids" ]; then
${script}
while [ ! -s "$HOME/pids" ]; do sleep 0.05; done
${then === "hangs" ? `echo "$$" >> "$HOME/pids"; trap "" TERM; while :; do sleep 1; echo still here; done` : ""}
fi
${work}
${reply}
`;
  const yaml = `version: 1
agents: { maker: { kind: command, command: [sh, agent.sh], cost_usd: 0.01 } }
checks: [{ name: test, run: sh run-tests.sh, timeout_s: 60 }]
`;
  project = new Project(sampleFiles([], [feature("F001")], { "loop.yaml": yaml, "agent.sh": agent }));
  return project;
}

const pidsOf = (of: Project): number[] => {
  try {
    return readFileSync(join(of.home, "pids"), "utf8").trim().split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
};
const isThere = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
/** Processes found by this project's marks, or by the pids that they wrote to a file. */
const leftOf = (of: Project | null): number[] =>
  of === null ? [] : [...new Set([...of.strays(), ...pidsOf(of).filter(isThere)])];
const gone = (of: Project) => until("nothing to be left", () => leftOf(of).length === 0, 10_000);

async function untilAtWork(of: Project): Promise<void> {
  await until("the agent", () => pidsOf(of).length >= 2, 60_000);
}

async function continues(of: Project): Promise<void> {
  const { code, stderr, stdout } = await of.loop("continue");
  expect(code, stderr + stdout).toBe(0);
  expect(of.git("log", "--format=%s", "--grep=^feat")).toBe("feat(F001): Add f001()");
  await gone(of);
}

describe("an agent that leaves a process running", () => {
  test.each(leaving)("$title: it is killed with its session", { timeout: 120_000 }, async ({ script }) => {
    const of = place(script, "replies");
    const { code, stderr } = await of.loop("run");
    expect(code, stderr).toBe(0);
    expect(pidsOf(of).length).toBe(1);
    await gone(of);
  });

  test.each(leaving)("$title: it ends when the loop is killed midway", { timeout: 120_000 }, async ({ script }) => {
    const of = place(script, "hangs");
    const child = of.start(["run"]);
    const end = ended(child);
    await untilAtWork(of);
    child.kill("SIGKILL");
    await end;
    await gone(of);
    await continues(of);
  });
});

/** Ways for the loop itself to die or be stopped while an agent that ignores signals is at work. */
const goings: { title: string; code: number | "died"; go(child: ChildProcess): void | Promise<void> }[] = [
  { title: "SIGTERM", code: 143, go: (child) => void child.kill("SIGTERM") },
  { title: "the terminal is closed (SIGHUP)", code: 143, go: (child) => void child.kill("SIGHUP") },
  {
    title: "it runs out of memory",
    code: "died",
    go: (child) => void execFileSync("prlimit", ["--pid", String(child.pid), "--as=1048576"]),
  },
  {
    title: "it is stopped for a while, then continued, then killed",
    code: "died",
    go: async (child) => {
      child.kill("SIGSTOP");
      await pause(2000);
      expect(child.exitCode).toBeNull();
      child.kill("SIGCONT");
      await pause(500);
      expect(child.exitCode).toBeNull(); // A pause must not end anything.
      child.kill("SIGKILL");
    },
  },
];

test.each(goings)(
  "$title: no process is left, and the run can be continued",
  { timeout: 180_000 },
  async ({ code, go }) => {
    const of = place(leaving[1]?.script ?? "", "hangs");
    const child = of.start(["run"]);
    const end = ended(child);
    await untilAtWork(of);
    await go(child);
    const how = await end;
    if (code === "died") expect(how.code === null || how.code > 128, how.stderr).toBe(true);
    else expect(how.code, how.stderr).toBe(code);
    await gone(of);
    await continues(of);
  },
);
