// The ranks carried over from state to state select the same feature as a scan of all of them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { changedSince } from "./changes.ts";
import type { Feature } from "./contract.ts";
import { checkpointId, featureId, treeId } from "./ids.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Progress, type Run } from "./run.ts";
import { isDone, progressOf, select } from "./select.ts";
import { withProgress } from "./tally.ts";

const mark = { checkpoint: checkpointId("c"), tree: treeId("a".repeat(40)), head: null };
const statuses = ["not-started", "in-progress", "needs-rework", "complete", "blocked", "existing"] as const;
const anyStep = fc.record({
  /** The state to continue from: mostly the last one, now and then an older one. */
  from: fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(30) }),
  at: fc.nat(5),
  status: fc.constantFrom(...statuses),
  open: fc.boolean(),
});

/** The rule as documented: the open one, then rework, then the rest; the most urgent, then the first of the list. */
function plainly(run: Run): Feature | null {
  const rank = ({ status, base }: Progress): number => (base !== null ? 0 : status === "needs-rework" ? 1 : 2);
  const able = run.contract.features.filter(
    ({ id, dependencies }) =>
      ["needs-rework", "not-started"].includes(progressOf(run, id).status) &&
      dependencies.every((on) => isDone(run, on)),
  );
  const key = ({ id, priority }: Feature): number => rank(progressOf(run, id)) * 100 + priority;
  return able.sort((one, other) => key(one) - key(other))[0] ?? null;
}

test("after any changes, and for any state, the selected feature is the one that a plain scan selects", () => {
  const queue = fc.array(fc.record({ priority: fc.nat(2), on: fc.nat(5) }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(queue, fc.array(anyStep, { maxLength: 25 }), (entries, steps) => {
      const features = entries.map(({ priority, on }, at) =>
        feature(`F${at}`, { priority, dependencies: on < at ? [featureId(`F${on}`)] : [] }),
      );
      const states = [begin(contractOf(features, {}))];
      for (const { from, at, status, open } of steps) {
        const before = states.at(from % states.length) as Run;
        const id = featureId(`F${at}`);
        const change = { ...progressOf(before, id), status, base: open ? mark : null };
        const after = { ...before, progress: withProgress(before.progress, id, change) };
        expect(select(after)).toBe(plainly(after));
        states.push(after);
      }
      for (const state of states) expect(select(state)).toBe(plainly(state));
    }),
  );
});

test("the reported changes cover every difference, or nothing is reported", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 25 }), fc.nat(30), fc.nat(30), (steps, one, other) => {
      const ids = Array.from({ length: 6 }, (_, at) => featureId(`F${at}`));
      const states = [
        begin(
          contractOf(
            ids.map((id) => feature(id)),
            {},
          ),
        ).progress,
      ];
      for (const { from, at, status } of steps) {
        const before = states.at(from % states.length) as Run["progress"];
        const id = featureId(`F${at}`);
        states.push(withProgress(before, id, { ...(progressIn(before, id) as Progress), status }));
      }
      const [a, b] = [one, other].map((at) => states.at(at % states.length) as Run["progress"]) as [
        Run["progress"],
        Run["progress"],
      ];
      const changed = changedSince(a, b);
      if (changed === null) return;
      for (const id of ids) if (progressIn(a, id) !== progressIn(b, id)) expect(changed).toContain(id);
    }),
  );
});

test("a history of thousands of changes is still reported in parts", () => {
  const id = featureId("F0");
  let progress = begin(contractOf([feature("F0")], {})).progress;
  let told = 0;
  for (let at = 0; at < 2500; at++) {
    const before = progress;
    progress = withProgress(before, id, { ...(progressIn(before, id) as Progress), attempts: at });
    if (changedSince(before, progress)?.join() === "F0") told += 1;
  }
  expect(told).toBe(2500);
});
