// Edge cases of pairs: what a person sees, which role may reply what, and what counts as an objection.
import { describe, expect, test } from "vitest";
import { built, done, prepared, replied, reserved, send, verdict } from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import type { Contract } from "./contract.ts";
import { Bug } from "./errors.ts";
import { gateOf } from "./gates.ts";
import { begin, type Run } from "./run.ts";

const once = { limits: { ...looseLimits, roundsMax: 1 } };
const plan = { kind: "planned", features: [feature("F1")] };
const finding = (text: string, blocking = true) => ({ id: text.charAt(0), blocking, text });
const review = (pass: boolean, ...findings: object[]) => ({ kind: "reviewed", pass, summary: "s", findings });
const session = (run: Run, reply: object): Run => {
  const id = `s${run.spent.sessions}`;
  return send(run, reserved(id), replied(id, reply));
};
const planning = (change: Partial<Contract> = {}): Run =>
  send(begin(contractOf([], { stages: ["plan", "implement"], ...change })), prepared);
const auditing = (change: Partial<Contract> = {}): Run =>
  send(
    built({ stages: ["implement", "audit"], ...change }),
    { type: "observed", features: null },
    { type: "closed", red: [] },
  );
const audit = { kind: "audited", summary: "s", gaps: [], revised: "" };
const need = ({ now }: Run): unknown =>
  now.is === "resting" && now.outcome.kind === "needs-person" ? now.outcome.need : now.is;
const yes = (run: Run) => {
  const gate = gateOf(run);
  if (gate === null) throw new Error("no gate is open");
  return { type: "approved", gate: gate.name, number: gate.number, tree: gate.tree } as const;
};

test.each([
  { features: [feature("F1")], open: 1 },
  { features: [feature("F1"), feature("F2"), feature("F3", { status: "complete" })], open: 2 },
])("a person approves $open open features", ({ features, open }) => {
  const run = send(begin(contractOf(features, { gates: ["G1"] })), prepared);
  expect(need(run)).toEqual({ about: "contract", open });
});

test("a session's reservation is released when the next one begins", () => {
  const limits = { ...looseLimits, tokensMax: 1_000_000, costUsdMax: 9 };
  const verifying = session(planning({ limits }), plan);
  expect(verifying.now).toMatchObject({ is: "in-session", role: "plan-verifier" });
});

describe("a reply that does not fit the role is our bug", () => {
  test.each<[string, () => Run, object]>([
    ["a planner that judges", planning, verdict(true)],
    ["a verifier of a plan that makes", () => session(planning(), plan), done],
    ["an auditor that reviews", auditing, review(true)],
    ["a verifier of an audit that audits", () => session(auditing(), audit), audit],
  ])("%s", (_, run, reply) => {
    expect(() => session(run(), reply)).toThrow(Bug);
  });
});

describe("a planner", () => {
  const question = { kind: "made", status: "question", question: "Which?", supposition: "This." };
  const auto = (supposition: string, decisions: Run["decisions"] = []): Run =>
    session({ ...planning({ fullAutoAnswers: true }), decisions }, { ...question, supposition });

  test("that made no plan is reported with its reason, or with none", () => {
    const blocked = session(planning(), { kind: "made", status: "blocked", summary: "No." });
    expect(need(blocked)).toEqual({ about: "no-plan", said: "No." });
    expect(need(session(planning(), done))).toEqual({ about: "no-plan", said: null });
  });

  test("without a supposition waits for a person, even with automatic answers", () => {
    expect(auto("This.").now.is).toBe("in-session");
    expect(auto("").now.is).toBe("resting");
  });

  test("has its own count of automatic answers, separate from features and people", () => {
    const answered = { question: "", answer: "" };
    const others = [
      ...Array.from({ length: 3 }, () => ({ ...answered, feature: null, source: "person" as const })),
      ...Array.from({ length: 3 }, () => ({ ...answered, feature: feature("F1").id, source: "supposition" as const })),
    ];
    expect(auto("This.", others).now.is).toBe("in-session");
  });
});

describe("a verifier that objects", () => {
  test("is reported with its blocking findings", () => {
    const objected = review(false, finding("No test."), finding("A comma.", false), finding("Too large."));
    expect(need(session(session(planning(once), plan), objected))).toEqual({
      about: "plan-disputed",
      rounds: 1,
      against: [finding("No test."), finding("Too large.")],
    });
  });

  test("is reported with the number of rounds", () => {
    const twice = { limits: { ...looseLimits, roundsMax: 2 } };
    const again = session(session(planning(twice), plan), review(false));
    expect(need(session(session(again, plan), review(false)))).toMatchObject({ about: "plan-disputed", rounds: 2 });
  });

  test("without a finding is reported with its summary", () => {
    const against = [{ id: "1", blocking: true, text: "s" }];
    expect(need(session(session(planning(once), plan), review(false)))).toMatchObject({ against });
  });

  test("has not objected if it passes with only minor findings", () => {
    expect(session(session(planning(once), plan), review(true, finding("A comma.", false))).now.is).toBe("between");
  });

  test("to an audit until the end leaves it to a person, whose approval is a success", () => {
    const stuck = session(session(auditing(once), audit), review(false, finding("Nobody asked.")));
    expect(need(stuck)).toEqual({ about: "audit-disputed", rounds: 1, against: [finding("Nobody asked.")] });
    expect(send(stuck, yes(stuck)).now).toEqual({ is: "filing", outcome: { kind: "success" } });
  });
});
