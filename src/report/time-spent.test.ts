// The time that the report names is the sum of the effects' own durations, whatever is recorded in between.
import { expect, test } from "vitest";
import type { ResultEvent, RunEvent, SignalEvent } from "../core/event.ts";
import { runId, taskId } from "../core/ids.ts";
import {
  checkpointed,
  collected,
  committed,
  done,
  observed,
  prepared,
  proved,
  replied,
  reserved,
  verdict,
} from "../testing/world/by-hand.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { reportText } from "./markdown/report.ts";
import { overview } from "./overview.ts";
import { follow, newStory } from "./story.ts";
import { timeSpent } from "./words/words.ts";

const begun: SignalEvent = { type: "begun", task: taskId("t"), run: runId("r1"), contract: "h", version: "0" };
const results: readonly ResultEvent[] = [
  prepared,
  observed,
  checkpointed("i1"),
  reserved("s1"),
  replied("s1", done),
  collected(),
  proved(),
  reserved("s2"),
  replied("s2", verdict(true)),
  committed,
];
const note: SignalEvent = { type: "noted", about: "agents", text: "b" };

/** Each effect takes as many seconds as its place in the list; each signal in between is recorded 7 s after the last event. */
function reported(signals: number) {
  const tookMs = results.map((_, at) => (at + 1) * 1000);
  const perResult = Math.ceil(signals / results.length);
  const events = results.flatMap((result, at) => [
    ...Array.from({ length: perResult }, () => ({ ...note, sinceMs: 7000 })),
    { ...result, tookMs: tookMs[at], sinceMs: 1 },
  ]);
  const stamped = [{ ...begun, sinceMs: 0 }, ...events].map((event, at) => ({ ...event, at: at * 60_000 }) as RunEvent);
  return {
    run: overview(stamped.reduce(follow, newStory(contractOf([feature("F001")]))), { isDriven: true }),
    signals: events.length - results.length,
    sum: tookMs.reduce((all, ms) => all + ms),
  };
}

test("with 50 signals in between, the report has the sum of the effects", () => {
  const { run, signals, sum } = reported(50);
  expect([signals, run.phase, run.spent.commits]).toEqual([50, "between", 1]);
  expect(run.spent.activeMs + run.spent.checkMs).toBe(sum);
  expect(run.spent).toEqual(reported(0).run.spent);
  expect(reportText(run)).toContain(timeSpent(run.spent));
});
