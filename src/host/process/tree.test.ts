// Real process trees that try to escape.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { baseEnv } from "./environment.ts";
import { isAlive, listProcesses, ourselves, readProcess, signalProcess } from "./processes.ts";
import { parsePs, parsePsEnvironment } from "./ps.ts";
import { createOutput, spawnToFiles } from "./spawn.ts";
import { endTree, sweep, watchTree } from "./tree.ts";

let folder: string;
let mark: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-tree-"));
  mark = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
});
afterEach(async () => {
  await endTree({ leader: null, marker: `LOOP_TEST=${mark}`, outputs: [] }, { signal: "SIGKILL", graceMs: 0 });
  rmSync(folder, { recursive: true, force: true });
});

async function start(script: string) {
  const output = join(folder, "out");
  createOutput(output);
  const markers = { LOOP_TEST: mark };
  const command = { file: "/bin/sh", args: ["-c", script], cwd: folder, env: baseEnv(), markers };
  const spawned = await spawnToFiles({ ...command, stdin: null, stdout: output, stderr: output });
  if (!spawned.ok) throw new Error(spawned.text);
  return { ...spawned, root: { leader: spawned.id, marker: `LOOP_TEST=${mark}`, outputs: [output] } };
}

const pidFile = async (name: string): Promise<number> => {
  for (let tries = 0; tries < 250; tries += 1) {
    try {
      const pid = Number(readFileSync(join(folder, name), "utf8").trim());
      if (pid > 0) return pid;
    } catch {
      // Not written yet.
    }
    await pause(20);
  }
  throw new Error(`${name} was not written`);
};
const gone = (pid: number): boolean => readProcess(pid)?.dead !== false;

const deaf = `trap "" TERM INT HUP; echo $$ > child; while :; do sleep 1; done`;
test.each([
  { title: "a child in its group", script: `sh -c '${deaf}' & wait` },
  { title: "a child in a session of its own", script: `setsid sh -c '${deaf}' & wait` },
  { title: "a daemon whose parents are gone", script: `(setsid sh -c '${deaf}' >/dev/null 2>&1 &) ; exit 0` },
  { title: "a child without any environment", script: `env -i setsid sh -c '${deaf}' >/dev/null 2>&1 & wait` },
  { title: "a daemon without any environment that still writes", script: `(env -i setsid sh -c '${deaf}' &) ; exit 0` },
])("ends $title, even though it ignores SIGTERM", async ({ script }) => {
  const { root } = await start(script);
  const tree = watchTree(root);
  const child = await pidFile("child");
  tree.look();
  const ended = await tree.end({ signal: "SIGTERM", graceMs: 100 });
  expect(ended.left).toBe(0);
  expect(ended.killed).toBeGreaterThan(0);
  expect(gone(child)).toBe(true);
  expect(sweep(root.marker)).toEqual([]);
});

test("a daemon without environment or output is known from the time when its parent was alive", async () => {
  const daemon = `env -i setsid sh -c '${deaf}' >/dev/null 2>&1 & sleep 0.6; exit 0`;
  const { root, exited } = await start(daemon);
  const tree = watchTree(root);
  const child = await pidFile("child");
  tree.look();
  await exited;
  expect((await tree.end({ signal: "SIGTERM", graceMs: 100 })).left).toBe(0);
  expect(gone(child)).toBe(true);
});

test("a process that exits on SIGTERM is not killed, and a stopped one receives it", async () => {
  const { root, id } = await start("exec sleep 300");
  process.kill(id.pid, "SIGSTOP");
  expect(await watchTree(root).end({ signal: "SIGTERM", graceMs: 3000 })).toEqual({ found: 1, killed: 0, left: 0 });
});

test("a process that exits by itself in time does not count as found", async () => {
  const { root } = await start("exec sleep 0.2");
  const ended = await watchTree(root).end({ signal: "SIGTERM", graceMs: 1000, settleMs: 3000 });
  expect(ended).toEqual({ found: 0, killed: 0, left: 0 });
});

test("another process with the same pid is left alone", async () => {
  const { id } = await start("exec sleep 300");
  const stranger = { pid: id.pid, startTicks: id.startTicks - 1 };
  expect(isAlive(stranger)).toBe(false);
  expect(signalProcess(stranger, "SIGKILL")).toBe(false);
  const root = { leader: stranger, marker: `LOOP_TEST=${mark}-other`, outputs: [] };
  expect(await endTree(root, { signal: "SIGKILL", graceMs: 0 })).toEqual({ found: 0, killed: 0, left: 0 });
  expect(isAlive(id)).toBe(true);
});

test("a person who reads the output is left alone", async () => {
  const { root } = await start("exec sleep 300");
  const other = `${mark}-reader`;
  const log = join(folder, "log");
  createOutput(log);
  const reader = await spawnToFiles({
    ...{ file: "tail", args: ["-f", join(folder, "out")], cwd: "/", env: baseEnv() },
    ...{ markers: { LOOP_TEST: other }, stdin: null, stdout: log, stderr: log },
  });
  if (!reader.ok) throw new Error(reader.text);
  await pause(200);
  await watchTree(root).end({ signal: "SIGKILL", graceMs: 0 });
  expect(isAlive(reader.id)).toBe(true);
  await endTree({ leader: reader.id, marker: `LOOP_TEST=${other}`, outputs: [] }, { signal: "SIGKILL", graceMs: 0 });
});

test("an older process is left alone, even if it has the output open", async () => {
  const script = `echo $$ > before; while [ ! -e out ]; do sleep 0.02; done; exec >> out; echo ready > ready; exec sleep 300`;
  const other = spawn("/bin/sh", ["-c", script], { cwd: folder, env: baseEnv(), stdio: "ignore" });
  const before = await pidFile("before");
  await pause(50); // The kernel counts starts in hundredths of a second.
  const { root } = await start(`while [ ! -e ready ]; do sleep 0.02; done; sh -c '${deaf}' & wait`);
  const child = await pidFile("child");
  expect((await watchTree(root).end({ signal: "SIGTERM", graceMs: 100 })).left).toBe(0);
  expect([gone(child), gone(before)]).toEqual([true, false]);
  other.kill("SIGKILL");
});

test("a marker is found in an environment larger than one read", async () => {
  const script = `BEFORE=$(head -c 60000 /dev/zero | tr '\\0' x) LOOP_LATE=${mark} sh -c 'echo $$ > child; sleep 300' & wait`;
  const { root } = await start(script);
  const child = await pidFile("child");
  const found = sweep(`LOOP_LATE=${mark}`).map(({ pid }) => pid);
  await watchTree(root).end({ signal: "SIGKILL", graceMs: 0 });
  expect(found).toContain(child);
});

test("this process and its ancestors are never found, even if they carry a marker", () => {
  const ours = readFileSync("/proc/self/environ", "latin1").split("\0")[0] ?? "";
  const found = sweep(ours).map((one) => one.pid);
  const spared = ourselves(listProcesses());
  expect([process.pid, process.ppid, 1].every((pid) => spared.has(pid))).toBe(true);
  expect(found.filter((pid) => spared.has(pid))).toEqual([]);
});

test.each([
  { title: "a program that is not there", file: "no-such-program", cwd: "/", code: "ENOENT", what: "program" },
  { title: "a file that is no program", file: "./plain", cwd: "", code: "EACCES", what: "program" },
  { title: "a folder that is not there", file: "/bin/sh", cwd: "/no/such/folder", code: "ENOENT", what: "folder" },
  {
    title: "arguments that are too long",
    file: "/bin/echo",
    cwd: "/",
    args: "x".repeat(3 << 20),
    code: "E2BIG",
    what: "program",
  },
])("$title is a result, not an error", async ({ file, cwd, args, code, what }) => {
  writeFileSync(join(folder, "plain"), "text", { mode: 0o600 });
  const out = join(folder, "out");
  createOutput(out);
  const io = { stdin: null, stdout: out, stderr: out, markers: {}, env: baseEnv() };
  const spawned = await spawnToFiles({ file, args: args === undefined ? [] : [args], cwd: cwd || folder, ...io });
  expect(spawned).toMatchObject({ ok: false, code, what });
});

test("a process gets its environment and markers, and nothing else from ours", async () => {
  process.env["LOOP_TEST_SECRET"] = "s3cret";
  const { exited } = await start("env > got");
  expect(await exited).toEqual({ code: 0, signal: null });
  const got = readFileSync(join(folder, "got"), "utf8");
  expect(got).toContain(`LOOP_TEST=${mark}`);
  expect(got).toMatch(/^LOOP_LEASH=\w{24}$/m);
  expect(got).not.toContain("s3cret");
});

test("parses the output of ps where there is no /proc", () => {
  const text = "  12   1   12 Ss   Mon Jan  5 10:00:00 2026\n  13  12   12 Z+   Mon Jan  5 10:00:01 2026\nrubbish\n";
  const at = Date.parse("Mon Jan  5 10:00:00 2026") / 1000;
  expect(parsePs(text)).toEqual([
    { pid: 12, parent: 1, group: 12, startTicks: at, dead: false },
    { pid: 13, parent: 12, group: 12, startTicks: at + 1, dead: true },
  ]);
  const shown = "  12 sleep 300 HOME=/root LOOP_SESSION=a1\n  13 sleep LOOP_SESSION=a12 X=1\n";
  expect(parsePsEnvironment(shown, "LOOP_SESSION=a1")).toEqual([12]);
});
