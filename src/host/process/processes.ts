// Lists processes, and tells a process from a later one with the same pid.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { ownPath, systemProgram } from "../own-programs.ts";
import { parsePs, parsePsEnvironment } from "./ps.ts";

/** A pid is reused; a pid together with its start time is unique until the next boot. */
export type ProcessId = { pid: number; startTicks: number };
export type Process = ProcessId & { parent: number; group: number; dead: boolean };

const hasProc = process.platform === "linux" && fs.existsSync("/proc/self/stat");

export function listProcesses(): Process[] {
  if (!hasProc) return parsePs(ps(["-axww", "-o", "pid=,ppid=,pgid=,stat=,lstart="]));
  const found: Process[] = [];
  for (const name of fs.readdirSync("/proc")) {
    const code = name.charCodeAt(0);
    if (code < 48 || code > 57) continue;
    const one = readProcess(Number(name));
    if (one !== null) found.push(one);
  }
  return found;
}

/** Null when it has exited. A zombie is still found, as `dead`. */
export function readProcess(pid: number): Process | null {
  if (!hasProc) return parsePs(ps(["-ww", "-o", "pid=,ppid=,pgid=,stat=,lstart=", "-p", String(pid)]))[0] ?? null;
  const text = readQuietly(`/proc/${pid}/stat`, "a line");
  if (text === null) return null;
  // The name is in parentheses and may contain anything, even parentheses and spaces: count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "Z";
  const dead = state === "Z" || state === "X";
  return { pid, parent: Number(fields[1]), group: Number(fields[2]), startTicks: Number(fields[19]), dead };
}

export function isAlive(id: ProcessId): boolean {
  const found = readProcess(id.pid);
  return found !== null && !found.dead && found.startTicks === id.startTicks;
}

/** Sends a signal unless the pid belongs to another process by now. False when it was not delivered. */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
  return isAlive(id) && killQuietly(id.pid, signal);
}

export function killQuietly(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // It has exited, or we may not signal it: the next look decides.
  }
}

/** The processes whose environment holds `marker` ("NAME=value") as they were started. */
export function carriersOf(marker: string, among: readonly Process[]): Process[] {
  if (!hasProc) {
    const carriers = new Set(parsePsEnvironment(ps(["-axwwE", "-o", "pid=,command="]), marker));
    return among.filter((one) => carriers.has(one.pid));
  }
  return among.filter((one) => !one.dead && hasMarker(readQuietly(`/proc/${one.pid}/environ`), marker));
}

function hasMarker(environ: string | null, marker: string): boolean {
  if (environ === null) return false;
  return environ.startsWith(`${marker}\0`) || environ.includes(`\0${marker}\0`) || environ.endsWith(`\0${marker}`);
}

/** The processes that can still write to one of these files. Readers (a person's `tail -f`) do not count. */
export function writersOf(paths: readonly string[], among: readonly Process[]): Process[] {
  if (!hasProc || paths.length === 0) return [];
  const wanted = new Set(paths);
  return among.filter((one) => !one.dead && one.pid !== process.pid && writesTo(one.pid, wanted));
}

function writesTo(pid: number, wanted: ReadonlySet<string>): boolean {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).some((fd) => {
      if (!wanted.has(linkQuietly(`/proc/${pid}/fd/${fd}`))) return false;
      const flags = /^flags:\s+([0-7]+)/m.exec(readQuietly(`/proc/${pid}/fdinfo/${fd}`) ?? "")?.[1] ?? "0";
      return (Number.parseInt(flags, 8) & 3) !== 0;
    });
  } catch {
    return false; // Exited, or another user's.
  }
}

/** This process and its ancestors: never ended by us, even if they carry a marker. */
export function ourselves(among: readonly Process[]): Set<number> {
  const parents = new Map(among.map((one) => [one.pid, one.parent]));
  const line = new Set<number>([1]);
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = parents.get(pid) ?? 0) line.add(pid);
  return line;
}

/** Start ticks count from boot, so they are only meaningful together with it. */
export function bootId(): string {
  return readQuietly("/proc/sys/kernel/random/boot_id")?.trim() ?? "unknown";
}

// One buffer for all reads: /proc files report no size, and node would allocate 64 KB each, thousands a minute.
const room = Buffer.allocUnsafe(16 << 10);

/** The kernel returns a line in one piece; a longer file is cut at the size asked for. */
function readQuietly(path: string, much: "a line" | "all" = "all"): string | null {
  let fd: number | null = null;
  try {
    fd = fs.openSync(path, "r");
    let text = "";
    for (let size = -1; size !== 0; ) {
      size = fs.readSync(fd, room);
      text += room.toString("latin1", 0, size);
      if (much === "a line") break;
    }
    return text;
  } catch {
    return null;
  } finally {
    if (fd !== null) fs.closeSync(fd);
  }
}

function linkQuietly(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "";
  }
}

function ps(args: string[]): string {
  const ran = spawnSync(systemProgram("ps"), args, {
    encoding: "utf8",
    env: { PATH: ownPath(), LC_ALL: "C" },
    maxBuffer: 1 << 27,
  });
  return ran.stdout ?? "";
}
