// Measures side by side: the machine is never quiet, so the subjects take turns, and the median counts.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";

/**
 * Runs every subject once per round, in turn, and returns the median of each in milliseconds. A subject is a function
 * that does the work once; if it returns a number, that counts instead of the elapsed time.
 */
export async function sideBySide(rounds, subjects, { warmUp = 1 } = {}) {
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, act] of Object.entries(subjects)) {
      const start = performance.now();
      const own = await act(round);
      const took = typeof own === "number" ? own : performance.now() - start;
      if (round >= 0) times[name].push(took);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs a program to its end and returns how long it took. A program that fails makes the measurement worthless. */
export function timed(file, args, options) {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: "utf8", ...options });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}: ${error ?? ""}${stdout}${stderr}`);
  return took;
}

/** How many bytes were read from files while `act` ran; null if the machine does not report it. */
export async function bytesRead(act) {
  const count = () => Number(/^rchar: (\d+)/m.exec(fs.readFileSync("/proc/self/io", "latin1"))?.[1] ?? Number.NaN);
  if (!fs.existsSync("/proc/self/io")) return null;
  const before = count();
  const own = count() - before;
  await act();
  return count() - before - 2 * own;
}
