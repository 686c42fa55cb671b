// Gates: what stops at them, what an answer does, and that no other event passes one.
import { describe, expect, test } from "vitest";
import {
  at,
  cancel,
  checkpointed,
  committed,
  F1,
  F2,
  goOn,
  judging,
  observed,
  prepared,
  proved,
  replied,
  reserved,
  rolledBack,
  send,
  start,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import type { GateName } from "./contract.ts";
import type { SignalEvent } from "./event.ts";
import { gateOf, leftAtGate } from "./gates.ts";
import { treeId } from "./ids.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Run } from "./run.ts";

const yes = (run: Run): SignalEvent => {
  const gate = gateOf(run);
  if (gate === null) throw new Error("no gate is open");
  return { type: "approved", gate: gate.name, number: gate.number, tree: gate.tree };
};
const no = (run: Run, reason: string): SignalEvent => ({ ...yes(run), type: "rejected", reason }) as SignalEvent;
const oneFeature = (gates: readonly GateName[]) => begin(contractOf([feature("F1")], { gates }));
const upToCommit = [
  observed,
  checkpointed("i1"),
  reserved("s1"),
  replied("s1", { kind: "made", status: "done", summary: "" }),
] as const;

describe("G1", () => {
  const waiting = (): Run => send(start({ gates: ["G1"] }), prepared);

  test("stops before anything is built, and shows what is to be built", () => {
    const run = waiting();
    expect(next(run)).toBeNull();
    expect(run.now).toMatchObject({
      outcome: {
        kind: "needs-person",
        need: { about: "contract", open: 2 },
        gate: { name: "G1" },
      },
    });
    expect(run.spent.sessions).toBe(0);
  });

  test("is passed by an approval of what it shows", () => {
    expect(send(waiting(), yes(waiting())).now.is).toBe("between");
  });

  test("approved for the whole run asks at no later gate", () => {
    const run = send(start({ gates: ["G1", "G2", "G3"] }), prepared);
    const on = send(run, { ...yes(run), always: true } as SignalEvent);
    expect(on.now.is).toBe("between");
    expect(on.contract.gates).toEqual([]);
  });

  test.each([
    ["another tree", { tree: treeId("e".repeat(40)) }],
    ["another gate", { gate: "G3" as const }],
    ["an earlier showing", { number: 7 }],
  ])("is not passed by an approval of %s", (_, change) => {
    const run = waiting();
    expect(send(run, { ...yes(run), ...change } as SignalEvent)).toEqual(run);
  });

  test("is not passed by resuming", () => {
    expect(gateOf(send(waiting(), goOn()))).toEqual(gateOf(waiting()));
  });

  test("can be left by cancelling", () => {
    expect(send(waiting(), cancel).now).toMatchObject({ is: "stopped", outcome: { kind: "cancelled" } });
  });

  test("rejected without a planner stays shut, with the reason and a next step", () => {
    const run = send(waiting(), no(waiting(), "Not like this."));
    expect(gateOf(run)?.name).toBe("G1");
    expect(run.now).toMatchObject({ outcome: { need: { about: "contract-rejected", reason: "Not like this." } } });
    expect(send(run, yes(run)).now.is, "and can still be approved").toBe("between");
  });
});

describe("G2", () => {
  const waiting = (): Run => send(judging(at("proving", { gates: ["G2"] })), replied("s2", verdict(true)), committed);

  test("stops after each iteration and says how it ended", () => {
    expect(waiting().now).toMatchObject({
      is: "resting",
      outcome: { need: { about: "iteration", iteration: 1, became: "proved" }, gate: { name: "G2", feature: "F1" } },
    });
    expect(send(waiting(), yes(waiting())).now.is).toBe("between");
  });

  test("rejected with a reason reworks the feature on top of its commit, and passes the reason on", () => {
    const run = send(waiting(), no(waiting(), "Too slow."), observed);
    expect(run.now).toEqual({ is: "marking", feature: F1 });
    expect(progressIn(run.progress, F1)).toMatchObject({
      status: "in-progress",
      attempts: 0,
      lastCause: { kind: "rejected", text: "Too slow.", frame: { is: "rejected" } },
    });
    expect(run.spent.commits).toBe(1);
  });

  test("is passed by the answer to the question that the iteration ended with", () => {
    const asks = { kind: "made", status: "question", question: "Loud?", supposition: "" } as const;
    const collected = { type: "collected", candidate: treeId("a".repeat(40)), changed: 0, violations: [], moved: null };
    const asked = send(
      send(start({ gates: ["G2"] }), prepared, ...upToCommit.slice(0, 3), replied("s1", asks)),
      collected as never,
      rolledBack,
    );
    expect([gateOf(asked)?.name, leftAtGate(asked)?.kind]).toEqual(["G2", "question"]);
    const answer = { type: "answered", answer: "Yes", source: "person" } as const;
    expect(send(asked, { ...answer, feature: F2 })).toEqual(asked);
    const answered = send(asked, { ...answer, feature: F1 });
    expect([answered.now.is, gateOf(answered)]).toEqual(["between", null]);
    // In runs of earlier versions, the approval follows.
    expect(send(answered, yes(asked))).toEqual(answered);
    expect(send(asked, yes(asked)).inbox).toHaveLength(1);
  });

  test("an answer that comes twice counts once", () => {
    const once = send(waiting(), yes(waiting()));
    expect(send(once, yes(waiting()))).toEqual(once);
  });
});

describe("G3", () => {
  const waiting = (depthMax = 3, gates: readonly GateName[] = ["G3"]): Run => {
    const base = oneFeature(gates);
    const followUp = { of: null, depth: 0, depthMax };
    const run = send({ ...base, contract: { ...base.contract, followUp } }, prepared, ...upToCommit);
    const collected = { type: "collected", candidate: treeId("a".repeat(40)), changed: 1, violations: [], moved: null };
    return send(
      send(run, collected as never, proved(), reserved("s2"), replied("s2", verdict(true)), committed),
      observed,
      { type: "closed", red: [] },
    );
  };

  test("stops before the run calls itself done", () => {
    expect(gateOf(waiting())?.name).toBe("G3");
    expect(send(waiting(), yes(waiting()), { type: "filed", commit: null }).now).toEqual({
      is: "stopped",
      outcome: { kind: "success" },
    });
  });

  test("is one question with the one after the last iteration", () => {
    expect(gateOf(waiting(3, ["G2", "G3"]))?.name).toBe("G3");
  });

  test("rejected becomes a gap and leads to a follow-up", () => {
    const run = send(waiting(), no(waiting(), "The help text is missing."));
    expect(run.now).toEqual({ is: "filing", outcome: { kind: "followup", gaps: 1 } });
    expect(run.audit).toMatchObject({ gaps: [{ text: "The help text is missing.", blocking: true }] });
  });

  test("rejected at the maximum depth goes to the inbox", () => {
    const run = send(waiting(0), no(waiting(0), "The help text is missing."));
    expect(run.now).toMatchObject({ is: "filing", outcome: { kind: "inbox" } });
    expect(run.inbox).toMatchObject([{ kind: "gap", gap: { text: "The help text is missing." } }]);
  });
});

test("with no gates nothing stops, not even at L1", () => {
  const run = send(judging(at("proving", { autonomy: "L1" })), replied("s2", verdict(true)), committed);
  expect(run.now.is).toBe("between");
  expect(send(at("proving"), proved({ kind: "tampering", key: "k", text: "t" }), rolledBack).now.is).toBe("between");
});
