// The sweeps by name, with the size of a full run. Smaller and larger ones differ only in the count.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crashTrial, inParallel, prepare, spread } from "./crash-sweep.mjs";
import { indexPoints, ioPoints, ioTrial } from "./io-sweep.mjs";
import { measures, soak } from "./soak.mjs";
import { picture } from "./soak-picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A run waits for the disk and for processes, so one more than there are cores. */
const workers = 3;

/** Killed once, at points spread over the whole run. */
export const crashOnce = (sweep, points, phase = 0) => spread(sweep.calls, points, phase).map((point) => [point]);

/** Killed at each call on the person's index: there are few, so an even spread would miss some, and each one counts. */
export const crashIndex = (sweep) =>
  sweep.calls.filter(({ about }) => /\.git\/index\b/.test(about)).map((point) => [point]);

/** Killed again and again: each life gets about an equal share, at a point that depends on the trial's number. */
export const crashChain = (sweep, trials, kills = 8) =>
  Array.from({ length: trials }, (_, trial) =>
    Array.from({ length: kills }, (_, life) => {
      const share = mixed(trial * kills + life) * (sweep.calls.length / kills);
      return sweep.calls[Math.floor(share)];
    }),
  );

/** How many calls it takes to reopen a run and repair it after a crash: a generous guess. */
const recoveryCalls = 220;

/** Killed anywhere, and again among the first calls of the recovery. */
export const crashRecovery = (sweep, trials) =>
  spread(sweep.calls, trials, 0.5).map((point, trial) => [
    point,
    sweep.calls[Math.floor(mixed(trial) * Math.min(recoveryCalls, sweep.calls.length))],
  ]);

/** Maps integers to 0 to 1, evenly and reproducibly. */
const mixed = (seed) => (Math.imul(seed + 1, 2_654_435_761) >>> 0) / 2 ** 32;

export async function runTrials(sweep, jobs, name, tell) {
  const results = await inParallel(jobs, workers, async (points, at) => {
    const result = await crashTrial(sweep, points, `${name}-${at}`);
    tell(at + 1, jobs.length, result.violations);
    return result;
  });
  return sum(results);
}

/** Every kind of error, spread over the whole run, and one at each call on the person's index. */
export const ioSpread = (sweep, points) => ioPoints(sweep.calls, points);
export const ioIndex = (sweep) => indexPoints(sweep.calls);

export async function runIo(sweep, jobs, tell) {
  const results = await inParallel(jobs, workers, async (point, at) => {
    const result = await ioTrial(sweep, point, String(at));
    tell(at + 1, jobs.length, result.violations);
    return result;
  });
  return sum(results);
}

const sum = (results) => ({
  trials: results.length,
  injected: results.reduce((total, { injected }) => total + injected, 0),
  violations: results.flatMap(({ violations }) => violations),
});

/** Worlds in memory, half of the seeds on each of two cores. */
export async function runSimulation(seeds) {
  const halves = await Promise.all([0, 1].map((part) => simulate(seeds, part, 2)));
  const played = halves.reduce((total, half) => total + half.played, 0);
  return { trials: played, injected: played, violations: halves.flatMap(({ violations }) => violations) };
}

async function simulate(...args) {
  const child = spawn(process.execPath, [join(root, "faults", "simulate.mjs"), ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return code === 0 ? JSON.parse(said) : { played: 0, violations: [`the simulation ended with ${code}`] };
}

/** Tests that are sweeps themselves: an environment variable sets the count. */
export async function runTests(files, env, trials) {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-faults-vitest-"));
  const out = join(dir, "report.json");
  const args = ["vitest", "run", "--testTimeout=2700000", "--reporter=dot", "--reporter=json", `--outputFile=${out}`];
  const child = spawn("npx", [...args, ...files], {
    cwd: root,
    // On a real disk, as for users.
    env: { TMPDIR: tmpdir(), ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await new Promise((resolve) => child.once("close", resolve));
  const report = fs.existsSync(out) ? JSON.parse(fs.readFileSync(out, "utf8")) : null;
  fs.rmSync(dir, { recursive: true, force: true });
  const all = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = all.filter(({ status }) => status === "failed");
  const violations = failed.map(
    ({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(" ").slice(0, 600)}`,
  );
  if (all.length === 0) violations.push(`no test ran: ${files.join(", ")}`);
  return { trials: trials ?? all.length, injected: trials ?? all.length, violations };
}

/** Not part of a full run: it takes as long as all the others together. */
export async function runSoak(iterations, draw) {
  const { points, violations } = await soak(iterations, () => undefined);
  draw(picture(points, measures, `A run of ${iterations} iterations`));
  return { trials: 1, injected: iterations, violations };
}

export { prepare };
