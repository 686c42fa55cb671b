// What people ask of a run while it works, rests or is over: a pause, a cancel, another agent.
import { describe, expect, test } from "vitest";
import {
  at,
  built,
  cancel,
  collected,
  committing,
  F1,
  failed,
  goOn,
  judging,
  observed,
  pause,
  rolledBack,
  send,
  stamp,
  start,
} from "../testing/world/by-hand.ts";
import { apply } from "./apply.ts";
import type { ResultEvent } from "./event.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import type { Run } from "./run.ts";
import { noUsage } from "./session.ts";

const cut: ResultEvent = { type: "cut", usage: null };
const refused: ResultEvent = { type: "refused", code: "disk-full", why: "full", next: "Make room." };
const waiting = (): Run => send(at("paid"), failed("s1", "limited"), collected());
const filing = (): Run => send(built(), observed, { type: "closed", red: [] });

describe("a pause", () => {
  test("of a run that already rests changes nothing", () => {
    const rested = send(at("proving"), refused);
    expect(send(rested, pause)).toEqual(rested);
  });

  test("requested while the run finishes lets it finish", () => {
    expect(send(filing(), pause, { type: "filed", commit: null }).now).toEqual({
      is: "stopped",
      outcome: { kind: "success" },
    });
  });

  test("requested while the run comes to rest by itself keeps the original reason", () => {
    expect(send(judging(), pause, failed("s2", "billing")).now).toMatchObject({
      is: "resting",
      outcome: { kind: "needs-person" },
    });
  });
});

describe("a cancel that undoes", () => {
  const undo = { type: "cancel-requested", undo: true } as const;
  const over = { is: "stopped", outcome: { kind: "cancelled" } };

  test.each([
    ["a session is at work", () => send(at("paid"), undo, cut)],
    ["the run rests in a session", () => send(at("paid"), pause, cut, undo)],
    ["work waits for another attempt", () => send(at("collecting"), collected(0), pause, observed, undo)],
    ["a commit is under way", () => send(committing(), undo, cut)],
  ])("restores the folder first while %s, and is over then", (_, run) => {
    expect(next(run())).toMatchObject({ do: "roll-back", work: { feature: F1 }, cause: { kind: "cancelled" } });
    const done = send(run(), rolledBack);
    expect(done.now).toEqual(over);
    expect(progressIn(done.progress, F1)).toMatchObject({ status: "not-started", base: null });
  });

  test("is over at once where no unproved work is in the folder", () => {
    expect(send(start(), undo, { type: "cut", usage: null }).now).toEqual(over);
  });

  test("is over although someone else has committed meanwhile", () => {
    expect(send(at("paid"), undo, cut, { type: "head-moved", why: "theirs" }).now).toEqual(over);
  });

  test("is over although the folder cannot be restored, with the work in it", () => {
    const refused = { type: "refused", code: "folder-unreadable", why: "why", next: "next" } as const;
    const done = send(at("paid"), undo, cut, refused);
    expect(done.now).toEqual(over);
    expect(progressIn(done.progress, F1)).toMatchObject({ status: "needs-rework" });
  });

  test("goes on after a pause in the middle of it", () => {
    const paused = send(at("paid"), undo, cut, pause, { type: "cut", usage: null });
    expect(paused.now.is).toBe("resting");
    const going = send(paused, { type: "continued", limits: {}, retry: false });
    expect(send(going, rolledBack).now).toEqual(over);
  });
});

describe("a cancel", () => {
  test.each([
    ["the work is collected", () => at("collecting")],
    ["the session has yet to be reserved", () => at("unpaid")],
    ["the commit is made", committing],
  ])("that cuts the run short while %s costs nothing more", (_, run) => {
    const over = send(run(), cancel, cut);
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(over.spent.costUsd).toBe(run().spent.costUsd);
  });

  test("charges a session once, with its reported cost, when it was cut", () => {
    const over = send(at("paid"), cancel, { type: "cut", usage: { ...noUsage, costUsd: 0.2, outputTokens: 7 } });
    expect(over.spent).toMatchObject({ costUsd: 0.2, tokens: 7, estimated: false });
  });

  test.each([
    { when: "rests", later: [], costUsd: 0.2 },
    {
      when: "was resumed and interrupted",
      later: [goOn(), cancel, { type: "cut", usage: null } as const],
      costUsd: 5,
    },
  ])("charges a session that was cut by a pause with its reported cost while the run $when", ({ later, costUsd }) => {
    const used = { ...noUsage, costUsd: 0.2 };
    const over = send(at("paid"), pause, { type: "cut", usage: used }, ...later, cancel);
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(over.spent).toMatchObject({ costUsd, estimated: costUsd === 5 });
  });

  test("of a run that the machine refused to continue charges the open session", () => {
    const over = send(at("paid"), cancel, refused);
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(over.spent.costUsd).toBe(5);
  });
});

describe("a cut", () => {
  test.each([
    ["rests", () => send(at("paid"), pause, cut)],
    ["stopped", () => send(at("paid"), cancel, cut)],
    ["waits", waiting],
  ])("when a run already %s changes nothing and takes no time", (_, run) => {
    expect(apply(run(), stamp(cut, 5000))).toEqual(run());
  });

  test("while the loop works counts its time", () => {
    expect(apply(at("proving"), stamp(cut, 5000)).spent.checkMs).toBe(at("proving").spent.checkMs + 5000);
  });
});

describe("resuming", () => {
  test("with another agent does not wait for the previous agent's limit", () => {
    const on = send(waiting(), { type: "continued", limits: {}, retry: false, crew: "new" });
    expect([on.now.is, on.limitedUntil]).toEqual(["in-session", { maker: 0, checker: 0 }]);
  });

  test("with the same agent does", () => {
    const on = send(waiting(), { type: "continued", limits: {}, retry: false });
    expect([on.now.is, on.limitedUntil]).toEqual(["waiting", waiting().limitedUntil]);
    expect(on.limitedUntil.maker).toBeGreaterThan(0);
  });

  test.each([
    { at: "a moment before its time", early: 1, is: "waiting" },
    { at: "its time", early: 0, is: "in-session" },
  ])("at $at a run that waits is $is", ({ early, is }) => {
    const { now } = waiting();
    const until = now.is === "waiting" ? now.until : 0;
    expect(apply(waiting(), { type: "woke", at: until - early, sinceMs: 0, tookMs: 0 }).now.is).toBe(is);
  });
});
