// The tally carried over equals a fresh count.
import fc from "fast-check";
import { expect, test } from "vitest";
import { featureId } from "./ids.ts";
import { progresses, progressIn, withProgress } from "./progresses.ts";
import { newProgress, type Progress, type Run } from "./run.ts";
import { tallyOf } from "./tally.ts";

const statuses = ["not-started", "in-progress", "needs-rework", "complete", "blocked", "existing"] as const;
const change = fc.record({
  at: fc.nat(4),
  status: fc.constantFrom(...statuses),
  attempts: fc.nat(3),
  criteriaMet: fc.array(fc.nat(3), { maxLength: 3 }),
});

test("after any changes the tally equals a fresh count", () => {
  const ids = ["F1", "F2", "F3", "F4", "F5"].map(featureId);
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), fc.boolean(), (changes, asked) => {
      let progress: Run["progress"] = progresses(ids.map((id) => [id, newProgress("not-started")]));
      for (const { at, ...rest } of changes) {
        if (asked) tallyOf(progress);
        const id = ids[at] ?? featureId("F1");
        const before = progressIn(progress, id) as Progress;
        progress = withProgress(progress, id, { ...before, ...rest });
      }
      expect(tallyOf(progress)).toEqual(tallyOf({ ...progress }));
    }),
  );
});

test("a long queue is copied whole, in order, and the previous one stays unchanged", () => {
  const ids = Array.from({ length: 600 }, (_, at) => featureId(`F${at}`));
  const before: Run["progress"] = progresses(ids.map((id) => [id, newProgress("not-started")]));
  const once = withProgress(before, featureId("F7"), newProgress("complete"));
  const twice = withProgress(once, featureId("F8"), newProgress("complete"));
  expect(twice.ids).toEqual(before.ids);
  expect([before, once, twice].map((progress) => tallyOf(progress).done)).toEqual([0, 1, 2]);
  expect(JSON.parse(JSON.stringify(twice))).toEqual(twice);
});
