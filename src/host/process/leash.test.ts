// The leash: ends with the runtime, and ends everything under it.
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { type Leash, startLeash } from "./leash.ts";
import { readProcess } from "./processes.ts";

const open: Leash[] = [];
const children: number[] = [];
afterEach(() => {
  for (const leash of open.splice(0)) leash.close();
  for (const pid of children.splice(0)) {
    if (readProcess(pid)?.dead === false) process.kill(pid, "SIGKILL");
  }
});

function leashFor(marker: string): Leash {
  const leash = startLeash({ run: "run-test", marker });
  open.push(leash);
  return leash;
}

function child(marker: string): number {
  const [name = "", value = ""] = marker.split("=");
  const started = spawn("sleep", ["300"], { env: { PATH: process.env["PATH"], [name]: value }, stdio: "ignore" });
  children.push(started.pid ?? 0);
  return started.pid ?? 0;
}

const alive = (pid: number | null): boolean => pid !== null && readProcess(pid)?.dead === false;
async function eventually(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 250 && !holds(); tries += 1) await pause(20);
  return holds();
}
const unique = () => `LOOP_TEST=leash-${process.pid}-${Math.random().toString(36).slice(2)}`;

test("a closed leash exits and ends no process", async () => {
  const marker = unique();
  const leash = leashFor(marker);
  const held = child(marker);
  await pause(300);
  const { pid } = leash;
  leash.close();
  expect(await eventually(() => !alive(pid))).toBe(true);
  expect(alive(held)).toBe(true);
});

test("when the runtime dies, all processes with the marker die, even deaf ones and ones without env", async () => {
  const marker = unique();
  const folder = mkdtempSync(join(tmpdir(), "loop-leash-"));
  const deaf = "trap '' TERM INT HUP; while :; do sleep 1; done";
  const [name = "", value = ""] = marker.split("=");
  const script = `echo $$ > one; env -i setsid sh -c "echo \\$\\$ > two; ${deaf}" & ${deaf}`;
  const env = { PATH: process.env["PATH"], [name]: value };
  const parent = spawn("sh", ["-c", script], { cwd: folder, env, stdio: "ignore", detached: true });
  children.push(parent.pid ?? 0);
  expect(await eventually(() => existsSync(join(folder, "two")))).toBe(true);
  const other = child(unique());
  const pids = ["one", "two"].map((file) => Number(readFileSync(join(folder, file), "utf8")));
  const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
  const leash = spawn(process.execPath, [program, marker], { stdio: ["pipe", "ignore", "ignore"] });
  leash.stdin.end(); // As the kernel does when the runtime dies.
  const code = await new Promise((resolve) => leash.once("exit", resolve));
  expect(code).toBe(0);
  expect(pids.map(alive)).toEqual([false, false]);
  expect(alive(other)).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});

test("a daemon without environment and parents is found by its open output, and a reader is left alone", async () => {
  const marker = unique();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loop-leash-")));
  const output = join(folder, 'out "1"');
  writeFileSync(output, "");
  const deaf = `trap '' TERM INT HUP; echo $$ > ${folder}/daemon; while :; do sleep 1; done`;
  const fd = openSync(output, "a");
  spawn("sh", ["-c", '(env -i setsid sh -c "$0" &); exit 0', deaf], { stdio: ["ignore", fd, fd] });
  closeSync(fd);
  const reader = spawn("tail", ["-f", output], { stdio: "ignore" });
  children.push(reader.pid ?? 0);
  const written = () =>
    existsSync(join(folder, "daemon")) && readFileSync(join(folder, "daemon"), "utf8").endsWith("\n");
  expect(await eventually(written)).toBe(true);
  const daemon = Number(readFileSync(join(folder, "daemon"), "utf8"));
  children.push(daemon);
  const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
  const leash = spawn(process.execPath, [program, marker], { stdio: ["pipe", "ignore", "ignore"] });
  leash.stdin.write(`watch ${JSON.stringify(output)}`);
  leash.stdin.end("\n");
  expect(await new Promise((resolve) => leash.once("exit", resolve))).toBe(0);
  expect(alive(daemon)).toBe(false);
  expect(alive(reader.pid ?? 0)).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});

test("a process older than the runtime is left alone, even if it writes to a watched file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-leash-"));
  const output = join(folder, "out");
  const fd = openSync(output, "a");
  const older = spawn("sleep", ["60"], { stdio: ["ignore", fd, "ignore"] });
  children.push(older.pid ?? 0);
  await pause(50); // The kernel counts in hundredths of a second.
  const program = fileURLToPath(new URL("./leash-main.mjs", import.meta.url));
  const order = '"$0" "$1" "$2"; exit $?'; // The shell stays, in the role of the runtime.
  const runtime = spawn("sh", ["-c", order, process.execPath, program, unique()], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  runtime.stdin.end(`watch ${JSON.stringify(output)}\n`);
  expect(await new Promise((resolve) => runtime.once("exit", resolve))).toBe(0);
  expect(alive(older.pid ?? 0)).toBe(true);
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

test("a leash that dies is replaced", async () => {
  const leash = leashFor(unique());
  const first = leash.pid;
  expect(alive(first)).toBe(true);
  process.kill(first ?? 0, "SIGKILL");
  expect(await eventually(() => leash.pid !== first && alive(leash.pid))).toBe(true);
});

test("a leash ignores signals from the terminal", async () => {
  const leash = leashFor(unique());
  await pause(500); // It cannot ignore signals before it is up.
  const { pid } = leash;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid ?? 0, signal);
  await pause(300);
  expect(leash.pid).toBe(pid);
  expect(alive(pid)).toBe(true);
});
