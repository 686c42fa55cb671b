// What happens to an attempt: complete, tried again, rolled back, shelved, or left to a person.
import { describe, expect, test } from "vitest";
import {
  again,
  at,
  cause,
  checkpointed,
  collected,
  committed,
  committing,
  done,
  F1,
  F2,
  failed,
  goOn,
  hash,
  judging,
  mark,
  observed,
  prepared,
  proved,
  replied,
  reserved,
  rolledBack,
  send,
  stamp,
  steps,
  tree,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { apply } from "./apply.ts";
import { endIteration, update } from "./attempt.ts";
import type { SignalEvent } from "./event.ts";
import { commitId, type FeatureId, featureId } from "./ids.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import { begin, type Run } from "./run.ts";

describe("a failed attempt", () => {
  test.each(["check-red", "flaky", "verdict"] as const)("by %s the first time is built upon", (kind) => {
    const run = send(at("proving"), proved(cause(kind)));
    expect([run.now.is, progressIn(run.progress, F1)?.status, progressIn(run.progress, F1)?.base?.checkpoint]).toEqual([
      "between",
      "needs-rework",
      "i1",
    ]);
  });

  test.each(["tampering", "scope", "secret", "misdeed", "rejected"] as const)(
    "by %s is rolled back immediately, then tried again",
    (kind) => {
      const undoing = send(at("proving"), proved(cause(kind)));
      expect(next(undoing)).toMatchObject({ do: "roll-back", work: { base: { checkpoint: "i1" } } });
      expect(progressIn(send(undoing, rolledBack).progress, F1)).toMatchObject({ status: "needs-rework", base: null });
    },
  );

  test("a second time is rolled back to the state before the first", () => {
    const undoing = send(again(), proved(cause("check-red", "second")));
    expect(next(undoing)).toMatchObject({
      do: "roll-back",
      work: { attempt: 2, base: { checkpoint: "i1" }, mark: { checkpoint: "i2" } },
    });
    expect(send(undoing, rolledBack).now.is).toBe("between");
  });

  test("twice for the same root cause goes to the inbox", () => {
    const shelved = send(again(), proved(cause("check-red", "first")), rolledBack);
    expect(progressIn(shelved.progress, F1)?.status).toBe("blocked");
    expect(shelved.inbox).toMatchObject([{ kind: "failed", feature: "F1" }]);
  });

  test("by a builder that is blocked goes to the inbox at once, with its reason, and is not a lack of change", () => {
    const blocked = replied("s1", { kind: "made", status: "blocked", summary: "No key." });
    const shelved = send(at("paid"), blocked, collected(0), rolledBack);
    expect(shelved.inbox).toMatchObject([{ kind: "failed", over: { is: "blocked" }, cause: { text: "No key." } }]);
    expect(shelved.streaks.unchanged).toBe(0);
    expect(progressIn(shelved.progress, F1)).toMatchObject({ status: "blocked", attempts: 1 });
  });

  test.each([
    ["a regression", { ...cause("check-red", "a"), frame: { is: "regression", tests: ["a"] } } as const, "regression"],
    ["a breach of the scope", cause("scope", "a"), "scope"],
  ] as const)("twice by %s goes to the inbox, though its root cause is another", (_, first, over) => {
    const second = { ...first, key: "b" };
    const more = [observed, checkpointed("i2"), reserved("s3"), replied("s3", done), collected()];
    const undone = send(at("proving"), proved(first));
    const reworked = send(undone.now.is === "undoing" ? send(undone, rolledBack) : undone, ...more);
    const shelved = send(reworked, proved(second), rolledBack);
    expect(shelved.inbox).toMatchObject([{ kind: "failed", feature: "F1", over: { is: over } }]);
  });

  test.each([
    ["crashed", 1],
    ["crashed", 0],
    ["no-result", 0],
  ] as const)(
    "by a session that %s with %i files changed trips the breaker for errors the third time",
    (how, files) => {
      const crashed = (run: Run, id: string): Run => send(run, failed(id, how), collected(files));
      const more = (run: Run, id: string): Run => send(run, observed, checkpointed(`i-${id}`), reserved(id));
      const once = crashed(at("paid"), "s1");
      expect(once.now.is).toBe("between");
      const twice = crashed(more(once, "s2"), "s2");
      const undone = twice.now.is === "undoing" ? send(twice, rolledBack) : twice;
      expect(undone).toMatchObject({ now: { is: "between" }, inbox: [] });
      const outcome = { kind: "breaker", breaker: "same-error", times: 3 };
      expect(crashed(more(undone, "s3"), "s3").now).toMatchObject({ is: "resting", outcome });
    },
  );

  test("after all the allowed rework goes to the inbox", () => {
    const limits = { ...looseLimits, reworkMax: 0 };
    const shelved = send(at("proving", { limits }), proved(cause("check-red")), rolledBack);
    expect(progressIn(shelved.progress, F1)?.status).toBe("blocked");
  });

  test("by a must-not is rolled back, shelved, and stops the run", () => {
    const run = send(at("proving"), proved(cause("check-red"), cause("must-not")), rolledBack);
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "breaker", breaker: "must-not" } });
    expect(progressIn(run.progress, F1)?.status).toBe("blocked");
  });

  test("because nothing changed is not proved; twice shelves the feature, and a third time elsewhere trips the breaker", () => {
    const once = send(at("collecting"), collected(0));
    expect(progressIn(once.progress, F1)).toMatchObject({
      status: "needs-rework",
      lastCause: { kind: "nothing-changed" },
    });
    const twice = send(
      once,
      observed,
      checkpointed("i2"),
      reserved("s2"),
      replied("s2", done),
      collected(0),
      rolledBack,
    );
    expect(progressIn(twice.progress, F1)?.status).toBe("blocked");
    expect(twice.now).toEqual({ is: "between" });
    const elsewhere = send(twice, observed, checkpointed("i3"), reserved("s3"), replied("s3", done), collected(0));
    expect(elsewhere.now).toMatchObject({ is: "resting", outcome: { kind: "breaker", breaker: "nothing-changed" } });
  });

  test("a session that was merely retried does not count as an iteration without changes", () => {
    const waiting = send(at("paid"), failed("s1", "limited"), collected(0));
    expect(waiting.now.is).toBe("waiting");
    const later = { ...stamp({ type: "woke" }), at: 1e15 };
    const lied = send(apply(waiting, later), reserved("s2"), replied("s2", done), collected(0));
    expect(lied.streaks.unchanged).toBe(1);
    expect(lied.now.is).toBe("between");
  });

  test("a criterion that was lost and met again is not progress", () => {
    const judgedTwice = (first: boolean, second: boolean): Run => {
      const contract = contractOf([feature("F1", { criteria: ["a", "b"] })], {
        limits: { ...looseLimits, reworkMax: 9 },
      });
      const judge = (met: boolean, root: string) => ({ ...verdict(false, met), rootCause: root });
      let run = send(begin(contract), prepared);
      for (const [index, met] of [true, first, second].entries())
        run = send(
          run,
          observed,
          checkpointed(`i${index + 1}`),
          reserved(`b${index}`),
          replied(`b${index}`, done),
          collected(),
          proved(),
          reserved(`e${index}`),
          replied(`e${index}`, judge(met, `r${index}`)),
          ...(index > 0 ? [rolledBack] : []),
        );
      return run;
    };
    expect(judgedTwice(false, true).streaks).toMatchObject({ met: 1, stuck: 2 });
  });

  test("by a serious violation is rolled back, regardless of what the agent said", () => {
    const violations = [{ kind: "git-destroyed", what: "gone", grave: true }];
    expect(next(send(at("collecting"), collected(3, { violations })))?.do).toBe("roll-back");
    const slight = [{ kind: "record-edited", what: "edited", grave: false }];
    expect(next(send(at("collecting"), collected(3, { violations: slight })))?.do).toBe("prove");
  });
});

describe("a verdict", () => {
  test.each([
    ["pass, every criterion seen", verdict(true), "committing"],
    ["pass, and a criterion not met", verdict(true, false), "between"],
    ["pass by assumption", verdict(true, true, "assumption"), "between"],
    ["pass that leaves a criterion out", { ...verdict(true), criteria: [] }, "between"],
    ["fail, although every criterion is met", verdict(false, true), "between"],
  ])("%s: the run is then %s", (_, reply, is) => {
    expect(send(judging(), replied("s2", reply)).now.is).toBe(is);
  });

  test("that only read the code does not override the runs", () => {
    expect(
      progressIn(send(judging(), replied("s2", verdict(true, true, "code review")), committed).progress, F1)?.grade,
    ).toBe("strong");
  });

  test.each(["crashed", "no-result", "silent", "context-full"] as const)(
    "that never came (%s) says nothing about the work: it is requested again",
    (kind) => {
      const run = send(judging(), failed("s2", kind));
      expect(next(run)).toMatchObject({ do: "reserve-session", role: "evaluator" });
      expect(run.now).toMatchObject({ candidate: { tree } });
    },
  );

  test("that never comes trips the breaker the third time", () => {
    const run = send(
      judging(),
      failed("s2", "crashed"),
      reserved("s3"),
      failed("s3", "crashed"),
      reserved("s4"),
      failed("s4", "crashed"),
    );
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "breaker", breaker: "same-error" } });
  });
});

describe("a commit that the loop did not make", () => {
  test.each([
    ["found while collecting", () => send(at("collecting"), collected(0, { moved: "Pat committed." }))],
    ["found while committing", () => send(committing(), { type: "head-moved", why: "Pat committed." })],
    [
      "found while rolling back",
      () => send(at("proving"), proved(cause("tampering")), { type: "head-moved", why: "Pat committed." }),
    ],
    [
      "made between two attempts",
      () => send(at("proving"), proved(cause("check-red")), observed, checkpointed("i2", commitId(hash("e")))),
    ],
  ])("%s makes the run rest, and the feature starts over", (_, play) => {
    const run = play();
    expect(run.now).toMatchObject({
      is: "resting",
      outcome: { kind: "head-moved" },
      resume: { is: "between" },
    });
    expect(progressIn(run.progress, F1)).toMatchObject({ status: "needs-rework", base: null });
  });

  test("made between two features is the base of the next one and of the records", () => {
    const theirs = commitId(hash("e"));
    const run = send(committing(), committed, observed, checkpointed("i2", theirs));
    expect(run.now.is).toBe("in-session");
    expect(run.head).toEqual({ tree: mark("i2").tree, commit: theirs });
  });
});

test.each([
  { kind: "made", status: "question", question: "Which?", supposition: "This." },
  { kind: "made", status: "blocked", summary: "No key." },
])("a feature whose builder replies $status is set aside, and is no iteration without progress", (reply) => {
  const paid = at("paid");
  const tired = { ...paid, streaks: { ...paid.streaks, stuck: 4 } };
  const run = send(tired, replied("s1", reply), collected(0), rolledBack);
  expect(run.now).toEqual({ is: "between" });
  expect(run.streaks.stuck).toBe(4);
});

describe("questions and the inbox", () => {
  const question = { kind: "made", status: "question", question: "Which?", supposition: "This." };
  const asked = (): Run => send(at("paid"), replied("s1", question), collected(0), rolledBack);
  const answer: SignalEvent = { type: "answered", feature: F1, answer: "That.", source: "person" };

  test("a question is rolled back and waits, while other features continue", () => {
    const run = send(asked(), observed);
    expect(run.inbox).toMatchObject([{ kind: "question", feature: "F1", supposition: "This." }]);
    expect(run.now).toEqual({ is: "marking", feature: F2 });
  });

  test("an answer reopens the feature and is kept as a decision", () => {
    const run = send(asked(), answer);
    expect(progressIn(run.progress, F1)).toMatchObject({ status: "needs-rework", attempts: 0 });
    expect([run.inbox, run.decisions]).toEqual([
      [],
      [{ feature: F1, question: "Which?", answer: "That.", source: "person" }],
    ]);
  });

  test("an answer given while another feature has open work waits its turn", () => {
    const open = send(
      asked(),
      observed,
      checkpointed("i2"),
      reserved("s2"),
      replied("s2", done),
      collected(),
      proved(cause("check-red")),
    );
    const run = send(open, answer, observed);
    expect(run.now).toEqual({ is: "marking", feature: F2 });
  });

  test("with only questions left, the run waits for a person", () => {
    const contract = contractOf([feature("F1")]);
    const run = send(begin(contract), ...steps.paid, replied("s1", question), collected(0), rolledBack, observed);
    expect(run.now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person", need: { about: "question", feature: "F1" } },
    });
  });

  test("a retry reopens shelved features, and none that are complete", () => {
    const shelved = send(
      at("proving", { limits: { ...looseLimits, reworkMax: 0 } }),
      proved(cause("check-red")),
      rolledBack,
    );
    const two = send(
      shelved,
      observed,
      checkpointed("i2"),
      reserved("s3"),
      replied("s3", done),
      collected(),
      proved(),
      reserved("s4"),
      replied("s4", verdict(true)),
      committed,
    );
    const filed = send(two, observed, { type: "filed", commit: null });
    expect(filed.now).toMatchObject({ is: "resting", outcome: { kind: "inbox", features: ["F1"] } });
    const stale = {
      ...filed,
      inbox: [...filed.inbox, { kind: "blocked", feature: F2, by: { is: "blocked-before" } } as const],
    };
    const run = send(stale, goOn(true));
    expect([progressIn(run.progress, F1)?.status, progressIn(run.progress, F2)?.status]).toEqual([
      "needs-rework",
      "complete",
    ]);
    expect(run.inbox).toEqual([]);
  });

  test("a feature that starts over has all of its attempts, also if the reason comes again", () => {
    const red = proved(cause("check-red"));
    const attempt = (session: string) => [
      ...[observed, checkpointed(`i-${session}`), reserved(session)],
      ...[replied(session, done), collected(), red],
    ];
    const contract = contractOf([feature("F1")], { limits: { ...looseLimits, reworkMax: 3 } });
    const first = send(begin(contract), prepared, ...attempt("s1"), ...attempt("s2"));
    expect(first.now).toMatchObject({ is: "undoing", after: { do: "shelve", item: { over: { is: "same-cause" } } } });
    const rests = send(first, rolledBack, observed, { type: "filed", commit: null });
    const again = send(rests, goOn(true), ...attempt("s3"));
    expect(again.now).toEqual({ is: "between" });
    expect(send(again, ...attempt("s4")).now).toMatchObject({ is: "undoing", after: { do: "shelve" } });
  });

  test("a check that is red at the end is an inbox item, not a success", () => {
    const run = send(
      begin(contractOf([feature("F1", { status: "complete" })])),
      prepared,
      observed,
      { type: "closed", red: ["test"] },
      { type: "filed", commit: null },
    );
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "inbox" } });
    expect(run.inbox).toMatchObject([{ kind: "check-red" }]);
  });
});

describe("iterations that met no further criterion", () => {
  const ids = ["F1", "F2", "F3", "F4", "F5", "F6"].map((id) => featureId(id));
  const many = begin(contractOf(ids.map((id) => feature(id))));
  const after = (run: Run, id: FeatureId, attempts: number, status: "needs-rework" | "blocked"): Run =>
    endIteration(update(run, id, { status, attempts }), id);
  /** Tried `tries` times, and then left for a person. */
  const escalated = (from: Run, id: FeatureId, tries: number): Run => {
    let run = from;
    for (let attempt = 1; attempt <= tries; attempt += 1)
      run = after(run, id, attempt, attempt === tries ? "blocked" : "needs-rework");
    return run;
  };

  test.each([1, 2, 3])("count once for a feature that was escalated after %i attempts", (tries) => {
    const run = escalated(escalated(many, featureId("F1"), tries), featureId("F2"), tries);
    expect(run.streaks.stuck).toBe(2);
    expect(run.now.is).not.toBe("resting");
  });

  test("stop the run at the fifth feature in a row that is escalated, and not before", () => {
    const four = ids.slice(0, 4).reduce((run, id) => escalated(run, id, 1), many);
    expect(four.now.is).not.toBe("resting");
    expect(escalated(four, featureId("F5"), 1).now).toMatchObject({
      is: "resting",
      outcome: { kind: "breaker", breaker: "same-criteria-unmet", times: 5 },
    });
  });
});
