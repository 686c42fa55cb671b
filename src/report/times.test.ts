// When things happened: the fold behind the timeline, on arbitrary runs and on typical cases.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../core/event.ts";
import { type FeatureId, featureId, sessionId } from "../core/ids.ts";
import { progresses } from "../core/progresses.ts";
import { begin, newProgress, type Phase, type Run } from "../core/run.ts";
import { anyContract } from "../testing/world/contracts.ts";
import { play } from "../testing/world/play.ts";
import { taped } from "../testing/world/random.ts";
import { asOf, noTimes, track } from "./times.ts";

const tapes = fc.array(fc.nat(0xffffff), { maxLength: 600, size: "max" });

test("on any run, no duration is negative, and spans do not overlap", () => {
  fc.assert(
    fc.property(tapes, fc.constantFrom(0, 150, 700), (tape, trouble) => {
      const choose = taped(tape);
      const { steps } = play(anyContract(choose), choose, { trouble, signals: 100, stepsMax: 3000, continues: 2 });
      const times = steps.reduce((so, { before, event, after }) => track(so, before, event, after), noTimes);
      let at = 0;
      for (const { from, to } of times.spans) {
        expect(from).toBeGreaterThanOrEqual(at);
        expect(to).toBeGreaterThan(from);
        at = to;
      }
      expect(times.lastAt).toBeGreaterThanOrEqual(at);
      const commits = steps.filter(({ event }) => event.type === "committed").length;
      expect(times.marks.filter(({ is }) => is === "commit")).toHaveLength(commits);
    }),
    { numRuns: 100 },
  );
});

const F1: FeatureId = featureId("F001");
const ticket = { session: sessionId("s1"), reservedUsd: 1, by: "maker" } as const;
const inSession = { is: "in-session", role: "builder", work: { feature: F1 }, candidate: null, ticket } as Phase;
const blank: Run = { ...begin({ features: [] } as never), progress: progresses([[F1, newProgress("in-progress")]]) };
const run = (now: Phase): Run => ({ ...blank, now });
const event = (at: number, tookMs: number, type = "noted"): RunEvent =>
  ({ type, at, sinceMs: tookMs, tookMs }) as never;
const minute = 60_000;

test.each([
  { what: "killed, and continued hours later", at: 600 * minute, tookMs: 5, away: 600 * minute - 5 },
  { what: "asleep with the machine for an hour", at: 80 * minute, tookMs: 20 * minute, away: 60 * minute },
  { what: "at work all the time", at: 20 * minute, tookMs: 20 * minute, away: 0 },
  { what: "a little slow to write down", at: 20 * minute, tookMs: 20 * minute - 2000, away: 0 },
])("a session that was $what is drawn as such", ({ at, tookMs, away }) => {
  const so = { ...noTimes, since: 0, lastAt: 0 };
  const { spans } = track(so, run(inSession), event(at, tookMs, "session-ended"), run({ is: "between" }));
  const all = (is: string) => spans.filter((span) => span.is === is).reduce((sum, { from, to }) => sum + to - from, 0);
  expect(all("away")).toBe(away);
  expect(all("session")).toBe(at - away);
});

test("a run that rests or waits is not away, however long no process drives it", () => {
  const resting = run({ is: "resting", outcome: { kind: "cancelled" }, resume: { is: "between" } });
  const { spans } = track(noTimes, resting, event(90 * minute, 3, "continued"), run({ is: "between" }));
  expect(spans).toEqual([{ is: "resting", role: null, feature: null, from: 0, to: 90 * minute }]);
});

test("a clock that is set back does not make time run backwards", () => {
  const so = { ...noTimes, since: 50 * minute, lastAt: 50 * minute };
  const after = track(so, run(inSession), event(10 * minute, minute, "session-ended"), run({ is: "between" }));
  expect(after).toMatchObject({ lastAt: 50 * minute, since: 50 * minute, spans: [] });
});

test("a failed attempt leaves one mark, a roll-back another", () => {
  const cause = { kind: "check-red", key: "k", text: "red" } as const;
  const failed: Run = {
    ...run({ is: "undoing", work: { feature: F1 }, cause, after: { do: "rework" } } as Phase),
    progress: progresses([[F1, { ...newProgress("in-progress"), lastCause: cause }]]),
  };
  const proving = run({ is: "proving", work: { feature: F1 }, candidate: "" } as never);
  const one = track(noTimes, proving, event(10, 10, "proved"), failed);
  const two = track(one, failed, event(20, 10, "rolled-back"), { ...failed, now: { is: "between" } });
  expect(two.marks.map(({ is }) => is)).toEqual(["refused", "rolled-back"]);
});

test("a session at work is drawn until now, and nothing where nothing is at work", () => {
  const so = { ...noTimes, since: minute, lastAt: minute };
  expect(asOf(so, run(inSession), 3 * minute)).toMatchObject({
    lastAt: 3 * minute,
    spans: [{ is: "session", role: "builder", feature: F1, from: minute, to: 3 * minute }],
  });
  expect(asOf(so, run({ is: "between" }), 3 * minute).spans).toEqual([]);
  expect(asOf(so, run(inSession), 0)).toBe(so);
});
