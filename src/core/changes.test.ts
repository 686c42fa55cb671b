// Which features changed between two states: reported when known, and never guessed.
import { describe, expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { settleAudit } from "./audit.ts";
import { changedSince, noteChange } from "./changes.ts";
import { featureId } from "./ids.ts";
import { progresses, progressIn } from "./progresses.ts";
import { begin, newProgress, type Run } from "./run.ts";
import { featureOf, progressOf } from "./select.ts";
import { tallyOf, withProgress } from "./tally.ts";

const [F1, F2, F3] = ["F1", "F2", "F3"].map(featureId) as [
  ReturnType<typeof featureId>,
  ReturnType<typeof featureId>,
  ReturnType<typeof featureId>,
];
const state = (): Run["progress"] => progresses([[F1, newProgress("not-started")]]);

describe("between two states", () => {
  const [a, b, c] = [state(), state(), state()];
  noteChange(a, F1, b);
  noteChange(b, F2, c);

  test("of one history, exactly the changes between them are reported", () => {
    expect(changedSince(a, c)).toEqual([F1, F2]);
    expect(changedSince(b, c)).toEqual([F2]);
    expect(changedSince(a, b)).toEqual([F1]);
  });

  test("that are the same, nothing changed, whether the state is known or not", () => {
    const unknown = state();
    expect([changedSince(b, b), changedSince(unknown, unknown)]).toEqual([[], []]);
  });

  test("nothing is known backwards, or about an unrelated state", () => {
    expect([changedSince(c, a), changedSince(state(), c), changedSince(a, state())]).toEqual([null, null, null]);
  });

  test("two histories that branch from one state are separate", () => {
    const [from, one, other] = [state(), state(), state()];
    noteChange(from, F1, one);
    noteChange(from, F3, other);
    expect(changedSince(from, other)).toEqual([F3]);
    expect([changedSince(one, other), changedSince(from, one)]).toEqual([null, null]);
  });

  test("a feature that changed twice is reported once", () => {
    const [from, via, to] = [state(), state(), state()];
    noteChange(from, F1, via);
    noteChange(via, F1, to);
    expect(changedSince(from, to)).toEqual([F1]);
  });

  test("a log holds a thousand changes, then a new one begins", () => {
    const [first, next] = [state(), state()];
    let last = first;
    for (let times = 0; times < 1000; times++) {
      const to = state();
      noteChange(last, F1, to);
      last = to;
    }
    expect(changedSince(first, last)).toEqual([F1]);
    noteChange(last, F1, next);
    expect([changedSince(first, next), changedSince(last, next)]).toEqual([null, [F1]]);
  });
});

test("throws for an unknown feature", () => {
  const run = begin(contractOf([feature("F1")]));
  expect(() => progressOf(run, F2)).toThrow(RangeError);
  expect(() => featureOf(run.contract, F2)).toThrow(RangeError);
  expect(progressIn(run.progress, F2)).toBeUndefined();
});

test("a feature that is new to a run comes last and is counted", () => {
  const before = state();
  tallyOf(before);
  const after = withProgress(before, F2, { ...newProgress("complete"), attempts: 3, criteriaMet: [0, 1] });
  expect(after.ids).toEqual([F1, F2]);
  expect(tallyOf(after)).toEqual({ done: 1, criteriaMet: 2 });
});

test("an audit replaces the gaps of the previous one and keeps other inbox items", () => {
  const gap = (id: string, blocking: boolean) => ({ id, blocking, text: "No help.", evidence: ["seen"] });
  const item = (id: string) => ({ kind: "gap", feature: null, gap: gap(id, true) }) as const;
  const kept = { kind: "check-red", feature: null, check: "test" } as const;
  const contract = contractOf([feature("F1")], { followUp: { of: null, depth: 3, depthMax: 3 } });
  const run = { ...begin(contract), inbox: [item("old"), kept] };
  const settled = settleAudit(run, { gaps: [gap("G1", true), gap("G2", false)], revised: "r" });
  expect(settled.inbox).toEqual([kept, item("G1")]);
});
