// An agent that prints a gigabyte, compared with a silent one: the loop's memory, and what it keeps on disk.
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeProject, runArgs } from "./project.mjs";
import { row } from "./results.mjs";

const everyMs = 50;

export async function flood(place, { loop }, megabytes) {
  if (!fs.existsSync("/proc/self/status")) return { rows: [], notes: ["Not measured: this needs /proc."] };
  if (place.freeBytes() < 4 * megabytes * 2 ** 20)
    return { rows: [], notes: ["Not measured: there was no room on the disk."] };
  const quiet = await watched(place, loop, 0);
  const loud = await watched(place, loop, megabytes);
  const gb = `${(megabytes / 1024).toLocaleString("en")} GB`;
  const points = ({ samples }) => samples.map(({ ms, mb }) => [ms / 1000, mb]);
  return {
    rows: [
      row(
        `most memory in use while the agent prints ${gb}, against one that is quiet`,
        "MB",
        loud.peakMb,
        quiet.peakMb,
      ),
      row(`most disk in use for its output, meanwhile`, "MB", loud.logPeakMb),
      row(`disk in use for its output, afterwards`, "MB", loud.logMb),
      row(
        `the whole run, against the same ${gb} written to a file by a shell`,
        "ms",
        loud.tookMs,
        bare(place, megabytes),
      ),
    ],
    plots: [
      {
        name: "flood",
        title: `Memory of the loop while its agent prints ${gb}`,
        x: { label: "seconds since the start", ends: true },
        y: { label: "MB in memory" },
        lines: [
          { name: `an agent that prints ${gb}`, points: points(loud) },
          { name: "a quiet agent", points: points(quiet) },
        ],
        dots: false,
      },
    ],
  };
}

const print = (megabytes) => `yes 'the quick brown fox jumps over the lazy dog' | head -c ${megabytes * 2 ** 20}`;

async function watched(place, loop, megabytes) {
  const root = makeProject(place, 1, 0, megabytes === 0 ? "" : `[ "$LOOP_ROLE" = evaluator ] || ${print(megabytes)}\n`);
  const state = place.folder("flood-state");
  const start = performance.now();
  const child = spawn(process.execPath, [loop, ...runArgs], {
    cwd: root,
    env: { ...place.env, XDG_STATE_HOME: state },
    stdio: "ignore",
  });
  let code = null;
  const over = once(child, "exit").then(([status]) => {
    code = status ?? -1;
  });
  const samples = [];
  let [peakMb, logPeakMb] = [0, 0];
  while (code === null) {
    const memory = memoryOf(child.pid);
    if (memory !== null) samples.push({ ms: Math.round(performance.now() - start), mb: memory.nowMb });
    peakMb = Math.max(peakMb, memory?.peakMb ?? 0);
    logPeakMb = Math.max(logPeakMb, outputMb(state));
    await Promise.race([pause(everyMs), over]);
  }
  const tookMs = performance.now() - start;
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  const logMb = outputMb(state);
  for (const dir of [root, state]) fs.rmSync(dir, { recursive: true });
  return { samples: thinned(samples), peakMb, logPeakMb, logMb, tookMs };
}

function bare(place, megabytes) {
  const file = place.folder("bare");
  const start = performance.now();
  place.sh(`${print(megabytes)} > ${file}`);
  const took = performance.now() - start;
  fs.rmSync(file);
  return took;
}

/** The kernel records the peak itself, so that nothing between two samples is missed. */
function memoryOf(pid) {
  let text = "";
  try {
    text = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {}
  const kb = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return Number.isNaN(kb("VmRSS")) ? null : { nowMb: Math.round(kb("VmRSS") / 1024), peakMb: kb("VmHWM") / 1024 };
}

/** The size of the sessions' folders on disk. A file may disappear meanwhile. */
function outputMb(dir) {
  try {
    const files = fs
      .readdirSync(dir, { recursive: true })
      .filter((name) => /(?:^|\/)sessions\/[^/]+\/[^/]+$/.test(name));
    const blocks = files.map((name) => fs.lstatSync(join(dir, name), { throwIfNoEntry: false })?.blocks ?? 0);
    return blocks.reduce((sum, count) => sum + count, 0) / 2048;
  } catch {
    return 0;
  }
}

/** As many points as a picture can show. */
const thinned = (samples) => samples.filter((_, at) => at % Math.ceil(samples.length / 120) === 0);
