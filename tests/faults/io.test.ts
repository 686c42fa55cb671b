// A sample of the I/O sweep: a system call fails, the run says why it stops, and it resumes once the disk works again.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { straceMissing } from "../../faults/strace.mjs";
import { ioIndex, ioSpread, prepare, runIo, type Sweep } from "../../faults/sweeps.mjs";

describe.skipIf(straceMissing() !== null)("a failing system call", () => {
  let sweep: Sweep;
  beforeAll(async () => {
    sweep = await prepare(1);
  });
  afterAll(() => sweep?.remove());

  test("is reported as the reason, and loses nothing once the disk works again", { timeout: 300_000 }, async () => {
    const { injected, violations } = await runIo(sweep, ioSpread(sweep, 10), () => undefined);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(8);
  });

  test("between a commit and the person's index leaves the two consistent", { timeout: 300_000 }, async () => {
    const jobs = ioIndex(sweep).filter(({ call }) => ["fsync", "rename"].includes(call));
    const { injected, violations } = await runIo(sweep, jobs, () => undefined);
    expect(violations).toEqual([]);
    expect(injected).toBe(4);
  });
});
