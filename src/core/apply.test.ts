// Each legal transition, by what follows it; any other result is our bug.
import { describe, expect, test } from "vitest";
import {
  at,
  cancel,
  checkpointed,
  collected,
  committed,
  committing,
  done,
  everyResult,
  F1,
  failed,
  goOn,
  hash,
  observed,
  pause,
  proved,
  replied,
  reserved,
  send,
  stamp,
  steps,
  tree,
  verdict,
} from "../testing/world/by-hand.ts";
import { looseLimits } from "../testing/world/contracts.ts";
import { apply } from "./apply.ts";
import { Bug } from "./errors.ts";
import type { ResultEvent, RunEvent, SignalEvent } from "./event.ts";
import { commitId, effectKey, runId, taskId, treeId } from "./ids.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import type { Run } from "./run.ts";
import { noUsage } from "./session.ts";

describe("the happy path", () => {
  test("takes a feature from its checkpoint to its commit, and the run to success", () => {
    const first = send(committing(), committed);
    expect(progressIn(first.progress, F1)).toMatchObject({
      status: "complete",
      commit: hash("d"),
      proof: "p",
      grade: "strong",
      criteriaMet: [0],
    });
    expect(first.head).toEqual({ tree, commit: hash("d") });
    const at2 = checkpointed("i2", commitId(hash("d")));
    const second = send(
      first,
      observed,
      at2,
      reserved("s3"),
      replied("s3", done),
      collected(),
      proved(),
      reserved("s4"),
      replied("s4", verdict(true)),
      committed,
    );
    const over = send(second, observed, { type: "closed", red: [] }, { type: "filed", commit: null });
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "success" } });
    expect(over.spent).toMatchObject({ sessions: 4, iterations: 2, commits: 2, costUsd: 2 });
  });

  test.each([
    ["opening", "prepare"],
    ["between", "observe"],
    ["marking", "checkpoint"],
    ["unpaid", "reserve-session"],
    ["paid", "run-session"],
    ["collecting", "collect"],
    ["proving", "prove"],
  ] as const)("a run that is %s orders: %s", (name, effect) => {
    expect(next(at(name))?.do).toBe(effect);
  });

  test("a session may cost its reservation and last as long as time is left", () => {
    const limits = { ...looseLimits, costUsdMax: 3, activeMsMax: 100_000 };
    expect(next(at("paid", { limits }))).toMatchObject({
      do: "run-session",
      session: "s1",
      costUsdMax: 3,
      timeoutMs: 99_970,
    });
  });
});

describe("an event that answers nothing", () => {
  const answers: Record<keyof typeof steps, string[]> = {
    opening: ["prepared"],
    between: ["observed"],
    marking: ["checkpointed", "head-moved"],
    unpaid: ["session-reserved"],
    paid: ["session-ended"],
    collecting: ["collected"],
    proving: ["proved"],
  };
  test.each(Object.keys(steps) as (keyof typeof steps)[])("is our bug while the run is %s", (name) => {
    for (const event of everyResult().filter(({ type }) => !answers[name].includes(type)))
      expect(() => send(at(name), event), event.type).toThrow(Bug);
  });

  test.each(["resting", "stopped"] as const)("is our bug while the run is %s", (is) => {
    const over =
      is === "stopped"
        ? send(at("paid"), cancel, { type: "cut", usage: null })
        : send(at("paid"), pause, { type: "cut", usage: null });
    expect(over.now.is).toBe(is);
    for (const event of everyResult()) expect(() => send(over, event), event.type).toThrow(Bug);
  });

  test("is a bug when it ends another session, or proves another tree", () => {
    expect(() => send(at("paid"), replied("s9", done))).toThrow(Bug);
    expect(() => send(at("proving"), { ...proved(), candidate: treeId(hash("e")) } as ResultEvent)).toThrow(Bug);
  });

  test.each(["judged", "planned"])("is a bug when a maker replies %s", (kind) => {
    expect(() => send(at("paid"), replied("s1", { ...verdict(true), kind }))).toThrow(Bug);
  });
});

describe("signals", () => {
  const begun: SignalEvent = { type: "begun", task: taskId("t"), run: runId("r"), contract: "", version: "" };
  const noted: SignalEvent = { type: "noted", about: "agents", text: "t" };
  const answered: SignalEvent = { type: "answered", feature: F1, answer: "a", source: "person" };

  test.each(Object.keys(steps) as (keyof typeof steps)[])(
    "that ask for nothing change nothing while the run is %s",
    (name) => {
      const run = at(name);
      for (const signal of [begun, noted, answered, goOn()]) expect(send(run, signal)).toEqual(run);
    },
  );

  test("that come too late change nothing", () => {
    const over = send(at("paid"), cancel, { type: "cut", usage: noUsage });
    for (const signal of [begun, noted, answered, goOn(true), pause, cancel]) expect(send(over, signal)).toEqual(over);
  });

  test("a pause waits for the effect in flight, and the run rests with its next step", () => {
    const asked = send(at("collecting"), pause);
    expect(next(asked)?.do).toBe("collect");
    expect(send(asked, collected()).now).toMatchObject({
      is: "resting",
      outcome: { kind: "paused", by: "person" },
      resume: { is: "proving" },
    });
  });

  test("a session cut by a pause is resumed under the same id and paid for once", () => {
    const paused = send(at("paid"), pause, { type: "cut", usage: { ...noUsage, costUsd: 0.2 } });
    expect(paused.spent.costUsd).toBe(0);
    const on = send(paused, goOn());
    expect(next(on)).toMatchObject({ do: "run-session", session: "s1" });
    expect(send(on, replied("s1", done, 0.5)).spent).toMatchObject({ costUsd: 0.5, sessions: 1 });
  });

  test("a pause that is withdrawn in time leaves the effect to be ordered again", () => {
    const back = send(at("paid"), pause, goOn(), { type: "cut", usage: null });
    expect(back.now).toEqual(at("paid").now);
  });

  test.each([
    ["what it said", { ...noUsage, costUsd: 0.2 }, 0.2],
    ["all that was set aside, when it did not say", null, 5],
  ] as const)("a session that is cut by a cancel is charged %s", (_, usage, costUsd) => {
    const over = send(at("paid"), cancel, { type: "cut", usage });
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(over.spent.costUsd).toBe(costUsd);
  });

  test("a cancel wins over a pause, in either order", () => {
    for (const signals of [
      [cancel, pause],
      [pause, cancel],
    ])
      expect(send(at("collecting"), ...signals, collected()).now).toMatchObject({
        is: "stopped",
        outcome: { kind: "cancelled" },
      });
  });

  test("a cancel of a run that rests takes effect immediately and charges the open session", () => {
    const over = send(at("paid"), pause, { type: "cut", usage: null }, cancel);
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(over.spent.costUsd).toBe(5);
  });

  test("limits given on resume apply from then on", () => {
    const capped = send(at("proving", { limits: { ...looseLimits, sessionsMax: 1 } }), proved());
    expect(capped.now).toMatchObject({ is: "resting", outcome: { kind: "cap", cap: "sessions" } });
    expect(send(capped, goOn()).now).toEqual(capped.now);
    const freed = send(capped, { type: "continued", limits: { sessionsMax: 2 }, retry: false });
    expect(next(freed)?.do).toBe("reserve-session");
  });
});

describe("time", () => {
  test("counts while the loop works, not while it waits or rests", () => {
    const waiting = send(at("paid"), failed("s1", "limited"), collected());
    expect(waiting.spent.activeMs).toBe(50);
    expect(waiting.spent.checkMs).toBe(10);
    const woken = apply(waiting, { type: "woke", at: 1e15, sinceMs: 5_000_000, tookMs: 5_000_000 });
    expect([woken.now.is, woken.spent.activeMs]).toEqual(["in-session", 50]);
  });

  test("checks have a separate limit: no proof begins beyond it, and raising it resumes the proof", () => {
    const built = at("collecting", { limits: { ...looseLimits, checkMsMax: 60_000 } });
    const over = send({ ...built, spent: { ...built.spent, checkMs: 60_000 } }, collected());
    expect(over.now).toMatchObject({ is: "resting", outcome: { kind: "cap", cap: "check-minutes" } });
    expect(next(over)).toBeNull();
    const same = send(over, { type: "continued", limits: {}, retry: false });
    expect(same.now.is).toBe("resting");
    const more = send(over, { type: "continued", limits: { checkMsMax: 120_000 }, retry: false });
    expect(next(more)).toMatchObject({ do: "prove" });
  });

  test("a timer that fires too early is waited for again", () => {
    const waiting = send(at("paid"), failed("s1", "transient"), collected());
    expect(apply(waiting, { type: "woke", at: 0, sinceMs: 0, tookMs: 0 })).toEqual(waiting);
  });

  test("a session that used up the time is not retried", () => {
    const limits = { ...looseLimits, activeMsMax: 60_000 };
    const ended = apply(at("paid", { limits }), stamp(failed("s1", "transient"), 60_000));
    expect(send(ended, collected()).now).toMatchObject({ is: "resting", outcome: { kind: "cap", cap: "minutes" } });
  });

  test("a session is ordered with the tokens that are left, and one that used them up is not retried", () => {
    const paid = at("paid", { limits: { ...looseLimits, tokensMax: 500 } });
    expect(next(paid)).toMatchObject({ do: "run-session", tokensMax: 500 });
    const usage = { ...noUsage, inputTokens: 501 };
    const ended = send(paid, { ...failed("s1", "timed-out"), usage } as ResultEvent);
    expect(send(ended, collected()).now).toMatchObject({ is: "resting", outcome: { kind: "cap", cap: "tokens" } });
  });

  test("when the machine refuses an effect, the run rests with the phase to resume", () => {
    const run = send(at("proving"), { type: "refused", code: "disk-full", why: "full", next: "Make room." });
    expect(run.now).toMatchObject({
      is: "resting",
      outcome: { kind: "refused", code: "disk-full" },
      resume: { is: "proving" },
    });
    expect(send(run, goOn()).now).toEqual(at("proving").now);
  });
});

describe("a result that answers another effect", () => {
  const running = at("paid");
  const key = (of: Run) => next(of)?.key ?? effectKey("none");
  const ended = { ...stamp(replied("s1", done), 5000), key: key(running) } as RunEvent;

  test("is taken once: a duplicate changes nothing", () => {
    const once = apply(running, ended);
    expect(once.now.is).toBe("collecting");
    expect(apply(once, ended)).toBe(once);
  });

  test("that has ended, or never existed, changes nothing and takes no time", () => {
    for (const other of ["run-session-0", "run-session-99", "collect-3"])
      expect(apply(running, { ...ended, key: effectKey(other) } as RunEvent)).toBe(running);
    const stopped = send(running, cancel, { type: "cut", usage: null });
    expect(apply(stopped, ended)).toBe(stopped);
  });

  test("a cut effect keeps its key when it is ordered again, and an answered one does not", () => {
    const resumed = send(running, pause, { type: "cut", usage: null }, goOn(false));
    expect(next(resumed)?.key).toBe(key(running));
    expect(next(apply(running, ended))?.key).not.toBe(key(running));
  });

  test("of earlier versions, which named none, answers the effect in flight", () => {
    expect(send(running, replied("s1", done)).now.is).toBe("collecting");
  });
});
