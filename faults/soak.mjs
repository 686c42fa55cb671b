// The soak: one run of a thousand iterations with agents that need no time, to find growth.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cli, Place } from "./place.mjs";
import { makeSoak } from "./soak-sample.mjs";

/** What is measured, in its unit, and how much it may grow between the second tenth and the end. */
export const measures = [
  { key: "heapMb", title: "what the loop keeps in memory, MB", growthMax: 20 },
  // Includes memory that V8 and the allocator have not returned: up to a point, they take more than needed.
  { key: "rssMb", title: "memory of the process, MB", growthMax: 120 },
  { key: "fds", title: "open descriptors", growthMax: 2 },
  { key: "promptKb", title: "largest prompt, KB", growthMax: 1 },
  { key: "iterationMs", title: "one iteration, ms", growthMax: Number.POSITIVE_INFINITY },
  { key: "vaultMb", title: "the vault, MB", growthMax: Number.POSITIVE_INFINITY },
];

export async function soak(iterations, tell) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-soak-")));
  makeSoak(dir, iterations);
  const place = new Place(dir);
  const many = String(iterations + 10);
  const flags = ["--iterations", many, "--commits", many, "--minutes", "600", "--yes-really"];
  // It prints the heap size after each collection.
  const child = spawn(process.execPath, ["--trace-gc", cli, "run", ...flags], {
    cwd: place.root,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let heapMb = null;
  createInterface({ input: child.stdout }).on("line", (line) => {
    heapMb = Number(/Mark-Compact.*? -> ([\d.]+) /.exec(line)?.[1] ?? heapMb);
  });
  child.stderr.on("data", (chunk) => (said = `${said}${chunk}`.slice(-2000)));
  const over = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  const points = [];
  const timer = setInterval(() => sample(place, { pid: child.pid, heapMb }, points, tell), 2000);
  const code = await over;
  clearInterval(timer);
  const isQuiet = await place.quiet(10_000);
  const done = commitsOf(place);
  place.remove();
  return { points, violations: judge({ code, done, isQuiet, said, iterations }, points) };
}

/** Compares the second tenth of the run, when everything is warm, with the last. */
function judge({ code, done, isQuiet, said, iterations }, points) {
  const found = [];
  // One commit per feature, and one for the records.
  if (code !== 0 || done !== iterations + 1)
    found.push(`it ended with ${code} after ${done} commits: ${said.slice(-600)}`);
  if (!isQuiet) found.push("a process was left");
  const tenth = Math.ceil(points.length / 10);
  for (const { key, title, growthMax } of measures) {
    // The minimum of each: memory that a session uses briefly is not what the loop keeps.
    const least = (some) => Math.min(...some.map((point) => point[key]));
    const growth = least(points.slice(-tenth)) - least(points.slice(tenth, 2 * tenth));
    if (growth > growthMax) found.push(`${title}: ${growth.toFixed(1)} more at the end`);
  }
  return found;
}

function sample(place, { pid, heapMb }, points, tell) {
  try {
    const done = commitsOf(place);
    const last = points.at(-1);
    if (heapMb === null || (last !== undefined && last.done === done)) return;
    const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
    const at = performance.now();
    const earlier = points.at(-10) ?? points[0];
    points.push({
      done,
      at,
      heapMb,
      rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
      fds: fs.readdirSync(`/proc/${pid}/fd`).length,
      promptKb: promptBytes(place) / 1024,
      iterationMs: earlier === undefined ? 0 : (at - earlier.at) / (done - earlier.done),
      vaultMb: done % 50 < 5 || last === undefined ? bytesBelow(join(place.home, "state")) / 1e6 : last.vaultMb,
    });
    tell(done);
  } catch {
    // It exited meanwhile.
  }
}

const commitsOf = (place) => Number(place.git("rev-list", "--count", "HEAD")) - 1;

function promptBytes(place) {
  const sessions = join(place.runs().at(-1) ?? "", "sessions");
  const latest = fs.readdirSync(sessions).slice(-6);
  return Math.max(0, ...latest.map((name) => sizeOf(join(sessions, name, "prompt.md"))));
}

const sizeOf = (path) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function bytesBelow(dir) {
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath ?? entry.path, entry.name)), 0);
}
