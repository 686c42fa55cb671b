// What follows each reply, where two are easily confused: edits, questions, designs, verdicts, and their cost.
import { describe, expect, test } from "vitest";
import {
  at,
  cause,
  collected,
  done,
  F1,
  failed,
  judging,
  observed,
  proved,
  replied,
  reserved,
  rolledBack,
  send,
  start,
  steps,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { Bug } from "./errors.ts";
import type { ResultEvent } from "./event.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Run } from "./run.ts";

const of = (run: Run) => progressIn(run.progress, F1);
const outcome = ({ now }: Run): unknown => (now.is === "resting" ? now.outcome : now.is);

test("a feature costs the sum of its sessions", () => {
  expect(of(judging())?.costUsd).toBe(0.5);
  expect(of(send(judging(), replied("s2", verdict(true), 0.25)))?.costUsd).toBe(0.75);
  expect(of(send(judging(), failed("s2", "crashed")))?.costUsd).toBe(0.5);
});

test("a reply ends every streak of sessions without one", () => {
  const shaken = send(judging(), failed("s2", "crashed"), reserved("s3"), failed("s3", "transient"));
  expect(shaken.streaks).toMatchObject({ failures: 1, waits: 1 });
  const woken = send({ ...shaken, now: judging().now }, replied("s2", verdict(true)));
  expect(woken.streaks).toMatchObject({ failures: 0, waits: 0, error: { key: "", times: 0 } });
});

describe("a file that a maker edited", () => {
  const edited = (times: number): ResultEvent =>
    ({ ...replied("s1", done), editsMax: { path: "src/a.js", times } }) as ResultEvent;

  test("four times does not stop the run", () => {
    expect(send(at("paid"), edited(4), collected()).now.is).toBe("proving");
  });

  test("five times stops the run, once its work is collected", () => {
    const run = send(at("paid"), edited(5));
    expect(run.now.is).toBe("collecting");
    const rested = send(run, collected());
    expect(outcome(rested)).toMatchObject({ breaker: "same-file-edited", path: "src/a.js", times: 5 });
  });
});

describe("a designer", () => {
  const criteria = ["a", "b", "c", "d"];
  const designing = send(
    begin(contractOf([feature("F1", { criteria })], { stages: ["plan", "implement"] })),
    ...steps.paid,
  );

  test.each(["done", "blocked"])("that is %s is followed by a builder", (status) => {
    const run = send(designing, replied("s1", { kind: "made", status, summary: "s" }));
    expect(run.now).toMatchObject({ is: "in-session", role: "builder", ticket: null });
  });

  test("that asks gets an answer before anything is built", () => {
    const question = { kind: "made", status: "question", question: "Which?", supposition: "" };
    const run = send(designing, replied("s1", question));
    expect(next(run)).toMatchObject({
      do: "roll-back",
      cause: { kind: "blocked", key: "question:which", text: "Which?" },
    });
    expect(send(run, rolledBack).inbox).toMatchObject([{ kind: "question", feature: "F1", question: "Which?" }]);
  });
});

test.each([true, false])(
  "a criterion that is to be assumed is never met: a person is asked, whatever the verdict (%s)",
  (met) => {
    const wanted = feature("F1", { criteria: ["F1 works (verified by assumption)"] });
    const run = send(
      begin(contractOf([wanted])),
      ...steps.proving,
      proved(),
      reserved("s2"),
      replied("s2", verdict(met)),
    );
    expect(next(run)).toMatchObject({ do: "roll-back" });
    expect(run.now).toMatchObject({ is: "undoing", after: { do: "hold", item: { kind: "unproved", feature: "F1" } } });
  },
);

describe("a verdict that fails", () => {
  const judged = (change: object) => send(judging(), replied("s2", { ...verdict(false), ...change }));

  test.each([
    { what: "with a root cause", change: {}, key: "verdict:r", text: "s", unmet: ["F1 works"] },
    { what: "without one", change: { rootCause: "" }, key: "verdict:f1 works", text: "s", unmet: ["F1 works"] },
    { what: "without a summary", change: { summary: "" }, key: "verdict:r", text: "", unmet: ["F1 works"] },
    {
      what: "although every criterion is met",
      change: { criteria: verdict(true).criteria },
      key: "verdict:r",
      text: "s",
      unmet: [],
    },
  ])("$what has its summary and the unmet criteria as the cause", ({ change, key, text, unmet }) => {
    const root = "rootCause" in change ? {} : { rootCause: "r" };
    const frame = { is: "verdict", unmet, ...root };
    expect(of(judged(change))?.lastCause).toEqual({ kind: "verdict", key, text, frame });
  });

  test.each([
    ["(verified by execution output)", "code review", "needs-rework"],
    ["(verified by execution output)", "execution output", "in-progress"],
    ["(verified by observation)", "measurement", "needs-rework"],
    ["(verified by code review)", "observation", "in-progress"],
    ["", "code review", "in-progress"],
  ])("a criterion %s that was shown by %s is %s", (asked, by, status) => {
    const wanted = feature("F1", { criteria: [`F1 works ${asked}`.trim()] });
    const run = send(begin(contractOf([wanted])), ...steps.proving, proved(), reserved("s2"));
    const judgedBy = send(run, replied("s2", verdict(true, true, by)));
    expect(of(judgedBy)?.status).toBe(status);
    if (status === "needs-rework")
      expect(of(judgedBy)?.lastCause?.frame).toMatchObject({ unmet: [`F1 works ${asked} (it was shown by ${by})`] });
  });

  test("by a must-not is rolled back, and stops the run", () => {
    const run = judged({ pass: true, broken: ["Break the API!", "more"], criteria: verdict(true).criteria });
    expect(next(run)).toMatchObject({
      do: "roll-back",
      cause: { kind: "must-not", key: "must-not:break the api", frame: { is: "must-not", broken: "Break the API!" } },
    });
    const rested = send(run, rolledBack);
    expect(rested.now).toMatchObject({ is: "resting", outcome: { breaker: "must-not" }, resume: { is: "between" } });
  });

  test("must be a judgement: any other reply is our bug", () => {
    expect(() => send(judging(), replied("s2", done))).toThrow(Bug);
  });
});

describe("a tester", () => {
  const testing = (): Run =>
    send(judging(at("proving", { stages: ["implement", "test"] })), replied("s2", verdict(true)), reserved("s3"));

  test("that crashed fails the attempt, as a builder does; its verifier does not", () => {
    const run = send(testing(), failed("s3", "crashed"));
    expect(run.now.is).toBe("collecting");
    expect(send(run, collected()).now.is).toBe("between");
    expect(of(send(run, collected()))?.lastCause?.key).toBe("session:crashed");
    const verifying = send(
      testing(),
      replied("s3", done),
      collected(),
      proved(),
      reserved("s4"),
      failed("s4", "crashed"),
    );
    expect(verifying.now).toMatchObject({ is: "in-session", role: "test-verifier", ticket: null });
  });
});

describe("with full_auto_answers a question", () => {
  const question = { kind: "made", status: "question", question: "Which?", supposition: "This." };
  const auto = { fullAutoAnswers: true } as const;
  const ask = (run: Run, reply: object = question): Run => {
    const id = `q${run.spent.sessions}`;
    return send(run, reserved(id), replied(id, reply), collected(0));
  };

  test("is answered by its supposition, which is kept as a decision", () => {
    const run = ask(at("unpaid", auto));
    expect(run.now).toMatchObject({ is: "in-session", role: "builder", ticket: null });
    expect(run.decisions).toEqual([{ feature: F1, question: "Which?", answer: "This.", source: "supposition" }]);
  });

  test("of a tester continues with a tester", () => {
    const testing = judging(at("proving", { ...auto, stages: ["implement", "test"] }));
    expect(ask(send(testing, replied("s2", verdict(true)))).now).toMatchObject({
      role: "tester",
      work: { stage: "test" },
    });
  });

  test("goes to a person after three automatic answers; other features and people do not count", () => {
    const other = { feature: null, question: "", answer: "", source: "supposition" } as const;
    const person = { feature: F1, question: "", answer: "", source: "person" } as const;
    const before = [other, other, other, person, person, person];
    let run: Run = { ...at("unpaid", auto), decisions: before };
    for (const text of ["One?", "Two?", "Three?"]) run = ask(run, { ...question, question: text });
    expect([run.now.is, run.decisions.length]).toEqual(["in-session", 9]);
    expect(ask(run, { ...question, question: "Four?" }).now.is).toBe("undoing");
  });

  test("that is asked again, word for word, goes to a person: the answer did not help", () => {
    const run = ask(at("unpaid", auto));
    expect(ask(run).now.is).toBe("undoing");
  });

  test.each([
    { what: "without a supposition", contract: auto, reply: { ...question, supposition: "" } },
    { what: "where the contract does not say so", contract: {}, reply: question },
  ])("$what waits for a person", ({ contract, reply }) => {
    const run = ask(at("unpaid", contract), reply);
    expect([run.now.is, run.decisions]).toEqual(["undoing", []]);
  });
});

describe("the end of an iteration", () => {
  const gated = (change: object = {}) => send(start({ gates: ["G2"], ...change }), ...steps.proving);

  test("reports what happened to the feature", () => {
    const need = { about: "iteration", iteration: 1, feature: "F1" };
    const red = cause("check-red");
    expect(outcome(send(gated(), proved(red)))).toMatchObject({ need: { ...need, became: "rework", cause: red } });
    const limits = { ...looseLimits, reworkMax: 0 };
    expect(outcome(send(gated({ limits }), proved(red), rolledBack))).toMatchObject({
      need: { ...need, became: "shelved", cause: red },
    });
  });

  test("leaves as many tries as the contract says", () => {
    const once = send(at("proving", { limits: { ...looseLimits, reworkMax: 1 } }), proved(cause("check-red")));
    expect([once.now.is, of(once)?.status]).toEqual(["between", "needs-rework"]);
  });

  test("by a breaker resumes with the next one", () => {
    const tired = { ...at("proving"), streaks: { ...at("proving").streaks, stuck: 4 } };
    const run = send(tired, proved(cause("check-red")));
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "breaker" }, resume: { is: "between" } });
    expect(send(run, { type: "continued", limits: {}, retry: false }, observed).now.is).toBe("marking");
  });
});
