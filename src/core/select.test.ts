// Which feature is next.
import { expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { update } from "./attempt.ts";
import type { Feature } from "./contract.ts";
import { checkpointId, featureId, treeId } from "./ids.ts";
import { begin } from "./run.ts";
import { allDone, select, unfinished } from "./select.ts";

const ids = (...names: string[]) => names.map(featureId);
const mark = { checkpoint: checkpointId("i1"), tree: treeId("0".repeat(40)), head: null };

test.each<{ title: string; features: Feature[]; next: string | null }>([
  { title: "the most urgent", features: [feature("F1", { priority: 2 }), feature("F2", { priority: 1 })], next: "F2" },
  { title: "of two equals the first in the file", features: [feature("F1"), feature("F2")], next: "F1" },
  {
    title: "rework before anything new, however urgent",
    features: [feature("F1", { priority: 0 }), feature("F2", { priority: 9, status: "needs-rework" })],
    next: "F2",
  },
  {
    title: "never one whose dependency is not done",
    features: [feature("F1", { priority: 0, dependencies: ids("F2") }), feature("F2", { priority: 9 })],
    next: "F2",
  },
  {
    title: "one whose dependency was there before the run",
    features: [feature("F1", { dependencies: ids("E1") }), feature("E1", { status: "existing" })],
    next: "F1",
  },
  { title: "one whose dependency is out of scope", features: [feature("F1", { dependencies: ids("F9") })], next: "F1" },
  {
    title: "none when the rest is blocked, or waits for what is blocked",
    features: [feature("F1", { status: "blocked" }), feature("F2", { dependencies: ids("F1") })],
    next: null,
  },
  {
    title: "what an earlier run left half done, as if it were new",
    features: [feature("F1", { status: "in-progress" })],
    next: "F1",
  },
])("next is $title", ({ features, next }) => {
  expect(select(begin(contractOf(features)))?.id ?? null).toBe(next);
});

test("open work in the workspace comes before any other rework", () => {
  const features = [feature("F1", { priority: 0, status: "needs-rework" }), feature("F2", { priority: 9 })];
  const open = update(begin(contractOf(features)), featureId("F2"), { status: "needs-rework", base: mark });
  expect(select(open)?.id).toBe("F2");
});

test("all is done when every feature is complete or already existed", () => {
  const run = begin(contractOf([feature("F1", { status: "complete" }), feature("E1", { status: "existing" })]));
  expect([allDone(run), unfinished(run)]).toEqual([true, []]);
  expect(unfinished(begin(contractOf([feature("F1"), feature("F2", { status: "blocked" })])))).toEqual(["F1", "F2"]);
});
