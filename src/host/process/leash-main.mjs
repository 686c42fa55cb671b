// The leash: a process that outlives the runtime by at most 5 s, and takes what the runtime had started with it.
// A plain program, run by node as it stands: `node leash-main.mjs NAME=value`. It waits for its stdin to end.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const marker = process.argv[2] ?? "";
const deadlineMs = 4800;
const politeMs = 2000;
/** Descendants of carriers, by pid and start: a child with an emptied environment is known by its parent alone. */
const seen = new Map();

// A Ctrl-C in the terminal is for the runtime; we go when it goes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {});
process.stdin.on("error", () => {});
process.stdin.once("close", () => end());
process.stdin.on("data", (word) => {
  if (String(word).includes("bye")) process.exit(0);
});

async function end() {
  if (marker.length === 0) process.exit(1);
  const start = performance.now();
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
    const stat = Number.isInteger(pid) && pid !== process.pid ? read(`/proc/${name}/stat`) : "";
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return stat === "" || fields[0] === "Z" ? [] : [{ pid, parent: Number(fields[1]), start: fields[19] }];
  });
  const ours = processes.filter(
    (one) => seen.get(one.pid) === one.start || read(`/proc/${one.pid}/environ`).split("\0").includes(marker),
  );
  const pids = new Set(ours.map((one) => one.pid));
  for (let size = -1; size !== pids.size; ) {
    size = pids.size;
    for (const one of processes) if (pids.has(one.parent)) pids.add(one.pid);
  }
  for (const one of processes) if (pids.has(one.pid)) seen.set(one.pid, one.start);
  return [...pids];
}

/** @returns {number[]} */
function carriersByPs() {
  const text =
    spawnSync("ps", ["-axwwE", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 1 << 27 }).stdout ?? "";
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
      // It went by itself.
    }
  }
}
