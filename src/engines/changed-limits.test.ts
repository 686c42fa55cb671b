// A cap that a person sets is the task's: it means the same before a follow-up begins, and while it works.
import { describe, expect, test } from "vitest";
import { runId } from "../core/ids.ts";
import { capReached, iterationCaps } from "../core/ledger.ts";
import { begin, type Run, type Spend } from "../core/run.ts";
import { emptyChronicle } from "../report/chronicle.ts";
import { overview } from "../report/overview.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { changedLimits } from "./changed-limits.ts";
import { handOn } from "./follow-up.ts";

const limits = { ...looseLimits, costUsdMax: 10, iterationsMax: 5, activeMsMax: 600_000 };
const spending = (run: Run, spent: Partial<Spend>): Run => ({ ...run, spent: { ...run.spent, ...spent } });

const first = spending(begin(contractOf([feature("F1")], { limits })), {
  ...{ costUsd: 4, iterations: 2, activeMs: 60_000 },
});
const followUp = (run: Run): Run => begin(handOn(runId("r1"), run, 2).contract);
const set = (run: Run, flags: Parameters<typeof changedLimits>[2]): Run => {
  const changed = changedLimits(run, {}, flags, false);
  return { ...run, contract: { ...run.contract, limits: { ...run.contract.limits, ...changed } } };
};

test("a cap that is changed while a follow-up works leaves what it leaves if it is changed before", () => {
  const flags = { cost_usd: 12, minutes: 20 };
  const before = followUp(set(first, flags));
  const during = set(spending(followUp(first), { costUsd: 2 }), flags);
  expect(before.contract.limits).toMatchObject({ costUsdMax: 8, iterationsMax: 3, activeMsMax: 1_140_000 });
  expect(during.contract.limits).toEqual(before.contract.limits);
  const third = followUp(spending(during, { costUsd: 2, iterations: 1 }));
  expect(set(third, { cost_usd: 13 }).contract.limits).toMatchObject({ costUsdMax: 7, iterationsMax: 2 });
});

describe("what all runs of the task have used", () => {
  const working = spending(followUp(first), { costUsd: 2 });

  test("is the least that a cap may be", () => {
    expect(() => set(working, { cost_usd: 5 })).toThrow(
      expect.objectContaining({ code: "limit-too-low", why: "cost_usd would be 5, and the task has used 6." }),
    );
    expect(set(working, { cost_usd: 6 }).contract.limits.costUsdMax).toBe(2);
  });

  test("is what a reached cap and the caps of a run say", () => {
    const spent = spending(working, { costUsd: 6, iterations: 3 });
    expect(capReached(spent, iterationCaps)).toEqual({ kind: "cap", cap: "cost", used: 10, allowed: 10 });
    const story = { run: spent, chronicle: emptyChronicle };
    expect(overview(story, { isDriven: false }).caps).toContainEqual({
      ...{ cap: "cost", unit: "usd", used: 10, allowed: 10 },
    });
  });
});
