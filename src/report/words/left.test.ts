// What a run says is left in the folder is work of its agents: the loop's own records are none.
import { describe, expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import type { Story } from "../story.ts";
import { unprovedInFolder } from "./left.ts";
import { featureCount } from "./words.ts";

const id = featureId("F001");
const progress = (more: object = {}) => ({ status: "in-progress", base: {}, attempts: 1, commit: null, ...more });
const story = (changed: number, unseen: boolean, rolledBack: string | null = null): Story =>
  ({
    run: { progress: { ids: [id], all: [progress()] }, now: paused },
    chronicle: { iterations: [{ feature: id, changed, unseen, rolledBack }] },
  }) as never;
const paused = { is: "resting", outcome: { kind: "paused", by: "person" } };

describe("unproved work", () => {
  test.each([
    ["is listed if a session changed files", story(1, false), [id]],
    ["is not listed if only records of the loop differ", story(0, false), []],
    ["is not listed once it is rolled back", story(1, false, "q1"), []],
    ["may be there after a session that was cut off", story(0, true), [id]],
  ])("%s", (_title, given, expected) => expect(unprovedInFolder(given)).toEqual(expected));
});

test("features that were complete before the run are not counted", () => {
  const before = progress({ status: "complete", base: null, attempts: 0 });
  const done = progress({ status: "complete", base: null });
  const run = { progress: { ids: ["F001", "F002", "F003"], all: [before, done, progress()] } };
  expect(featureCount(run as never)).toEqual({ done: 1, total: 2 });
});
