// Checks that behave, and checks that do not.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Door } from "../../host/confine/confine.ts";
import { openDoor } from "../../host/confine/none.ts";
import { readProcess } from "../../host/process/processes.ts";
import type { CheckOrder } from "../check.ts";
import { commandChecks } from "./command-check.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-check-"));
  mkdirSync(join(folder, "tree"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";
const never = () => new AbortController().signal;
function order(command: string, changes: Partial<CheckOrder> = {}): CheckOrder {
  const outputFile = join(folder, "logs", "check.log");
  const place = { cwd: join(folder, "tree"), env: { PATH }, door: openDoor };
  return { name: "test", command, ...place, timeoutMs: 30_000, outputFile, ...changes };
}
const run = (command: string, changes: Partial<CheckOrder> = {}) => commandChecks.run(order(command, changes), never());
const gone = (name: string): boolean =>
  readProcess(Number(readFileSync(join(folder, "tree", name), "utf8").trim()))?.dead !== false;

test.each([
  { command: "echo fine", how: "passed", exitCode: 0, tail: "fine" },
  { command: "echo broken >&2; exit 3", how: "failed", exitCode: 3, tail: "broken" },
  { command: "kill -SEGV $$", how: "failed", exitCode: null, tail: "" },
  { command: "no-such-command-here", how: "not-found", exitCode: 127, tail: "no-such-command-here" },
  { command: "./tree-that-is-not", how: "not-found", exitCode: 127, tail: "not" },
  {
    command: "printf '\\033[31mred\\033[0m\\033]52;c;aGk=\\007 \\000end'",
    how: "passed",
    exitCode: 0,
    tail: "red end",
  },
  { command: "printf 'loading 1%%\\rloading 99%%\\rdone\\n'", how: "passed", exitCode: 0, tail: "done" },
])("$command has $how", async ({ command, how, exitCode, tail }) => {
  const result = await run(command);
  expect(result).toMatchObject({ name: "test", how, exitCode, leftBehind: 0 });
  expect(result.tail).toContain(tail);
  expect(result.tail).not.toMatch(/[\u0000\u001b\r]/);
});

test("a check has the ordered environment and nothing else", async () => {
  process.env["SUITE_API_KEY"] = "s3cret";
  const result = await run("env", { env: { PATH, EXTRA: "yes" } });
  const names = result.tail.split("\n").map((line) => line.split("=")[0]);
  const byShell = ["PWD", "OLDPWD", "SHLVL", "_"];
  expect(names.filter((name) => !byShell.includes(name ?? "")).sort()).toEqual([
    "EXTRA",
    "LOOP_CHECK",
    "LOOP_LEASH",
    "PATH",
  ]);
});

test("the shell starts through the check's door", async () => {
  const door: Door = (start) =>
    openDoor({ ...start, file: "env", args: ["GREETING=hello", start.file, ...start.args] });
  const result = await run('echo "$0 $GREETING"', { door });
  expect(result).toMatchObject({ how: "passed", tail: "/bin/sh hello" });
});

test("a check has an empty stdin", async () => {
  expect(await run("cat; echo end")).toMatchObject({ how: "passed", tail: "end" });
});

test("a check that takes too long is ended, with everything it started", async () => {
  const command = `trap "" TERM; echo $$ > one; setsid sh -c 'trap "" TERM; echo $$ > two; sleep 300' & sleep 300; sleep 300`;
  const result = await run(command, { timeoutMs: 500 });
  expect(result).toMatchObject({ how: "timed-out", exitCode: null });
  expect([gone("one"), gone("two")]).toEqual([true, true]);
});

test("a server that a check leaves behind is ended and counted", async () => {
  const result = await run(`setsid sh -c 'echo $$ > server; exec sleep 300' >/dev/null 2>&1 & sleep 0.3; exit 0`);
  expect(result).toMatchObject({ how: "passed", leftBehind: 1 });
  expect(gone("server")).toBe(true);
});

test("an abort ends a check, and an earlier abort keeps it from starting", async () => {
  const abort = new AbortController();
  const result = commandChecks.run(order("echo $$ > one; exec sleep 300"), abort.signal);
  await pause(300);
  abort.abort();
  expect(await result).toMatchObject({ how: "interrupted" });
  expect(gone("one")).toBe(true);
  expect(await commandChecks.run(order("touch ran"), AbortSignal.abort())).toMatchObject({ how: "interrupted" });
  expect(() => statSync(join(folder, "tree", "ran"))).toThrow();
});

test("200 MB of output stay small on disk, with head and tail", async () => {
  const result = await run("echo first; yes 'some line of output' | head -c 200000000; echo; echo last; exit 1");
  expect(result).toMatchObject({ how: "failed", exitCode: 1 });
  expect(result.tail.endsWith("last")).toBe(true);
  expect(result.tail.length).toBeLessThanOrEqual(4096);
  const kept = readFileSync(order("").outputFile, "utf8");
  expect(kept.startsWith("first\n")).toBe(true);
  expect(kept).toContain("bytes were left out here");
  expect(kept.length).toBeLessThan(70 << 20);
});

test("a check in a missing folder is not found, and says so", async () => {
  const result = await run("true", { cwd: join(folder, "nowhere") });
  expect(result).toMatchObject({ how: "not-found", exitCode: null });
  expect(result.tail).toContain("nowhere");
});

test("a check that removes its own output still has a result", async () => {
  expect(await run(`rm -f ../logs/check.log; mkfifo ../logs/check.log; exit 1`)).toMatchObject({ how: "failed" });
});

test("the same failure has the same signature, another one a different one", async () => {
  const failing = (what: string) => `echo "at $(date +%s%N | cut -c1-13) in $PWD/a.js:$$: ${what} [pid $$]"; exit 1`;
  mkdirSync(join(folder, "tree2"));
  const first = await run(failing("boom"));
  const second = await run(failing("boom"), { cwd: join(folder, "tree2") });
  const other = await run(failing("bang"));
  expect(second.signature).toBe(first.signature);
  expect(other.signature).not.toBe(first.signature);
});
