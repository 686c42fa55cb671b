// The pairs for the whole run: rounds, objections, questions, the skeptic, and what an audit leads to.

import { describe, expect, test } from "vitest";
import { built, prepared, replied, reserved, send } from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import type { Contract } from "./contract.ts";
import type { ResultEvent } from "./event.ts";
import { gateOf } from "./gates.ts";
import type { FeatureId } from "./ids.ts";
import { next } from "./next.ts";
import { begin, type Run } from "./run.ts";

const role = (run: Run): unknown => (run.now.is === "in-session" ? run.now.role : run.now.is);
const plan = { kind: "planned", features: [feature("F001"), feature("F002", { priority: 2 })] };
const review = (pass: boolean, ...texts: string[]) => ({
  kind: "reviewed",
  pass,
  summary: "s",
  findings: texts.map((text, at) => ({ id: String(at + 1), blocking: true, text })),
});
/** Starts the session that is due and lets it reply with this. */
const session = (run: Run, reply: object): Run => {
  const id = `s${run.spent.sessions}`;
  return send(run, reserved(id), replied(id, reply));
};
const empty = (change: Partial<Contract> = {}): Run =>
  send(begin(contractOf([], { stages: ["plan", "implement"], ...change })), prepared);

describe("a plan", () => {
  test("is made, judged by another session, and worked on", () => {
    const judged = session(empty(), plan);
    expect(role(judged)).toBe("plan-verifier");
    const run = session(judged, review(true));
    expect([role(run), run.contract.features.map(({ id }) => id)]).toEqual(["between", ["F001", "F002"]]);
  });

  test("that is objected to goes back with the findings, for a limited number of rounds", () => {
    const limits = { ...looseLimits, roundsMax: 2 };
    const second = session(session(empty({ limits }), plan), review(false, "No test for F002."));
    expect(next(send(second, reserved("x")))).toMatchObject({
      role: "planner",
      pair: { round: 2, findings: [{ text: "No test for F002." }] },
    });
    const stuck = session(session(second, plan), review(false, "Still none."));
    expect(gateOf(stuck)?.name).toBe("G1");
    expect(stuck.now).toMatchObject({
      outcome: { need: { about: "plan-disputed", against: [{ text: "Still none." }] } },
    });
  });

  test("that is passed with a blocking finding is not passed", () => {
    expect(role(session(session(empty(), plan), review(true, "It deletes the data.")))).toBe("planner");
  });

  test("a fail without a finding still has a reason", () => {
    const run = session(session(empty(), plan), review(false));
    expect(run.now).toMatchObject({ role: "planner", pair: { findings: [{ text: "s" }] } });
  });

  test("is not made if features are already open", () => {
    const run = send(begin(contractOf([feature("F1")], { stages: ["plan", "implement"] })), prepared);
    expect(role(run)).toBe("between");
  });

  const question = { kind: "made", status: "question", question: "Which?", supposition: "The first." };

  test("that needs an answer waits for it, and the answer reaches the planner", () => {
    const asked = session(empty(), question);
    expect(asked.now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person", need: { about: "question", feature: null } },
    });
    const run = send(
      asked,
      { type: "answered", feature: null, answer: "The second.", source: "person" },
      { type: "continued", limits: {}, retry: false },
    );
    expect([role(run), run.inbox, run.decisions]).toEqual([
      "planner",
      [],
      [{ feature: null, question: "Which?", answer: "The second.", source: "person" }],
    ]);
  });

  test("with full_auto_answers continues with the supposition, a limited number of times", () => {
    let run = empty({ fullAutoAnswers: true });
    for (const text of ["Which?", "How?", "When?"]) run = session(run, { ...question, question: text });
    expect([role(run), run.decisions.length, run.decisions[0]?.source]).toEqual(["planner", 3, "supposition"]);
    expect(session(run, { ...question, question: "Why?" }).now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person" },
    });
  });

  test("with full_auto_answers asks a person what was asked before: its supposition did not help", () => {
    const run = session(empty({ fullAutoAnswers: true }), question);
    expect(session(run, { ...question, question: " which?  " }).now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person" },
    });
  });

  test("that cannot be made asks a person", () => {
    const run = session(empty(), { kind: "made", status: "blocked", summary: "No such library." });
    expect(run.now).toMatchObject({ is: "resting", outcome: { need: { about: "no-plan", said: "No such library." } } });
  });

  test("is made again when the request changes before anything was built", () => {
    const waiting = session(session(empty({ gates: ["G1"] }), plan), review(true));
    expect(gateOf(waiting)?.name).toBe("G1");
    const run = send(
      waiting,
      { type: "amended", mode: "replace", text: "Other.", request: "Other." },
      { type: "continued", limits: {}, retry: false },
    );
    expect([role(run), run.contract.request, run.contract.features]).toEqual(["planner", "Other.", []]);
  });
});

describe("work that is hard to undo", () => {
  const intake = { score: 9, shape: "tool", workflow: "build", rule: "r", reversibility: "1" } as const;
  const risky = (): Run => send(begin(contractOf([feature("F1")], { intake })), prepared);

  test("is argued against before anything is built", () => {
    expect(role(risky())).toBe("skeptic");
    expect(role(session(risky(), review(true)))).toBe("between");
  });

  test.each([
    { which: "of the run", feature: "F1", is: "skeptic" },
    { which: "that is not of the run", feature: "F2", is: "between" },
  ])("a feature $which that would take hours to undo: $is", ({ feature: id, is }) => {
    const notes = [{ feature: id as FeatureId, workflow: "build", reversibility: "1" } as const];
    const run = send(begin(contractOf([feature("F1")], { notes })), prepared);
    expect(role(run)).toBe(is);
  });

  test("waits for a person if there are objections, at any autonomy level", () => {
    const run = session(risky(), review(false, "There is no way back."));
    expect(gateOf(run)?.name).toBe("G1");
    expect(run.now).toMatchObject({
      outcome: { need: { about: "hard-to-undo", against: [{ text: "There is no way back." }] } },
    });
  });
});

describe("an audit", () => {
  const gap = { id: "G1", blocking: true, text: "No help text.", evidence: ["--help prints nothing"] };
  const audited = (...gaps: object[]) => ({ kind: "audited", summary: "s", gaps, revised: "Add a help text." });
  const closed: ResultEvent = { type: "closed", red: [] };
  const green = (change: Partial<Contract> = {}): Run => {
    const done = built({ stages: ["implement", "audit"], ...change });
    return send(done, { type: "observed", features: null }, closed);
  };

  test("that finds nothing, and is agreed to, ends in success", () => {
    const run = session(session(green(), audited()), review(true));
    expect(run.now).toEqual({ is: "filing", outcome: { kind: "success" } });
  });

  test("that finds a gap, and is agreed to, hands over to a follow-up and ends", () => {
    const run = session(session(green(), audited(gap)), review(true));
    expect(run.now).toEqual({ is: "filing", outcome: { kind: "followup", gaps: 1 } });
    expect(send(run, { type: "filed", commit: null }).now.is).toBe("stopped");
  });

  test("that finds only minor gaps ends in success, and keeps them for the report", () => {
    const run = session(session(green(), audited({ ...gap, blocking: false })), review(true));
    expect(run.now).toEqual({ is: "filing", outcome: { kind: "success" } });
    expect(run.audit?.gaps).toHaveLength(1);
  });

  test("at the maximum depth leaves its gaps to a person", () => {
    const followUp = { of: null, depth: 3, depthMax: 3 };
    const run = session(session(green({ followUp }), audited(gap)), review(true));
    expect(run.now).toEqual({ is: "filing", outcome: { kind: "inbox", features: [] } });
    expect(run.inbox).toMatchObject([{ kind: "gap", gap: { evidence: ["--help prints nothing"] } }]);
  });

  test("whose verifier rejects a gap as never requested goes back, and then to a person", () => {
    const limits = { ...looseLimits, roundsMax: 2 };
    const second = session(session(green({ limits }), audited(gap)), review(false, "G1: nobody asked for it."));
    expect(second.now).toMatchObject({ role: "auditor", pair: { round: 2 } });
    const stuck = session(session(second, audited(gap)), review(false, "Still nobody."));
    expect(gateOf(stuck)?.name).toBe("G3");
  });
});
