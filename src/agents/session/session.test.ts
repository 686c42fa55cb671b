// A session that is interrupted anywhere and requested again: run once, paid once, with no process left.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { noUsage } from "../../core/session.ts";
import { bootId, readProcess } from "../../host/process/processes.ts";
import { sweep } from "../../host/process/tree.ts";
import { aRequest, eventually, startRuntime } from "../../testing/agent-suite.ts";
import { removeCompiled } from "../../testing/compiled.ts";
import type { Agent, SessionRequest, Sign } from "../agent.ts";
import { commandAgent } from "../command/command.ts";
import { replyEnding } from "../reply/reply.ts";
import { runSession } from "./session.ts";
import { readLaunch } from "./session-folder.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loop-session-")));
});
afterAll(removeCompiled);
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = () => new AbortController().signal;
const shell = (script: string): Agent => commandAgent({ kind: "command", command: ["sh", "-c", script], costUsd: 1 });
const replying = `echo '{"status":"done"}' > "$LOOP_REPLY_FILE"`;
const read = (path: string) => readFileSync(join(folder, "workspace", path), "utf8");

/** As if the runtime had died at that moment: a launch on disk, and the agent's files. */
function cut(request: SessionRequest, part: number, files: Record<string, string>, pid: number | null = 1 << 22): void {
  mkdirSync(request.folder, { recursive: true });
  const process = pid === null ? null : { pid, startTicks: 1 };
  writeFileSync(
    join(request.folder, `launch-${part}.json`),
    JSON.stringify({ version: 1, part, at: Date.now(), process }),
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(join(request.folder, name), text);
}

test("a session that had replied when the runtime died is not run again", async () => {
  const request = aRequest(folder);
  cut(request, 1, { "stdout-1": "hello\n", "reply.json": '{"status":"done"}' });
  const result = await runSession(shell("touch ran"), request, { signal: never() });
  expect(result).toMatchObject({ how: "replied", reply: { status: "done" }, parts: 1, usage: { costUsd: 1 } });
  expect(existsSync(join(folder, "workspace", "ran"))).toBe(false);
});

test("a session with half a reply when the runtime died continues, and its price is paid once", async () => {
  const request = aRequest(folder);
  cut(request, 1, { "stdout-1": "hello\n", "reply.json": '{"status":"do' });
  const result = await runSession(shell(`echo "$LOOP_RESUME" > resume; ${replying}`), request, { signal: never() });
  expect(result).toMatchObject({ how: "replied", parts: 2, usage: { costUsd: 1 } });
  expect(read("resume")).toBe("1\n");
});

test("its result names the provider, and the agent's own name for the conversation", async () => {
  const request = aRequest(folder);
  const script = `echo '{"sign":"native-id","id":"thread-7"}'; ${replying}`;
  await runSession(telling(script), request, { signal: never() });
  const kept = JSON.parse(readFileSync(join(request.folder, "result.json"), "utf8"));
  expect(kept).toMatchObject({ provider: "command", session_id: "thread-7" });
});

test("a reply from before the process started does not count", async () => {
  const request = aRequest(folder);
  mkdirSync(request.folder, { recursive: true });
  writeFileSync(join(request.folder, "reply.json"), '{"status":"done"}');
  const result = await runSession(shell("true"), request, { signal: never() });
  expect(result).toMatchObject({ how: "failed", failure: { class: "no-result" } });
});

test("a recorded launch that never started is started, not resumed", async () => {
  const request = aRequest(folder);
  cut(request, 1, {}, null);
  const result = await runSession(shell(`echo "$LOOP_RESUME" > resume; ${replying}`), request, { signal: never() });
  expect(result).toMatchObject({ how: "replied", parts: 1, usage: { costUsd: 1 } });
  expect(read("resume")).toBe("\n");
});

test("a session that was interrupted five times has failed", async () => {
  const request = aRequest(folder);
  for (const part of [1, 2, 3, 4, 5]) cut(request, part, { [`stdout-${part}`]: "x\n" });
  const result = await runSession(shell("touch ran"), request, { signal: never() });
  expect(result).toMatchObject({ how: "failed", failure: { class: "crashed" }, parts: 5, usage: { costUsd: 1 } });
  expect(existsSync(join(folder, "workspace", "ran"))).toBe(false);
});

test("an unreadable launch record still counts as a part", async () => {
  const request = aRequest(folder);
  cut(request, 1, { "stdout-1": "x\n", "launch-1.json": "{torn" });
  expect(await runSession(shell(replying), request, { signal: never() })).toMatchObject({ how: "replied", parts: 2 });
});

test("strays of an earlier part are ended before the next starts", async () => {
  const request = aRequest(folder);
  const stray = spawnSync("sh", ["-c", "setsid sleep 300 >/dev/null 2>&1 & echo $!"], {
    env: { PATH: process.env["PATH"], LOOP_SESSION: request.session },
    encoding: "utf8",
  });
  await eventually(() => sweep(`LOOP_SESSION=${request.session}`).length === 1);
  cut(request, 1, { "stdout-1": "x\n" });
  const result = await runSession(shell(replying), request, { signal: never() });
  expect(result).toMatchObject({ how: "replied", strays: 1 });
  expect(readProcess(Number(stray.stdout))?.dead !== false).toBe(true);
});

test("a process with the pid of an earlier part, but another start time, is left alone", async () => {
  const request = aRequest(folder);
  cut(request, 1, { "stdout-1": "x\n" }, process.ppid);
  await runSession(shell(replying), request, { signal: never() });
  expect(readProcess(process.ppid)?.dead).toBe(false);
});

test.each([
  { when: "of this boot is ended", boot: bootId(), left: false },
  { when: "of another boot is somebody else by now, and left alone", boot: "another", left: true },
])("the recorded process $when", async ({ boot, left }) => {
  const request = aRequest(folder);
  const sleeper = spawn("sleep", ["300"], { env: { PATH: process.env["PATH"] }, stdio: "ignore", detached: true });
  const pid = sleeper.pid ?? 0;
  const startTicks = readProcess(pid)?.startTicks ?? 0;
  cut(request, 1, { "stdout-1": "x\n" });
  const record = { version: 1, part: 1, at: Date.now(), boot, process: { pid, startTicks } };
  writeFileSync(join(request.folder, "launch-1.json"), JSON.stringify(record));
  await runSession(shell(replying), request, { signal: never() });
  expect(readProcess(pid)?.dead === false).toBe(left);
  sleeper.kill("SIGKILL");
});

test("an error in our own code leaves no agent running", async () => {
  const request = aRequest(folder);
  const onSign = () => {
    throw new Error("ours");
  };
  const ending = runSession(shell("echo x; sleep 300"), request, { signal: never(), onSign });
  await expect(ending).rejects.toThrow("ours");
  expect(sweep(`LOOP_SESSION=${request.session}`)).toEqual([]);
});

test("the intent is on disk before the process runs, with names of variables but no values", async () => {
  const request = aRequest(folder);
  process.env["SUITE_TOKEN"] = "s3cret";
  const script = `cp "$(dirname "$LOOP_REPLY_FILE")/launch-1.json" seen; ${replying}`;
  await runSession(commandAgent({ kind: "command", command: ["sh", "-c", script], env: ["SUITE_TOKEN"] }), request, {
    signal: never(),
  });
  expect(JSON.parse(read("seen"))).toMatchObject({ part: 1, file: "sh", cwd: request.cwd });
  expect(read("seen")).toContain("SUITE_TOKEN");
  expect(read("seen")).not.toContain("s3cret");
  const after = JSON.parse(readFileSync(join(request.folder, "launch-1.json"), "utf8"));
  expect(after.process.pid).toBeGreaterThan(1);
});

/** Prints signs as JSON lines. */
function telling(script: string): Agent {
  const reader = () => ({
    line: (text: string) => [JSON.parse(text) as Sign],
    end: (exit: Parameters<typeof replyEnding>[0], files: Parameters<typeof replyEnding>[1]) => ({
      ...replyEnding(exit, files, 0.5),
      nativeId: null,
    }),
  });
  return { ...shell(script), reader };
}

test("signs are counted, and a line that makes the reader throw is skipped", async () => {
  const edit = (path: string) => `echo '{"sign":"edit","path":"${path}"}'`;
  const context = `echo '{"sign":"context","used":10,"size":100}'; echo '{"sign":"native-id","id":"n1"}'`;
  const script = [edit("a"), edit("b"), edit("a"), "echo no json", context, replying].join("; ");
  const seen: Sign[] = [];
  const result = await runSession(telling(script), aRequest(folder), {
    signal: never(),
    onSign: (sign) => seen.push(sign),
  });
  expect(result).toMatchObject({
    how: "replied",
    nativeId: "n1",
    editsMax: { path: "a", times: 2 },
    contextUsed: 10,
    contextSize: 100,
  });
  expect(seen).toHaveLength(5);
});

test("lines without progress do not keep a session alive", async () => {
  const script = `while :; do echo '{"sign":"usage"}'; sleep 0.05; done`;
  const result = await runSession(telling(script), aRequest(folder, { silenceMs: 600 }), { signal: never() });
  expect(result).toMatchObject({ how: "failed", failure: { class: "silent" } });
});

test("a session that reports more tokens than are left is ended, and its agent knew how many there were", async () => {
  const used = JSON.stringify({ sign: "usage", usage: { inputTokens: 900, outputTokens: 101 } });
  const script = `echo "$LOOP_TOKENS_MAX" > most; echo '${used}'; sleep 60; ${replying}`;
  const result = await runSession(telling(script), aRequest(folder, { tokensMax: 1000 }), { signal: never() });
  expect(result).toMatchObject({
    how: "failed",
    failure: { class: "out-of-tokens", text: expect.stringContaining("1000 were left") },
  });
  expect(read("most")).toBe("1000\n");
});

test("a session that fills the disk after its reply has failed", async () => {
  const script = `${replying}; head -c 40000000 /dev/zero > filling; sleep 60`;
  const result = await runSession(telling(script), aRequest(folder, {}), { signal: never(), diskBytesMax: 20e6 });
  expect(result).toMatchObject({ how: "failed", failure: { text: expect.stringContaining("limits.disk_gb") } });
});

test("the conversation's name is passed to the next part", async () => {
  const request = aRequest(folder);
  cut(request, 1, { "stdout-1": '{"sign":"native-id","id":"n1"}\n' });
  const agent = telling(replying);
  const launched: SessionRequest[] = [];
  const spying: Agent = {
    ...agent,
    launch: (asked) => {
      launched.push(asked);
      return agent.launch(asked);
    },
  };
  await runSession(spying, request, { signal: never() });
  expect(launched.map(({ part, nativeId }) => [part, nativeId])).toEqual([[2, "n1"]]);
});

test("a reader that throws at the end gives a failure with unknown cost", async () => {
  const reader = () => ({
    line: () => [],
    end: () => {
      throw new Error("no");
    },
  });
  const result = await runSession({ ...shell(replying), reader }, aRequest(folder), { signal: never() });
  expect(result).toMatchObject({ how: "failed", failure: { class: "crashed" }, usage: { ...noUsage, costUsd: null } });
});

test("a session that another runtime runs is waited for, not run twice", async () => {
  const request = aRequest(folder);
  const script = `echo x >> starts; sleep 1; ${replying}`;
  const runtime = startRuntime(folder, shell(script), request);
  await eventually(() => existsSync(join(folder, "workspace", "starts")));
  const result = await runSession(shell(script), request, { signal: never() });
  await runtime.done;
  expect(result.parts).toBe(1);
  expect(read("starts")).toBe("x\n");
});

test("waiting for another runtime can be aborted", async () => {
  const request = aRequest(folder);
  const runtime = startRuntime(folder, shell("echo x >> starts; sleep 1"), request);
  await eventually(() => existsSync(join(folder, "workspace", "starts")));
  expect(await runSession(shell("true"), request, { signal: AbortSignal.timeout(50) })).toMatchObject({
    how: "interrupted",
  });
  await runtime.done;
});

test.each([1, 2, 3])("a runtime killed at random moments (%i) pays each part once", async () => {
  const request = aRequest(folder);
  const script = `echo "\${LOOP_RESUME:-0}" >> starts; [ "$(wc -l < starts)" -ge 3 ] || sleep 300; ${replying}`;
  for (const part of [1, 2]) {
    const runtime = startRuntime(folder, { ...telling(script) }, { ...request, part });
    await eventually(() => existsSync(join(folder, "workspace", "starts")) && read("starts").split("\n").length > part);
    // Before its pid is recorded, a part without output cannot be told from one that never started.
    await eventually(() => readLaunch(request.folder, part)?.process != null);
    await pause(5 + Math.random() * 60);
    process.kill(runtime.pid, "SIGKILL");
  }
  const result = await runSession(telling(script), request, { signal: never() });
  expect(result).toMatchObject({ how: "replied", parts: 3, usage: { costUsd: 1.5 } });
  expect(read("starts")).toBe("0\n1\n1\n");
  expect(sweep(`LOOP_SESSION=${request.session}`)).toEqual([]);
});

test("a folder that cannot be created needs a person", async () => {
  writeFileSync(join(folder, "file"), "");
  const request = aRequest(folder, { folder: join(folder, "file", "session") });
  await expect(runSession(shell("true"), request, { signal: never() })).rejects.toMatchObject({
    code: "disk-unwritable",
  });
});

const small = (path: string) => {
  mkdirSync(path);
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]).status === 0;
};
test("a full disk stops the session, leaves no process, and needs a person", async ({ skip }) => {
  const disk = join(folder, "disk");
  if (!small(disk)) skip("a small disk cannot be mounted here");
  try {
    const request = aRequest(folder, { folder: join(disk, "session") });
    const script = `yes | head -c 200000; dd if=/dev/zero of="$(dirname "$LOOP_REPLY_FILE")/fill" bs=1k count=64; sleep 0.2`;
    await expect(runSession(shell(script), request, { signal: never() })).rejects.toMatchObject({ code: "disk-full" });
    expect(sweep(`LOOP_SESSION=${request.session}`)).toEqual([]);
  } finally {
    spawnSync("umount", [disk]);
  }
});
