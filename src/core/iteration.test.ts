// The start of an iteration: stop first, then select; and what a person's edit of the queue changes.
import { expect, test } from "vitest";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { update } from "./attempt.ts";
import { featureId } from "./ids.ts";
import { beginIteration } from "./iteration.ts";
import type { Limits } from "./limits.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Run, type Spend } from "./run.ts";

const fresh = (limits: Partial<Limits> = {}, spent: Partial<Spend> = {}): Run => {
  const run = begin(contractOf([feature("F1"), feature("F2")], { limits: { ...looseLimits, ...limits } }));
  return { ...run, now: { is: "between" }, spent: { ...run.spent, ...spent } };
};
const F1 = featureId("F1");

test("an iteration is counted when it begins, on the feature that is next", () => {
  const run = beginIteration(fresh(), null);
  expect([run.now, run.spent.iterations, progressIn(run.progress, F1)?.status]).toEqual([
    { is: "marking", feature: "F1" },
    1,
    "in-progress",
  ]);
});

test.each([
  { cap: "iterations", limits: { iterationsMax: 3 }, spent: { iterations: 3 } },
  { cap: "commits", limits: { commitsMax: 2 }, spent: { commits: 2 } },
  { cap: "cost", limits: { costUsdMax: 1 }, spent: { costUsd: 1 } },
  { cap: "minutes", limits: { activeMsMax: 60_000 }, spent: { activeMs: 60_000 } },
] as const)("none begins at the cap of $cap", ({ cap, limits, spent }) => {
  const run = beginIteration(fresh(limits, spent), null);
  expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "cap", cap }, resume: { is: "between" } });
  expect(run.spent.iterations).toBe("iterations" in spent ? spent.iterations : 0);
});

test("a run at its cap with nothing left to do is closed, not capped", () => {
  const done = ["F1", "F2"].reduce(
    (run, id) => update(run, featureId(id), { status: "complete" }),
    fresh({ iterationsMax: 0 }),
  );
  expect(beginIteration(done, null).now).toEqual({ is: "closing" });
});

test("an edited queue: begun features stay as agreed, the rest follow the file", () => {
  const begun = update(fresh(), F1, { attempts: 1, status: "needs-rework" });
  const edited = [feature("F1", { criteria: ["easier"] }), feature("F3", { priority: 0 })];
  const run = beginIteration(begun, edited);
  expect(run.contract.features.map(({ id }) => id)).toEqual(["F1", "F3"]);
  expect(run.contract.features[0]?.criteria).toEqual(["F1 works"]);
  expect(run.progress.ids).toEqual(["F1", "F3"]);
});

test.each([
  ["in-progress", "not-started"],
  ["blocked", "blocked"],
  ["existing", "existing"],
] as const)("a feature that the file adds as %s is %s", (status, expected) => {
  const run = beginIteration(fresh(), [feature("F1"), feature("F9", { status, priority: 9 })]);
  expect(progressIn(run.progress, featureId("F9"))?.status).toBe(expected);
});

test("a feature that is being worked on has no inbox items", () => {
  const item = { kind: "blocked", feature: F1, by: { is: "blocked-before" } } as const;
  expect(beginIteration({ ...fresh(), inbox: [item] }, null).inbox).toEqual([]);
});

test("an edited queue: a shelved feature with other words starts over, and no longer waits in the inbox", () => {
  const cause = { kind: "verdict", key: "k", text: "no" } as const;
  const item = { kind: "failed", feature: F1, over: { is: "same-cause" }, cause } as const;
  const shelved = { ...update(fresh(), F1, { attempts: 2, status: "blocked", lastCause: cause }), inbox: [item] };
  const same = beginIteration(shelved, [feature("F1"), feature("F3")]);
  expect([same.now, same.inbox]).toEqual([{ is: "marking", feature: "F3" }, [item]]);
  const reworded = beginIteration(shelved, [feature("F1", { criteria: ["clearer"] }), feature("F2")]);
  expect([reworded.now, reworded.inbox]).toEqual([{ is: "marking", feature: "F1" }, []]);
  expect(progressIn(reworded.progress, F1)).toMatchObject({ attempts: 0, lastCause: null });
  expect(reworded.contract.features[0]?.criteria).toEqual(["clearer"]);
});
