// The leash: gone with the runtime, and what it holds with it.
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
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

test("a leash that is closed goes, and ends nobody", async () => {
  const marker = unique();
  const leash = leashFor(marker);
  const held = child(marker);
  await pause(300);
  const { pid } = leash;
  leash.close();
  expect(await eventually(() => !alive(pid))).toBe(true);
  expect(alive(held)).toBe(true);
});

test("a leash that dies is replaced", async () => {
  const leash = leashFor(unique());
  const first = leash.pid;
  expect(alive(first)).toBe(true);
  process.kill(first ?? 0, "SIGKILL");
  expect(await eventually(() => leash.pid !== first && alive(leash.pid))).toBe(true);
});

test("a leash does not go for a signal of the terminal", async () => {
  const leash = leashFor(unique());
  await pause(500); // It cannot refuse before it is up.
  const { pid } = leash;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid ?? 0, signal);
  await pause(300);
  expect(leash.pid).toBe(pid);
  expect(alive(pid)).toBe(true);
});
