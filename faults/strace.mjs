// Faults injected by strace: one system call of the loop's main process kills it, or fails. Our code is unaware.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";

/** Calls that change the world, and calls that wait for a process that does. */
export const changing = [
  "write",
  "pwrite64",
  "fsync",
  "fdatasync",
  "ftruncate",
  "rename",
  "unlink",
  "rmdir",
  "mkdir",
  "link",
  "symlink",
  "chmod",
  "copy_file_range",
  "clone",
  "wait4",
];

/** Why it cannot be used here, or null. A container may have it and forbid it. */
export function straceMissing() {
  const probe = spawnSync("strace", ["-qq", "-o", "/dev/null", "-e", "trace=none", "true"], { encoding: "utf8" });
  if (probe.error !== undefined) return "strace is not installed (Debian: apt-get install strace)";
  return probe.status === 0 ? null : `strace may not trace here: ${probe.stderr.trim().slice(0, 200)}`;
}

// Without -f only the main thread is traced, which is where the loop writes, renames, syncs and starts processes.
const base = (log, calls) => ["strace", "-qq", "-y", "-e", "signal=none", "-o", log, "-e", `trace=${calls.join(",")}`];

export const watching = (log) => base(log, [...changing, "openat"]);

/** `fault` in strace's syntax: `signal=KILL` or `error=ENOSPC`. A kill happens before the call has any effect. */
export const injecting = (log, { call, nth }, fault, onwards = false) => [
  ...base(log, [call]),
  "-e",
  `inject=${call}:${fault}:when=${nth}${onwards ? "+" : ""}`,
];

/** The calls of an undisturbed run, in order: which call, its number among calls of its kind, and its subject. */
export function readCalls(log) {
  const seen = new Map();
  return fs
    .readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, call] = /^(\w+)\(/.exec(line) ?? [];
      if (call === undefined) return [];
      const nth = (seen.get(call) ?? 0) + 1;
      seen.set(call, nth);
      return isChange(call, line) ? [{ call, nth, about: aboutOf(line) }] : [];
    });
}

/** Opening is a change only if it creates; a write to a pipe or an event is internal to node. */
const isChange = (call, line) =>
  call === "openat"
    ? line.includes("O_CREAT")
    : call !== "write" || !/^write\(\d+<(?:anon_inode|pipe|socket)/.test(line);

/** Whether the fault was injected, by strace's log: its last line is a call without a result, or one that it failed. */
export function wasInjected(log) {
  const text = fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "";
  return /\(INJECTED\)|\+\+\+ killed by SIGKILL|= \?\s*$/.test(text);
}

/** The first failed call, in strace's format; null: none. */
export function firstRefused(log) {
  const text = fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "";
  return text.split("\n").find((line) => line.includes("(INJECTED)")) ?? null;
}

export const logIn = (dir, name) => join(dir, `strace-${name}.log`);

/** Without parts that differ between runs, so that points of one kind can be counted together. */
function aboutOf(line) {
  return line
    .slice(0, 400)
    .replaceAll(/"(?:[^"\\]|\\.)*"\.*/g, (text) => `"${text.split("/").slice(-2).join("/").replaceAll('"', "")}"`)
    .replaceAll(/[0-9a-f]{12,}|\d{8}-[\d.]+/g, "*")
    .slice(0, 160);
}
