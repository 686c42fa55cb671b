// Which conversation a session may resume: only the builder's own, on work that still exists.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  at,
  cause,
  checkpointed,
  collected,
  F1,
  failed,
  goOn,
  judging,
  observed,
  proved,
  replied,
  reserved,
  rolledBack,
  send,
  verdict,
} from "../testing/world/by-hand.ts";
import { anyContract } from "../testing/world/contracts.ts";
import { play } from "../testing/world/play.ts";
import { taped } from "../testing/world/random.ts";
import { apply } from "./apply.ts";
import type { ResultEvent } from "./event.ts";
import { next } from "./next.ts";
import { progressIn } from "./progresses.ts";
import type { Run } from "./run.ts";

const again = (run: Run, ...more: ResultEvent[]): Run =>
  send(run, ...more, observed, checkpointed("i2"), reserved("s3"));
const resumes = (run: Run): string | undefined => {
  const effect = next(run);
  return effect?.do === "run-session" ? effect.resumes : "no session";
};

describe("a builder that reworks its own work", () => {
  test.each([
    { why: "a red check", run: again(at("proving"), proved(cause("check-red"))) },
    { why: "the evaluator", run: again(judging(), replied("s2", verdict(false))) },
  ])("after $why resumes its conversation", ({ run }) => {
    expect(next(run)).toMatchObject({ do: "run-session", role: "builder", session: "s3", resumes: "s1" });
  });

  test.each(["tampering", "misdeed", "scope", "secret"] as const)(
    "after %s, which is rolled back, starts a fresh conversation",
    (kind) => expect(resumes(again(at("proving"), proved(cause(kind)), rolledBack))).toBe(undefined),
  );

  test("starts a fresh conversation when its session failed", () => {
    expect(resumes(again(at("paid"), failed("s1", "crashed"), collected()))).toBe(undefined);
  });

  test("resumes its conversation once a usage limit that stopped it is over", () => {
    const waiting = send(at("paid"), failed("s1", "limited"), collected());
    expect(waiting.now.is).toBe("waiting");
    const woken = apply(waiting, { type: "woke", at: 1e15, sinceMs: 0, tookMs: 0 });
    expect(next(send(woken, reserved("s2")))).toMatchObject({ do: "run-session", session: "s2", resumes: "s1" });
  });

  test("starts a fresh conversation when the other agent stands in for it", () => {
    const limitedNow = { maker: 1e15, checker: 0 };
    const run = send(at("proving", { onLimit: "switch" }), proved(cause("check-red")), observed, checkpointed("i2"));
    expect(resumes(send({ ...run, limitedUntil: limitedNow }, reserved("s3")))).toBe(undefined);
    expect(resumes(send(run, reserved("s3")))).toBe("s1");
  });

  test("keeps its ticket and its conversation over a pause", () => {
    const run = again(at("proving"), proved(cause("check-red")));
    const paused = send(run, { type: "pause-requested", by: "person" }, { type: "cut", usage: null }, goOn());
    expect(next(paused)).toEqual(next(run));
  });
});

test("a first attempt and a judge start a fresh conversation", () => {
  expect(resumes(at("paid"))).toBe(undefined);
  expect(resumes(judging())).toBe(undefined);
  expect(progressIn(judging().progress, F1)?.builtBy).toEqual({ session: "s1", by: "maker" });
});

test("on every path, only a builder resumes, only its own feature's session, and never one that was rolled back", () => {
  const tapes = fc.array(fc.nat(0xffffff), { maxLength: 1500, size: "max" });
  let seen = 0;
  const property = fc.property(tapes, fc.constantFrom(60, 150, 350), (tape, trouble) => {
    const choose = taped(tape);
    const live = new Map<string, string>();
    const { steps } = play(anyContract(choose), choose, { trouble, signals: 30, stepsMax: 5000, continues: 3 });
    for (const { effect, event, before } of steps) {
      const feature = effect !== null && "work" in effect ? (effect.work?.feature ?? "") : "";
      if (effect?.do === "run-session" && effect.resumes !== undefined) {
        seen += 1;
        expect([effect.role, live.get(effect.resumes)]).toEqual(["builder", feature]);
      }
      if (event.type === "session-ended" && before.now.is === "in-session" && before.now.role === "builder")
        live.set(event.session, feature);
      if (event.type === "rolled-back") for (const [session, of] of live) if (of === feature) live.delete(session);
    }
  });
  fc.assert(property, { numRuns: Number(process.env["FC_RUNS"] ?? 200), interruptAfterTimeLimit: 30_000 });
  expect(seen).toBeGreaterThan(0);
});
