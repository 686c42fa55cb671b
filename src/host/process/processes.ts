// Which processes there are, and what tells one from another that later got the same number.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { parsePs, parsePsEnvironment } from "./ps.ts";

/** A pid is reused; a pid with the moment its process started is not, until the next boot. */
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

/** Null when it is gone. A zombie is still found, as `dead`. */
export function readProcess(pid: number): Process | null {
  if (!hasProc) return parsePs(ps(["-ww", "-o", "pid=,ppid=,pgid=,stat=,lstart=", "-p", String(pid)]))[0] ?? null;
  const text = readQuietly(`/proc/${pid}/stat`, "a line");
  if (text === null) return null;
  // The command's name is in brackets and may hold anything, brackets and spaces included: count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "Z";
  const dead = state === "Z" || state === "X";
  return { pid, parent: Number(fields[1]), group: Number(fields[2]), startTicks: Number(fields[19]), dead };
}

export function isAlive(id: ProcessId): boolean {
  const found = readProcess(id.pid);
  return found !== null && !found.dead && found.startTicks === id.startTicks;
}

/** Sends a signal unless the number belongs to another process by now. False when nobody got it. */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
  return isAlive(id) && killQuietly(id.pid, signal);
}

export function killQuietly(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // It was gone, or it is not ours to signal: the next look around decides.
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

/** The processes that can still write to one of these files; whoever only reads them (a person's `tail -f`) is let be. */
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
    return false; // Gone, or another user's.
  }
}

/** We and those who started us: never to be ended by us, whatever marker they carry. */
export function ourselves(among: readonly Process[]): Set<number> {
  const parents = new Map(among.map((one) => [one.pid, one.parent]));
  const line = new Set<number>([1]);
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = parents.get(pid) ?? 0) line.add(pid);
  return line;
}

/** Start ticks count from the boot, so they only mean something together with it. */
export function bootId(): string {
  return readQuietly("/proc/sys/kernel/random/boot_id")?.trim() ?? "unknown";
}

// One for all reads: of a file in /proc nobody knows the length, and node would set 64 KB aside for each, thousands a minute.
const room = Buffer.allocUnsafe(16 << 10);

/** The kernel gives out a line in one piece; of what is longer, as much as was asked for. */
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
  const ran = spawnSync("ps", args, {
    encoding: "utf8",
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
    maxBuffer: 1 << 27,
  });
  return ran.stdout ?? "";
}
