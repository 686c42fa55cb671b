// The crash sweep: a run is killed at one system call after another, continued to its end, and checked from outside.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnd, checkJournal, lookAt, readJournal } from "./invariants.mjs";
import { Place } from "./place.mjs";
import { makeSample } from "./sample.mjs";
import { injecting, logIn, readCalls, wasInjected, watching } from "./strace.mjs";

/** The folder of a sweep: the sample, the undisturbed run to compare with, and the calls that it makes. */
export async function prepare(count) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-faults-")));
  const sample = join(dir, "sample");
  makeSample(sample, count);
  const place = Place.copyOf(sample, join(dir, "calm"));
  const log = logIn(dir, "calm");
  const began = performance.now();
  const { code, stderr } = await place.loop(["run"], { before: watching(log), msMax: 1_200_000 });
  Place.msMax = Math.max(Place.msMax, 10 * (performance.now() - began));
  if (code !== 0) throw new Error(`The undisturbed run ended with ${code}: ${stderr}`);
  const calm = lookAt(place, count);
  const wrong = checkEnd(place, calm, count);
  if (wrong.length > 0) throw new Error(`The undisturbed run is not as it should be: ${wrong.join("; ")}`);
  place.remove();
  return {
    dir,
    sample,
    calm,
    count,
    calls: readCalls(log),
    remove: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

/** Points spread evenly over the whole run, in order. `phase` shifts them, so that two spreads differ. */
export function spread(calls, points, phase = 0) {
  if (points >= calls.length) return calls;
  const step = calls.length / points;
  return Array.from({ length: points }, (_, at) => calls[Math.floor((at + phase) * step) % calls.length]);
}

/**
 * One trial: killed at the first point; continued and killed at the second, and so on; then continued undisturbed. A
 * point that the run no longer reaches does not count as injected.
 */
export async function crashTrial(sweep, points, name) {
  const place = Place.copyOf(sweep.sample, join(sweep.dir, `trial-${name}`));
  const violations = [];
  let injected = 0;
  try {
    for (const [at, point] of points.entries()) {
      const log = logIn(sweep.dir, `${name}-${at}`);
      const before = readJournal(place.journal()).whole;
      const ended = await place.loop(nextCommand(place), { before: injecting(log, point, "signal=KILL") });
      if (wasInjected(log)) injected += 1;
      fs.rmSync(log, { force: true });
      if (ended.hung) violations.push(`it hung: ${ended.stderr.slice(-300)}`);
      else if (ended.signal === null && ![0, 1, 137].includes(ended.code ?? -1))
        violations.push(`ended with ${ended.code}: ${ended.stderr.slice(-500)}`);
      violations.push(...checkJournal(place, before));
    }
    violations.push(...(await reachTheEnd(place, sweep, { kills: injected })));
  } finally {
    if (violations.length > 0 && process.env.KEEP === "1")
      fs.cpSync(place.dir, `${place.dir}-kept`, { recursive: true, verbatimSymlinks: true });
    place.remove();
  }
  return { injected, violations: violations.map((text) => `${describe(points)}: ${text}`) };
}

/** Without more faults: no process of the dead run survives the leash, and the run ends as if nothing had happened. */
export async function reachTheEnd(place, { calm, count }, allowed) {
  const found = [];
  if (!(await place.quiet(10_000))) found.push(`${place.processes().length} processes outlived the loop by 10 s`);
  const before = readJournal(place.journal()).whole;
  const { code, stdout, stderr, hung } = await place.loop(nextCommand(place));
  const said = `${stderr.slice(-600)}${stdout.slice(-1200)}`;
  if (hung) return [...found, `continued, it hung: ${said}`];
  if (code !== 0 && !isOver(place, code)) return [...found, `continued, it ended with ${code}: ${said}`];
  found.push(...checkJournal(place, before), ...checkEnd(place, calm, count, allowed));
  if (!(await place.quiet(10_000))) found.push("a process was left when the run was over");
  return found;
}

/** A run without a journal cannot be continued. */
export const nextCommand = (place) => (place.journal().includes("\n") ? ["continue"] : ["run"]);

/** Killed after its last event: there is nothing to continue, and `continue` says so. */
const isOver = (place, code) => code === 1 && readJournal(place.journal()).events.at(-1)?.type === "filed";

export const describe = (points) => points.map(({ call, nth, about }) => `${call} ${nth} (${about})`).join(" then ");

/** Runs `workers` jobs at a time; the results are in the order of the jobs. */
export async function inParallel(jobs, workers, run) {
  const results = [];
  const queue = jobs.entries();
  const work = async () => {
    for (const [at, job] of queue) results[at] = await run(job, at);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}
