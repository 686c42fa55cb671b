// What people answer, and what a resumed run does with shelved work.
import { describe, expect, test } from "vitest";
import {
  at,
  built,
  cancel,
  committed,
  F1,
  F2,
  failed,
  goOn,
  judging,
  observed,
  pause,
  prepared,
  replied,
  rolledBack,
  send,
  start,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { update } from "./attempt.ts";
import type { Contract } from "./contract.ts";
import type { ResultEvent, SignalEvent } from "./event.ts";
import { gateOf } from "./gates.ts";
import type { FeatureId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { progressIn } from "./progresses.ts";
import { begin, noStreaks, type Run } from "./run.ts";
import { noUsage } from "./session.ts";
import { rest } from "./stop.ts";

const item = (kind: "question" | "failed" | "gap", of: FeatureId | null, text = "t"): InboxItem => {
  if (kind === "question") return { kind, feature: of, question: text, supposition: "" };
  if (kind === "gap") return { kind, feature: of, gap: { id: "G1", blocking: true, text, evidence: [] } };
  return { kind, feature: of, over: { is: "same-cause" }, cause: { kind: "check-red", key: "k", text } };
};
const textOf = (of: InboxItem): string =>
  of.kind === "question" ? of.question : of.kind === "failed" ? of.cause.text : of.kind;
const between = { is: "between" } as const;
const paused = { kind: "paused", by: "person" } as const;
const no = (run: Run, reason: string): SignalEvent => {
  const gate = gateOf(run);
  if (gate === null) throw new Error("no gate is open");
  return { type: "rejected", gate: gate.name, number: gate.number, tree: gate.tree, reason };
};

describe("a rejection", () => {
  test("of a plan goes to the planner as a finding", () => {
    const run = send(start({ gates: ["G1"], stages: ["plan", "implement"] }), prepared);
    expect(send(run, no(run, "Not like this.")).now).toEqual({
      is: "in-session",
      role: "planner",
      work: null,
      candidate: null,
      ticket: null,
      pair: { round: 1, findings: [{ id: "P1", blocking: true, text: "Not like this." }] },
    });
  });

  test("of a feature resets its met criteria and removes only its own inbox items", () => {
    const shown = send(judging(at("proving", { gates: ["G2"] })), replied("s2", verdict(true)), committed);
    const full = { ...shown, inbox: [item("failed", F1), item("failed", F2), item("gap", null)] };
    const run = send(full, no(full, "Too slow."));
    expect(progressIn(run.progress, F1)).toMatchObject({ status: "needs-rework", criteriaMet: [] });
    expect(run.inbox.map((each) => each.feature)).toEqual([F2, null]);
  });

  test("at the end becomes a gap", () => {
    const run = send(built({ gates: ["G3"] }), observed, { type: "closed", red: [] });
    expect(send(run, no(run, "No help.")).audit).toEqual({
      gaps: [{ id: "P1", blocking: true, text: "No help.", evidence: [], by: "person" }],
      revised: "No help.",
    });
  });

  test("of something that was never shown changes nothing", () => {
    const run = send(start({ gates: ["G1"] }), prepared);
    const wrong = { ...no(run, "No."), number: 9 } as SignalEvent;
    expect(send(run, wrong)).toEqual(run);
    expect(send(at("proving"), wrong)).toEqual(at("proving"));
  });
});

describe("an answer", () => {
  const answer = (of: FeatureId | null): SignalEvent => ({
    type: "answered",
    feature: of,
    answer: "a",
    source: "person",
  });
  const full = (): Run => ({
    ...rest(at("between"), paused, between),
    inbox: [
      item("failed", F2),
      item("question", F2, "Second?"),
      item("question", F1, "First?"),
      item("question", null, "All?"),
    ],
  });

  test.each([
    { of: F1, question: "First?", left: ["t", "Second?", "All?"] },
    { of: F2, question: "Second?", left: ["t", "First?", "All?"] },
    { of: null, question: "All?", left: ["t", "Second?", "First?"] },
  ])("settles the question of $of and leaves the others open", ({ of, question, left }) => {
    const run = send(full(), answer(of));
    expect(run.decisions).toEqual([{ feature: of, question, answer: "a", source: "person" }]);
    expect(run.inbox.map(textOf)).toEqual(left);
  });

  test("to a question that is no longer open changes nothing", () => {
    const late = { ...answer(F1), question: "Earlier?" } as SignalEvent;
    expect(send(full(), late)).toEqual(full());
    expect(send(full(), { ...late, question: "First?" } as SignalEvent).decisions).toHaveLength(1);
  });

  test("to something that is not a question changes nothing", () => {
    const run = { ...full(), inbox: [item("failed", F1)] };
    expect(send(run, answer(F1))).toEqual(run);
  });
});

describe("a request that replaces another one", () => {
  const other = feature("F9");
  const replaces: SignalEvent = {
    type: "amended",
    mode: "replace",
    text: "Other.",
    request: "Other.",
    features: [other],
    dropped: [F1, F2],
  };
  const ids = (run: Run) => run.contract.features.map(({ id }) => String(id));
  const cut: ResultEvent = { type: "cut", usage: { ...noUsage, costUsd: 0.5 } };
  const paused = (): Run => send(at("paid"), pause, cut);

  test("takes the work in hand out of the folder, and does not resume its session", () => {
    const run = send(paused(), replaces, goOn());
    expect(run.now).toMatchObject({ is: "undoing", work: { feature: F1 }, after: { do: "drop" } });
    expect(ids(run)).toEqual(["F1", "F9"]);
    const gone = send(run, rolledBack);
    expect([gone.now.is, ids(gone)]).toEqual(["between", ["F9"]]);
    expect(gone.spent).toMatchObject({ sessions: 1, costUsd: 0.5 });
  });

  test("waits for the effect in flight, and a cancel comes first", () => {
    const working = send(at("paid"), replaces);
    expect(working.now).toEqual(at("paid").now);
    expect(send(working, cut).now).toMatchObject({ is: "undoing", after: { do: "drop" } });
    expect(send(at("paid"), cancel, replaces, cut).now.is).toBe("stopped");
  });

  test("keeps what is complete, and releases held work", () => {
    const held = { tree: "t", base: null, proof: null, why: "unproved", missing: [], tests: [], decided: null };
    const done = update(paused(), F1, { status: "complete", base: null });
    const resting = rest(done, { kind: "inbox", features: [F2] }, { is: "between" });
    const run = send(update(resting, F2, { status: "blocked", held: held as never }), replaces);
    expect(ids(run)).toEqual(["F1", "F9"]);
    expect(run.released).toEqual([F2]);
  });
});

describe("an amended request", () => {
  const amended: SignalEvent = { type: "amended", mode: "replace", text: "Other.", request: "Other." };
  const old = [
    feature("F1", { status: "complete" }),
    feature("E1", { status: "existing" }),
    feature("F2"),
    feature("F3", { status: "blocked" }),
  ];
  const planned = (change: Partial<Contract> = {}): Run =>
    send(begin(contractOf(old, { stages: ["plan", "implement"], gates: ["G1"], ...change })), prepared);
  const isReplanned = ({ now }: Run): boolean =>
    now.is === "resting" && now.resume.is === "in-session" && now.resume.role === "planner";

  test("discards the plan and keeps the features from before it", () => {
    const run = send(planned(), amended);
    expect(run.now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person" },
      resume: { role: "planner", ticket: null, pair: { round: 1, findings: [] } },
    });
    expect(run.contract.features.map(({ id }) => id)).toEqual(["F1", "E1"]);
    expect(run.contract.request).toBe("Other.");
  });

  test.each<{ what: string; run: () => Run }>([
    { what: "something was built by it", run: () => update(planned(), F2, { attempts: 1 }) },
    { what: "nothing is planned", run: () => planned({ stages: ["implement"] }) },
    { what: "the run works", run: () => planned({ gates: [] }) },
    {
      what: "the workspace was never looked at",
      run: () =>
        send(begin(contractOf(old, { stages: ["plan", "implement"] })), {
          type: "refused",
          code: "x",
          why: "",
          next: "",
        }),
    },
  ])("keeps the plan if $what", ({ run }) => {
    const after = send(run(), amended);
    expect(isReplanned(after)).toBe(false);
    expect(after).toEqual({ ...run(), contract: { ...run().contract, request: "Other." } });
  });
});

describe("resuming", () => {
  const tired = { stuck: 4, met: 2, unchanged: 1, error: { key: "k", times: 2 }, failures: 5, waits: 9 };

  test.each([
    { outcome: { kind: "breaker", breaker: "same-error", times: 3, error: "", isVaried: false }, anew: true },
    { outcome: { kind: "needs-person", need: { about: "request-changed" } }, anew: true },
    { outcome: paused, anew: false },
    { outcome: { kind: "cap", cap: "cost", used: 1, allowed: 1 }, anew: false },
  ] as const)("after $outcome.kind resets every streak: $anew", ({ outcome, anew }) => {
    const run = send(rest({ ...at("between"), streaks: tired }, outcome, between), goOn());
    expect(run.now).toEqual(between);
    expect(run.streaks).toEqual(anew ? { ...noStreaks, met: 2 } : tired);
  });

  test("does not withdraw a cancel", () => {
    const run = send(at("paid"), cancel, goOn(), { type: "cut", usage: null });
    expect(run.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
  });

  test("with another agent resumes a run that rests and does not affect one that works", () => {
    const crew: SignalEvent = { type: "continued", limits: {}, retry: false, crew: "new" };
    const limited = { ...at("proving"), limitedUntil: { maker: 9, checker: 9 } };
    expect(send(rest(limited, paused, between), crew)).toMatchObject({ now: between, limitedUntil: { maker: 0 } });
    expect(send(limited, crew).now).toEqual(limited.now);
  });

  test("with a retry starts failed features over and leaves open questions open", () => {
    const F3 = feature("F3").id;
    const blocked = [F1, F2, F3].reduce(
      (run, id) => update(run, id, { status: "blocked", attempts: 2 }),
      send(begin(contractOf([feature("F1"), feature("F2"), feature("F3")])), prepared),
    );
    const inbox = [item("failed", F1), item("question", F2), item("failed", F2), item("gap", null), item("failed", F3)];
    const run = send(rest({ ...blocked, inbox }, paused, between), goOn(true));
    expect([F1, F2, F3].map((id) => progressIn(run.progress, id)?.status)).toEqual([
      "needs-rework",
      "blocked",
      "needs-rework",
    ]);
    expect(progressIn(run.progress, F1)?.attempts).toBe(0);
    expect(run.inbox).toEqual([item("question", F2)]);
  });
});

describe("a refused action", () => {
  const tried = (count: number): unknown => {
    const refused = Array.from({ length: count }, () => ({ command: "git push", why: "No." }));
    const run = send(judging(), { ...failed("s2", "crashed"), refused } as never);
    return run.now.is === "resting" && run.now.outcome.kind === "breaker" ? run.now.outcome : run.now.is;
  };

  test("is shown with the number of further ones", () => {
    const first = { breaker: "destructive-action", command: "git push", why: "No." };
    expect(tried(1)).toMatchObject({ ...first, others: 0 });
    expect(tried(3)).toMatchObject({ ...first, others: 2 });
  });
});
