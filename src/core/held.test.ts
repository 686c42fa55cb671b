// Work that waits for a person: when it is held, what a person can decide, and what happens to it then.
import { describe, expect, test } from "vitest";
import { noticesOf } from "../report/notices.ts";
import {
  at,
  built,
  cause,
  checkpointed,
  collected,
  committed,
  contradicting,
  done,
  F1,
  F2,
  goOn,
  held,
  judging,
  observed,
  proved,
  released,
  replied,
  reserved,
  rolledBack,
  send,
  steps,
  takenUp,
  tree,
  verdict,
  weak,
} from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { type Contract, defaultProofTerms } from "./contract.ts";
import { notDone } from "./done.ts";
import type { ResultEvent, SignalEvent } from "./event.ts";
import { gateOf } from "./gates.ts";
import { allowedFeature } from "./held.ts";
import { treeId } from "./ids.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Progress, type Run } from "./run.ts";

const of = (run: Run, id = F1): Progress => {
  const progress = progressIn(run.progress, id);
  if (progress === undefined) throw new Error("no such feature");
  return progress;
};
const allow = (value: Contract["proof"]["allow"]): Partial<Contract> => ({
  proof: { ...defaultProofTerms, allow: value },
});
const by = "Pat <pat@example.org>";
const accepted: SignalEvent = { type: "accepted", feature: F1, tree, by };
const allowed: SignalEvent = { type: "allowed", feature: F1, tree, by };
const no = (reason: string): SignalEvent => ({ type: "turned-down", feature: F1, tree, by, reason });
const asking = { kind: "made", status: "needs-permission", tests: ["test/a.js > a"], reason: "It says so." };

/** F1 is tried twice, and the same thing is missing both times. */
const unproved = (change: Partial<Contract> = {}): Run =>
  send(
    at("proving", change),
    weak("No new test."),
    observed,
    checkpointed("i2"),
    reserved("s2"),
    replied("s2", done),
    collected(),
    weak("No new test."),
    rolledBack,
    held,
  );
const contradiction = (change: Partial<Contract> = {}): Run =>
  send(at("proving", change), contradicting("test/a.js > a"), rolledBack, held);
const permission = (): Run => send(at("paid"), replied("s1", asking), collected(), rolledBack, held);

describe("a proof with something missing", () => {
  test("is held after its first attempt if no further session could change it", () => {
    const run = send(at("proving"), { ...weak("A person has to look."), isForPerson: true } as ResultEvent);
    expect(run.now).toMatchObject({ is: "undoing", after: { do: "hold", held: { why: "unproved" } } });
  });

  test("is a failed attempt that is built upon, names what is missing, and costs no evaluator", () => {
    const run = send(at("proving"), weak("No new test.", "Nothing noticed."));
    expect(run.now).toEqual({ is: "between" });
    expect(of(run)).toMatchObject({ status: "needs-rework", lastCause: { kind: "unproved" } });
    expect(of(run).base).not.toBeNull();
    expect(of(run).lastCause).toMatchObject({ text: "No new test.\nNothing noticed.", frame: { is: "unproved" } });
  });

  test("is built upon again when something else is missing the next time", () => {
    const second = send(at("proving"), weak("A."), observed, checkpointed("i2"), reserved("s2"));
    const run = send(second, replied("s2", done), collected(), weak("B."));
    expect([run.now.is, of(run).status]).toEqual(["between", "needs-rework"]);
  });

  test("twice for the same reason is held: rolled back, kept, blocked, and in the inbox with both commands", () => {
    const run = unproved();
    expect(of(run)).toMatchObject({ status: "blocked", base: null, held: { tree, why: "unproved", decided: null } });
    expect(run.inbox).toEqual([{ kind: "unproved", feature: F1, tests: [], missing: ["No new test."] }]);
  });

  test("of a feature about tests is held immediately, since no further attempt could prove it", () => {
    const { features } = at("proving").contract;
    const run = send(at("proving", { features: features.map((one) => ({ ...one, kind: "judge" })) }), weak("A."));
    expect(run.now).toMatchObject({ is: "undoing", after: { do: "hold", held: { why: "unproved" } } });
  });

  test("after the last attempt is held as well", () => {
    const run = send(at("proving", { limits: { ...looseLimits, reworkMax: 0 } }), weak("A."));
    expect(run.now).toMatchObject({ is: "undoing", after: { do: "hold", held: { missing: ["A."] } } });
    expect(next(send(run, rolledBack))).toMatchObject({ do: "hold", held: { tree } });
  });

  test("lets independent features continue, and dependent ones wait", () => {
    expect(send(unproved(), observed).now).toEqual({ is: "marking", feature: F2 });
    const dependent = contractOf([feature("F1"), feature("F2", { priority: 2, dependencies: [F1] })]);
    const run = send(begin(dependent), ...steps.proving, contradicting("t"), rolledBack, held, observed);
    expect(run.now).toMatchObject({ is: "filing", outcome: { kind: "inbox", features: [F1, F2] } });
  });

  test("of an earlier version, which did not record what is missing, is left to its verdict", () => {
    const { missing: _, contradiction: __, ...old } = weak() as Extract<ResultEvent, { type: "proved" }>;
    expect(send(at("proving"), old).now).toMatchObject({ is: "in-session", role: "evaluator" });
  });

  test("is reviewed if the feature only needs a review", () => {
    const reviewed = { ...weak(), grade: "reviewed" } as ResultEvent;
    const run = send(at("proving"), reviewed, reserved("s2"), replied("s2", verdict(true)), committed);
    expect(of(run)).toMatchObject({ status: "complete", grade: "reviewed", reviewedBy: "the checker" });
  });
});

describe("rewritten protected tests", () => {
  test("are one question, immediately", () => {
    const run = contradiction();
    expect(of(run)).toMatchObject({ status: "blocked", held: { why: "contradiction", tests: ["test/a.js > a"] } });
    expect(run.inbox).toMatchObject([{ kind: "contradiction", tests: ["test/a.js > a"], missing: [] }]);
  });

  test("are judged by the checker if the contract says so, and make it reviewed", () => {
    const run = send(at("proving", allow("checker")), contradicting("t"));
    expect(run.now).toMatchObject({
      role: "evaluator",
      candidate: { grade: "reviewed", contradiction: { tests: ["t"] } },
    });
    const passed = send(run, reserved("s2"), replied("s2", verdict(true)), committed);
    expect(of(passed)).toMatchObject({ grade: "reviewed", reviewedBy: "the checker" });
  });

  test("are tampering if the contract allows no one to change them", () => {
    const run = send(at("proving", allow("never")), contradicting("t"));
    expect(run.now).toMatchObject({ is: "undoing", cause: { kind: "tampering" }, after: { do: "rework" } });
  });
});

describe("a builder that asks to change a protected test", () => {
  test("waits for a person with its work, even with automatic answers", () => {
    const run = send(at("paid", { fullAutoAnswers: true }), replied("s1", asking), collected(), rolledBack, held);
    expect(of(run).held).toMatchObject({ why: "permission", tests: ["test/a.js > a"], missing: ["It says so."] });
    expect(run.inbox).toMatchObject([{ kind: "permission", feature: F1 }]);
  });

  test("gets permission: it may change the tests and has its attempts back", () => {
    const run = send(permission(), allowed);
    expect(of(run)).toMatchObject({ status: "needs-rework", attempts: 0, held: null, allowed: ["test/a.js > a"] });
    expect(allowedFeature(run, F1).mayChange).toEqual(["test/a.js > a"]);
    expect([run.inbox, run.released]).toEqual([[], [F1]]);
  });

  test("is refused, with a reason", () => {
    const run = send(permission(), no("They are right."));
    expect(of(run)).toMatchObject({ status: "needs-rework", attempts: 0, allowed: [] });
    expect(of(run).lastCause?.text).toContain("They are right.");
  });

  test("keeps its permission when a person edits the queue", () => {
    const run = send(permission(), allowed, released, { type: "observed", features: [feature("F1"), feature("F2")] });
    expect(allowedFeature(run, F1).mayChange).toEqual(["test/a.js > a"]);
  });
});

describe("held work that a person accepts", () => {
  const takingUp = (run: Run): Run => send(run, goOn(), observed, checkpointed("i9"));

  test.each([
    { what: "accepted", run: () => send(unproved(), accepted), how: "accept" },
    { what: "allowed", run: () => send(contradiction(), allowed), how: "allow" },
  ])("$what is next in line, proved again with their decision, and committed as reviewed by them", ({ run, how }) => {
    const marked = send(run(), observed);
    expect(marked.now).toEqual({ is: "marking", feature: F1 });
    const up = send(marked, checkpointed("i9"));
    expect(next(up)).toMatchObject({ do: "take-up", held: { tree }, work: { decided: { how, by } } });
    const proving = send(up, takenUp());
    expect(next(proving)).toMatchObject({ do: "prove", work: { decided: { how, by } } });
    const committing = send(proving, weak("Still no test."));
    expect(next(committing)).toMatchObject({ do: "commit", candidate: { grade: "reviewed" } });
    const complete = send(committing, committed);
    expect(of(complete)).toMatchObject({ status: "complete", grade: "reviewed", reviewedBy: by, held: null });
    expect(next(complete)).toMatchObject({ do: "release", features: [F1] });
    expect(send(complete, released).released).toEqual([]);
    expect(complete.spent.sessions).toBe(run().spent.sessions);
  });

  test("waits for other open work in the folder", () => {
    const open = send(unproved(), observed, checkpointed("i3"), reserved("s3"), replied("s3", done), collected());
    const run = send(open, accepted, proved(cause("check-red")), observed);
    expect(run.now).toEqual({ is: "marking", feature: F2 });
  });

  test("that the runs refuse waits again, with the reason", () => {
    const run = send(takingUp(send(unproved(), accepted)), takenUp(), proved(cause("check-red")), rolledBack);
    expect(of(run)).toMatchObject({ status: "blocked", held: { decided: null }, base: null });
    expect(run.inbox).toMatchObject([{ kind: "unproved", refused: { cause: cause("check-red") } }]);
    expect(of(send(run, accepted)).held?.decided).toEqual({ how: "accept", by });
  });

  test("that rewrote a test after all is refused", () => {
    const run = send(takingUp(send(unproved(), accepted)), takenUp(), contradicting("t"));
    expect(run.now).toMatchObject({ is: "undoing", cause: { kind: "tampering" }, after: { do: "shelve" } });
  });

  test("that no longer fits is built again, and may change the allowed tests", () => {
    const run = send(takingUp(send(contradiction(), allowed)), takenUp("src/a.js"));
    expect(of(run)).toMatchObject({ status: "needs-rework", attempts: 0, base: null, held: null });
    expect(of(run)).toMatchObject({ allowed: ["test/a.js > a"], lastCause: { kind: "conflict" } });
    expect(of(run).lastCause?.frame).toMatchObject({ is: "conflict", files: ["src/a.js"] });
  });

  test("stays accepted when a person commits in the meantime", () => {
    const proving = send(takingUp(send(unproved(), accepted)), takenUp(), weak());
    const run = send(proving, { type: "head-moved", why: "Pat committed." });
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "head-moved" } });
    expect(send(run, goOn(), observed).now).toEqual({ is: "marking", feature: F1 });
  });

  test("needs no session, so no cap on cost blocks it, and takes no iteration from the agents", () => {
    const spent = (change: Partial<Contract["limits"]>): Run => {
      const run = send(unproved(), accepted);
      return { ...run, contract: { ...run.contract, limits: { ...looseLimits, ...change } } };
    };
    expect(send(spent({ costUsdMax: 0 }), observed).now.is).toBe("marking");
    const before = spent({ iterationsMax: 2 });
    const after = send(before, observed);
    const left = ({ contract, spent: { iterations } }: Run): number =>
      (contract.limits.iterationsMax ?? 0) - iterations;
    expect([after.now.is, left(after)]).toEqual(["marking", left(before)]);
    expect(send(spent({ commitsMax: 0 }), observed).now).toMatchObject({ outcome: { cap: "commits" } });
  });
});

describe("held work that a person turns down", () => {
  test("with a reason starts over, and its branch is deleted", () => {
    const run = send(unproved(), no("Too slow."));
    expect(of(run)).toMatchObject({ status: "needs-rework", attempts: 0, held: null });
    expect(of(run).lastCause).toMatchObject({ kind: "rejected", text: "Too slow.", frame: { is: "rejected" } });
    expect([run.inbox, next(run)]).toMatchObject([[], { do: "release", features: [F1] }]);
  });

  test("without one stays blocked", () => {
    const run = send(unproved(), no(" "));
    expect(of(run)).toMatchObject({ status: "blocked", held: null });
    expect(run.inbox).toMatchObject([{ kind: "blocked", feature: F1 }]);
    expect(run.released).toEqual([F1]);
  });
});

describe("held work that a person rejects at the gate after its iteration", () => {
  const at2 = (run: Run): SignalEvent => {
    const gate = gateOf(run);
    if (gate === null) throw new Error("no gate is open");
    return { type: "rejected", gate: gate.name, number: gate.number, tree: gate.tree, reason: "Not so." };
  };
  const shown = contradiction({ gates: ["G2"] });
  const rejectedThere = send(shown, at2(shown));

  test("starts over, its branch is deleted, and it can no longer be allowed", () => {
    expect(of(rejectedThere)).toMatchObject({ status: "needs-rework", attempts: 0, held: null });
    expect(next(rejectedThere)).toMatchObject({ do: "release", features: [F1] });
    expect(send(rejectedThere, allowed)).toEqual(rejectedThere);
  });

  test("is retried like any other feature once a later attempt fails", () => {
    const failed = send(
      { ...rejectedThere, contract: { ...rejectedThere.contract, gates: [] } },
      ...([released, observed, checkpointed("i8"), reserved("s8"), replied("s8", done), collected()] as const),
      ...([proved(cause("must-not")), rolledBack] as const),
    );
    expect(failed.inbox).toMatchObject([{ kind: "failed", feature: F1 }]);
    expect(of(send(failed, goOn(true))).status).toBe("needs-rework");
  });

  test("is refused the tests that it asked to change", () => {
    const asks = send(at("paid", { gates: ["G2"] }), replied("s1", asking), collected(), rolledBack, held);
    expect(of(send(asks, at2(asks))).lastCause?.frame).toEqual({ is: "refused", tests: ["test/a.js > a"] });
  });
});

test("a gate that is shown again after accepted work was refused is another showing, told anew", () => {
  const shown = { ...unproved(), contract: { ...unproved().contract, gates: ["G2"] as const } };
  const taken = (run: Run): Run => send(run, accepted, observed, checkpointed("i8"), takenUp());
  const once = send(taken(shown), proved(cause("check-red")), rolledBack);
  const twice = send(taken(once), proved(cause("check-red")), rolledBack);
  const [first, second] = [gateOf(once), gateOf(twice)];
  if (first === null || second === null) throw new Error("no gate is open");
  expect([first.name, first.tree, once.spent.sessions]).toEqual([second.name, second.tree, twice.spent.sessions]);
  const stale = { type: "approved", gate: first.name, number: first.number, tree: first.tree } as const;
  expect(send(twice, stale)).toEqual(twice);
  expect(gateOf(send(twice, { ...stale, number: second.number }))).toBeNull();
  const told = (run: Run) => noticesOf(run, new Set(), 0).find(({ kind }) => kind === "waits")?.key;
  expect(told(twice)).not.toBe(told(once));
});

describe("a decision about held work", () => {
  const other = treeId("e".repeat(40));
  test.each<[string, () => Run, SignalEvent]>([
    ["nothing is held", () => at("proving"), accepted],
    ["other work is held by now", () => unproved(), { ...accepted, tree: other } as SignalEvent],
    ["it was decided already", () => send(unproved(), accepted), accepted],
    ["no comes after yes", () => send(unproved(), accepted), no("No.")],
    ["it is turned down already", () => send(unproved(), no("No.")), accepted],
    ["tests are to be allowed, not accepted", contradiction, accepted],
    ["there is nothing to allow", unproved, allowed],
    ["the feature is unknown", unproved, { ...accepted, feature: "F9" as never } as SignalEvent],
  ])("changes nothing if %s", (_, run, signal) => {
    expect(send(run(), signal)).toEqual(run());
  });

  test("is kept while a run writes its records, and the run continues afterwards", () => {
    const alone = send(begin(contractOf([feature("F1")])), ...steps.proving, contradicting("t"), rolledBack, held);
    const writing = send(alone, observed);
    expect(writing.now).toMatchObject({ is: "filing", outcome: { kind: "inbox", features: [F1] } });
    expect(send(writing, allowed, { type: "filed", commit: null }).now).toEqual({ is: "between" });
    expect(send(writing, { type: "filed", commit: null }).now.is).toBe("resting");
  });

  test("is required: resuming does not retry held work", () => {
    const run = send(unproved(), { type: "pause-requested", by: "person" }, observed, goOn(true));
    expect(of(run)).toMatchObject({ status: "blocked", held: { why: "unproved" } });
    expect(run.inbox.map(({ kind }) => kind)).toEqual(["unproved"]);
  });
});

test("work is held even if a person commits while it is rolled back", () => {
  const run = send(at("proving"), contradicting("t"), { type: "head-moved", why: "Pat committed." }, held);
  expect(of(run)).toMatchObject({ status: "blocked", held: { why: "contradiction" } });
  expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "head-moved" } });
});

test("a session's changes count even if it died and the next session changes nothing", () => {
  const run = send(at("paid"), replied("s1", done), collected(0, { changedInAll: 3 }));
  expect(run.now.is).toBe("proving");
  expect(send(at("paid"), replied("s1", done), collected(0, { changedInAll: 0 })).now.is).toBe("between");
});

describe("done", () => {
  test("requires a commit by the run", () => {
    expect(notDone(built())).toBeNull();
  });

  test.each<[string, () => Run]>([
    ["no feature at all", () => begin(contractOf([]))],
    ["nothing but what was there before", () => begin(contractOf([feature("F1", { status: "complete" })]))],
  ])("is not a run with %s", (_, run) => {
    const ended = notDone(run());
    expect(ended?.now).toEqual({ is: "filing", outcome: { kind: "inbox", features: [] } });
    expect(ended?.inbox).toMatchObject([{ kind: "blocked", by: { is: "no-work" } }]);
  });

  test("is not a run with a feature whose proof is weak", () => {
    const weakly = (run: Run): Run => {
      const { progress } = run;
      return { ...run, progress: { ...progress, all: progress.all.map((each) => ({ ...each, grade: "weak" })) } };
    };
    expect(notDone(weakly(built()))?.now).toMatchObject({ outcome: { kind: "inbox", features: [F1] } });
    expect(notDone(judging())?.now).toMatchObject({ outcome: { kind: "inbox" } });
  });

  test("is reported with the number of proved and reviewed features", () => {
    const run = send(built({ gates: ["G3"] }), observed, { type: "closed", red: [] });
    expect(run.now).toMatchObject({ outcome: { need: { about: "done", proved: 1, reviewed: 0 } } });
  });
});
