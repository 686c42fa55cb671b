// Which run of a proof is going on, in the words of the terminal and the page.
import { expect, test } from "vitest";
import { liveLines } from "../cli/render/live.ts";
import { next } from "../core/next.ts";
import { overview } from "../report/overview.ts";
import { building, storyOf } from "../testing/world/told.ts";
import { stepOf } from "./step.ts";

const proving = storyOf(building);
const kept = (room: string) => async () => JSON.stringify({ version: 1, room });

test.each([
  ["F001-i1-base", "the code as it was"],
  ["F001-i1-A", "old tests, new code"],
  ["F001-i1-A-allowed", "old tests, new code"],
  ["F001-i1-C", "new tests, old code"],
  ["F001-i1-D-src_sum.js-2", "parts of the change taken back"],
  ["F001-i2-A", null],
  ["F002-i1-A", null],
  ["baseline", null],
])("in the room %s, the step is: %s", async (room, words) => {
  expect(proving.run.now.is).toBe("proving");
  expect(await stepOf(kept(room), proving.run)).toBe(words);
});

test("without a note, or with a damaged one, there is no step", async () => {
  expect(await stepOf(async () => null, proving.run)).toBeNull();
  expect(await stepOf(async () => "{", proving.run)).toBeNull();
});

test("the step is in the status, and in the live line of a terminal", () => {
  const step = "old tests, new code";
  expect(overview(proving, { isDriven: true, step }).doing?.what).toBe("proving (old tests, new code)");
  const live = { effect: next(proving.run), sinceMs: 0, activity: null, past: [], isDetailed: false, step, frame: 0 };
  const [line] = liveLines(proving, live, 5_000, { columns: 100, rows: 24 });
  expect(line).toContain("F001 proving: old tests, new code · 5 s");
});
