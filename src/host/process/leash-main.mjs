// The leash: a process that outlives the runtime by at most 5 s, and ends everything the runtime had started. Node runs
// it as a plain program: `node leash-main.mjs NAME=value`. It waits for its stdin to end, and reads from it, one per
// line, the files that only processes under the leash write to: watch "path".
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const marker = process.argv[2] ?? "";
const deadlineMs = 4800;
const politeMs = 2000;
/** Descendants of carriers, by pid and start: a child with an emptied environment is known only by its parent. */
const seen = new Map();
/** Files that a carrier or its descendant may still hold open after it has cleared its environment. */
const outputs = new Set();
let told = "";
const ticksPerSecond = 100; // The unit of /proc, on every Linux.
/** Processes older than the runtime were not started by it, even if they write to its files. */
const begunAt = Number(fieldsOf(process.ppid)[19] ?? 0);
/** Processes that started after the runtime died belong to another one, which may have resumed the run already. */
let diedAt = 0;

// A Ctrl-C in the terminal is for the runtime; the leash ends when the runtime does.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {});
process.stdin.on("error", () => {});
process.stdin.once("close", () => end());
process.stdin.setEncoding("utf8");
process.stdin.on("data", (words) => {
  const lines = (told + words).split("\n");
  told = lines.pop() ?? "";
  for (const line of lines) hear(line);
});

/** @param {string} line */
function hear(line) {
  if (line === "bye") process.exit(0);
  if (line.startsWith("watch ")) outputs.add(JSON.parse(line.slice("watch ".length)));
}

async function end() {
  if (marker.length === 0) process.exit(1);
  const start = performance.now();
  diedAt = Math.ceil(Number(read("/proc/uptime").split(" ")[0]) * ticksPerSecond);
  for (let wait = 20; performance.now() - start < deadlineMs; wait = Math.min(wait * 2, 200)) {
    const pids = process.platform === "linux" ? treeByProc() : carriersByPs();
    if (pids.length === 0) process.exit(0);
    const hard = performance.now() - start > politeMs;
    for (const pid of pids) signal(pid, hard ? ["SIGKILL"] : ["SIGTERM", "SIGCONT"]);
    await pause(wait);
  }
  process.exit(1);
}

/** @returns {number[]} */
function treeByProc() {
  const processes = readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const fields = Number.isInteger(pid) && pid !== process.pid ? fieldsOf(pid) : [];
    return fields.length < 20 || fields[0] === "Z" ? [] : [{ pid, parent: Number(fields[1]), start: fields[19] }];
  });
  const ours = processes.filter(
    (one) =>
      seen.get(one.pid) === one.start ||
      read(`/proc/${one.pid}/environ`).split("\0").includes(marker) ||
      (Number(one.start) > begunAt && Number(one.start) <= diedAt && writesTo(one.pid)),
  );
  const pids = new Set(ours.map((one) => one.pid));
  for (let size = -1; size !== pids.size; ) {
    size = pids.size;
    for (const one of processes) if (pids.has(one.parent)) pids.add(one.pid);
  }
  for (const one of processes) if (pids.has(one.pid)) seen.set(one.pid, one.start);
  return [...pids];
}

/** The fields of a stat line from the state on: the name before it may contain anything. @param {number} pid */
function fieldsOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** A process that only reads, such as a person's `tail -f`, is left alone. @param {number} pid */
function writesTo(pid) {
  if (outputs.size === 0) return false;
  return fdsOf(pid).some((fd) => {
    try {
      if (!outputs.has(readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/ \(deleted\)$/, ""))) return false;
    } catch {
      return false;
    }
    return (Number.parseInt(/^flags:\s+([0-7]+)/m.exec(read(`/proc/${pid}/fdinfo/${fd}`))?.[1] ?? "0", 8) & 3) !== 0;
  });
}

/** @param {number} pid */
function fdsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return []; // Gone, or another user's.
  }
}

/** @returns {number[]} */
function carriersByPs() {
  const text =
    spawnSync("ps", ["-axwwE", "-o", "pid=,command="], {
      encoding: "utf8",
      maxBuffer: 1 << 27,
      env: { PATH: "/bin:/usr/bin" },
    }).stdout ?? "";
  return text.split("\n").flatMap((line) => {
    const [, pid, rest] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid !== undefined && ` ${rest} `.includes(` ${marker} `) && Number(pid) !== process.pid ? [Number(pid)] : [];
  });
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // Gone, or another user's.
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals[]} signals
 */
function signal(pid, signals) {
  for (const one of signals) {
    try {
      process.kill(pid, one);
    } catch {
      // It exited by itself.
    }
  }
}
