// Who holds a lock: enough to tell a living owner from a dead one, even if its pid was reused.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { lockFile } from "../../formats/kept/other-files.ts";
import { ownPath, systemProgram } from "../own-programs.ts";

export type Owner = {
  v: 1;
  pid: number;
  /** When the process started: clock ticks since boot on Linux, a date elsewhere. Pid and start are unique. */
  start: string | null;
  boot: string | null;
  host: string;
  pidNamespace: string | null;
  netNamespace: string | null;
  since: string;
  about: string;
  /** Unique per owner, so that a file can be told from its successor. */
  nonce: string;
};

export function thisProcess(about: string): Owner {
  return {
    v: 1,
    pid: process.pid,
    start: startOf(process.pid),
    boot: firstLine("/proc/sys/kernel/random/boot_id"),
    host: hostname(),
    pidNamespace: linkTarget("/proc/self/ns/pid"),
    netNamespace: linkTarget("/proc/self/ns/net"),
    since: new Date().toISOString(),
    about,
    nonce: randomBytes(12).toString("hex"),
  };
}

/** Null: not written by a holder, since holders write their file in one piece. */
export function parseOwner(text: string): Owner | null {
  return lockFile.parseIfPossible<Owner>(text);
}

/** Only meaningful where pids are comparable: same kernel, same pid namespace. */
export function isAlive({ pid, start }: Owner): boolean {
  const now = startOf(pid);
  return now !== null && (start === null || now === start);
}

/** Null when there is no such process, or only a zombie, which holds nothing. */
function startOf(pid: number): string | null {
  return process.platform === "linux" ? startTicks(pid) : startDate(pid);
}

function startTicks(pid: number): string | null {
  const stat = firstLine(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name, in parentheses, may contain anything, so count fields from its end: state is the 3rd, start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}

function startDate(pid: number): string | null {
  const env = { PATH: ownPath(), LC_ALL: "C", TZ: "UTC" };
  const args = ["-o", "stat=,lstart=", "-p", String(pid)];
  const { stdout, status } = spawnSync(systemProgram("ps"), args, { encoding: "utf8", env });
  const [state = "", ...date] = (stdout ?? "").trim().split(/\s+/);
  return status !== 0 || state === "" || state.startsWith("Z") ? null : date.join(" ");
}

function firstLine(path: string): string | null {
  try {
    return fs.readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    return fs.readlinkSync(path);
  } catch {
    return null;
  }
}
