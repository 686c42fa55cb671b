// Whether this process has its terminal to itself. A job in the background that changes the terminal's mode is stopped
// by the system, and so would be the run.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ownPath, systemProgram } from "../own-programs.ts";

export function isForeground(): boolean {
  try {
    return process.platform === "linux" ? byProc() : byPs();
  } catch {
    return false;
  }
}

/** `pid (name) state ppid pgrp session tty_nr tpgid …`, and the name can be anything. */
function byProc(): boolean {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group !== undefined && group === foreground;
}

const byPs = (): boolean =>
  spawnSync(systemProgram("ps"), ["-o", "stat=", "-p", String(process.pid)], {
    encoding: "utf8",
    env: { PATH: ownPath() },
  }).stdout.includes("+");
