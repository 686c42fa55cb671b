// A spread of the I/O sweep: a call of the kernel is refused, and the run says why it stops and goes on when the disk is well.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { straceMissing } from "../../faults/strace.mjs";
import { ioIndex, ioSpread, prepare, runIo, type Sweep } from "../../faults/sweeps.mjs";

describe.skipIf(straceMissing() !== null)("a machine that refuses", () => {
  let sweep: Sweep;
  beforeAll(async () => {
    sweep = await prepare(1);
  });
  afterAll(() => sweep?.remove());

  test("is told as the reason, and costs nothing once it is well again", { timeout: 300_000 }, async () => {
    const { injected, violations } = await runIo(sweep, ioSpread(sweep, 10), () => undefined);
    expect(violations).toEqual([]);
    expect(injected).toBeGreaterThanOrEqual(8);
  });

  test("between a commit and the person's index leaves neither behind the other", { timeout: 300_000 }, async () => {
    const jobs = ioIndex(sweep).filter(({ call }) => ["fsync", "rename"].includes(call));
    const { injected, violations } = await runIo(sweep, jobs, () => undefined);
    expect(violations).toEqual([]);
    expect(injected).toBe(4);
  });
});
