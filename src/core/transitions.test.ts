// What a transition leaves behind, where two are easily confused: stages, roles, causes, the inbox, the head.
import { describe, expect, test } from "vitest";
import {
  again,
  at,
  built,
  cause,
  checkpointed,
  collected,
  committed,
  committing,
  contradicting,
  done,
  everyResult,
  F1,
  failed,
  goOn,
  held,
  judging,
  observed,
  prepared,
  proved,
  replied,
  reserved,
  rolledBack,
  send,
  steps,
  tree,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { Bug } from "./errors.ts";
import type { ResultEvent } from "./event.ts";
import { commitId } from "./ids.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Run } from "./run.ts";

const complete = begin(contractOf([feature("F1", { status: "complete" })]));
const closed = (...red: string[]): ResultEvent => ({ type: "closed", red });
/** F1 rewrote a test, and a person allowed it. */
const decided = (): Run =>
  send(at("proving"), contradicting("t"), rolledBack, held, { type: "allowed", feature: F1, tree, by: "Pat" });
const filed: ResultEvent = { type: "filed", commit: null };

describe("an event that answers nothing is our bug", () => {
  test.each<[string, () => Run, string[]]>([
    ["commits", committing, ["committed", "head-moved"]],
    ["holds", () => send(at("proving"), contradicting("t"), rolledBack), ["held"]],
    ["takes up", () => send(decided(), observed, checkpointed("i2")), ["taken-up"]],
    ["releases", () => ({ ...at("between"), released: [F1] }), ["observed", "released"]],
    ["rolls back", () => send(at("proving"), proved(cause("tampering"))), ["rolled-back", "head-moved"]],
    ["closes", () => send(complete, prepared, observed), ["closed"]],
    ["files", () => send(complete, prepared, observed, closed()), ["filed"]],
    ["waits", () => send(at("paid"), failed("s1", "limited"), collected()), ["woke"]],
  ])("while the run %s", (_, run, answers) => {
    for (const event of everyResult().filter(({ type }) => !answers.includes(type)))
      expect(() => send(run(), event), event.type).toThrow(Bug);
    for (const event of everyResult().filter(({ type }) => answers.includes(type))) send(run(), event);
  });

  test("also when the machine refuses an effect that is no longer in flight", () => {
    const refused: ResultEvent = { type: "refused", code: "x", why: "", next: "" };
    for (const over of [send(at("proving"), refused), send(complete, prepared, observed, closed(), filed)])
      expect(() => send(over, refused)).toThrow(Bug);
  });
});

describe("a feature is designed first", () => {
  const criteria = ["a", "b", "c", "d"];
  const role = (change: object, stages: ("plan" | "implement")[] = ["plan", "implement"]): unknown => {
    const run = send(begin(contractOf([feature("F1", { criteria, ...change })], { stages })), ...steps.unpaid);
    return run.now.is === "in-session" ? run.now.role : run.now.is;
  };
  test("when it has more than three criteria", () => {
    expect(role({})).toBe("designer");
    expect(role({ criteria: criteria.slice(1) })).toBe("builder");
  });

  test("and not when it has a design, or when nothing is planned", () => {
    expect(role({ designDoc: "docs/design.md" })).toBe("builder");
    expect(role({}, ["implement"])).toBe("builder");
  });
});

describe("the test stage", () => {
  const testing = (): Run =>
    send(judging(at("proving", { stages: ["implement", "test"] })), replied("s2", verdict(true)), reserved("s3"));

  test("follows a verdict that passed, and has its own verifier", () => {
    expect(next(testing())).toMatchObject({ do: "run-session", role: "tester", work: { stage: "test" } });
    const judged = send(testing(), replied("s3", done), collected(), proved());
    expect(judged.now).toMatchObject({ is: "in-session", role: "test-verifier", work: { stage: "test" } });
    expect(send(judged, reserved("s4"), replied("s4", verdict(true))).now.is).toBe("committing");
  });

  test("that lost its server continues with a tester, and a builder's with a builder", () => {
    expect(send(testing(), failed("s3", "transient"), collected()).now).toMatchObject({ resume: { role: "tester" } });
    expect(send(at("paid"), failed("s1", "transient"), collected()).now).toMatchObject({ resume: { role: "builder" } });
  });
});

describe("a proof with several failures", () => {
  test.each([
    ["scope", "tampering"],
    ["tampering", "secret"],
    ["secret", "misdeed"],
    ["misdeed", "must-not"],
    ["check-red", "scope"],
  ] as const)("has the cause of the most serious one: %s and %s", (slight, grave) => {
    for (const failures of [
      [cause(slight), cause(grave)],
      [cause(grave), cause(slight)],
    ])
      expect(progressIn(send(at("proving"), proved(...failures)).progress, F1)?.lastCause?.kind).toBe(grave);
  });

  test("lists all of them", () => {
    const run = send(at("proving"), proved(cause("check-red"), cause("scope")));
    expect(progressIn(run.progress, F1)?.lastCause?.text).toBe("check-red!\nscope!");
  });
});

test("a commit that the loop did not make does not cost the attempt that it interrupted", () => {
  const moved = { moved: "Pat committed." };
  const attempts = (run: Run) => progressIn(run.progress, F1)?.attempts;
  expect(attempts(send(at("collecting"), collected(0, moved)))).toBe(0);
  expect(attempts(send(again(), proved(cause("scope")), { type: "head-moved", why: "" }))).toBe(1);
});

test("a person's uncommitted changes are not part of the run's last commit", () => {
  const first = send(committing(), committed);
  const { commit } = first.head ?? {};
  const second = send(first, observed, checkpointed("i2", commit ?? undefined));
  expect(second.head).toEqual({ tree, commit });
  expect(send(first, observed, checkpointed("i2", commitId("e".repeat(40)))).head?.tree).not.toBe(tree);
});

test("a session that asks a person does not count as an iteration without changes", () => {
  const run = send(at("paid"), failed("s1", "billing"), collected(0));
  expect([run.now.is, run.streaks.unchanged]).toEqual(["resting", 0]);
});

test("a check that is red at the end is in the inbox once, however often the run is closed, next to other items", () => {
  const question = { kind: "question", feature: null, question: "Which?", supposition: "" } as const;
  const once = send({ ...built(), inbox: [question] }, observed, closed("test", "lint"), filed);
  expect(once.now).toMatchObject({ is: "resting", outcome: { kind: "inbox", features: [] } });
  const twice = send(once, goOn(), observed, closed("test"), filed);
  expect(twice.inbox).toEqual([question, { kind: "check-red", feature: null, check: "test" }]);
  const green = send(twice, goOn(), observed, closed());
  expect(green.inbox).toEqual([question]);
});
