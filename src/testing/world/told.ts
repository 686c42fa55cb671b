// A run that is told event by event, one a minute: for tests of what people read about it.
import type { Contract } from "../../core/contract.ts";
import type { ResultEvent, RunEvent, SignalEvent } from "../../core/event.ts";
import { runId, taskId } from "../../core/ids.ts";
import { type Overview, overview } from "../../report/overview.ts";
import { follow, newStory, type Story } from "../../report/story.ts";
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
} from "./by-hand.ts";
import { contractOf, feature } from "./contracts.ts";

const at = Date.UTC(2026, 5, 15, 8, 30);
const minute = 60_000;
const begun: SignalEvent = { type: "begun", task: taskId("t"), run: runId("r1"), contract: "h", version: "0" };

/** Of one feature, F001, begun on 2026-06-15 at 08:30. */
export function told(events: readonly (ResultEvent | SignalEvent)[], change: Partial<Contract> = {}): Overview {
  return overview(storyOf(events, change), { isDriven: true });
}

export function storyOf(events: readonly (ResultEvent | SignalEvent)[], change: Partial<Contract> = {}): Story {
  const contract = contractOf([feature("F001", { name: "Rate limit" })], change);
  const stamped = [begun, ...events].map(
    (event, index) => ({ ...event, at: at + index * minute, sinceMs: minute, tookMs: minute }) as RunEvent,
  );
  return stamped.reduce(follow, newStory(contract));
}

const checks = [
  { run: "A", check: "test", how: "green", outcome: "green" },
  { run: "B", check: "test", how: "green", outcome: "green", seen: { count: 12, of: 12 } },
] as const;
export const building = [prepared, observed, checkpointed("i1"), reserved("s1"), replied("s1", done), collected()];
const passing = { ...proved(), checks } as ResultEvent;
export const toCommit = [...building, passing, reserved("s2"), replied("s2", verdict(true)), committed];
export const toSuccess = [
  ...toCommit,
  observed,
  { type: "closed", red: [] },
  { type: "filed", commit: null },
] as readonly ResultEvent[];
export const failing = [
  ...building,
  passing,
  reserved("s2"),
  replied("s2", { ...verdict(false), rootCause: "no limit\nat all" }),
];

/** The caps of the harness, changed. */
export const harnessLimits = (change: object = {}): Partial<Contract> => {
  const { limits: loose } = contractOf([]);
  return { limits: { ...loose, iterationsMax: 10, commitsMax: 15, reworkMax: 2, activeMsMax: 60 * minute, ...change } };
};
