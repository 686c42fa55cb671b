// A sample of the crash sweep: a run of one feature, killed at system calls from its first write to its last.
// A run of the command line takes seconds of CPU time, so this is a hundred points; `npm run faults` has a thousand.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { straceMissing } from "../../faults/strace.mjs";
import {
  crashChain,
  crashIndex,
  crashOnce,
  crashRecovery,
  prepare,
  runTrials,
  type Sweep,
} from "../../faults/sweeps.mjs";

const missing = straceMissing();
const quietly = () => undefined;

describe.skipIf(missing !== null)("killed with -9 and continued, a run ends as if nothing had happened", () => {
  let sweep: Sweep;
  beforeAll(async () => {
    sweep = await prepare(1);
  });
  afterAll(() => sweep?.remove());

  test("there are hundreds of system calls to be killed at", () => {
    expect(sweep.calls.length).toBeGreaterThan(500);
    for (const call of ["fsync", "fdatasync", "rename", "write", "pwrite64", "clone", "wait4"])
      expect(sweep.calls.some((point) => point.call === call)).toBe(true);
  });

  test("at 12 points across the whole run", { timeout: 300_000 }, async () => {
    const { injected, violations } = await runTrials(sweep, crashOnce(sweep, 12, 0.5), "once", quietly);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(11);
  });

  test("at each call that touches the person's index", { timeout: 300_000 }, async () => {
    const points = crashIndex(sweep).slice(0, 6); // Those of the first commit.
    const { injected, violations } = await runTrials(sweep, points, "index", quietly);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(4);
  });

  test("eight times in each of 9 runs", { timeout: 300_000 }, async () => {
    const { injected, violations } = await runTrials(sweep, crashChain(sweep, 9), "chain", quietly);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(60);
  });

  test("and again while it recovers, 5 times", { timeout: 300_000 }, async () => {
    const { injected, violations } = await runTrials(sweep, crashRecovery(sweep, 5), "recovery", quietly);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(6);
  });
});
