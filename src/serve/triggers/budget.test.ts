// What is left of the budgets of 24 hours, by what is recorded of earlier firings.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LocalEngine } from "../../engines/local/engine.ts";
import { dayMs, leftOf, usedUp } from "./budget.ts";
import { type Firing, Firings, type Line } from "./firing.ts";

const root = fs.mkdtempSync(join(tmpdir(), "loop-budget-"));
const engine = new LocalEngine(root);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const now = 10 * dayMs;
const firing = (trigger: string, more: Partial<Firing> = {}): Firing => ({
  id: `${trigger}-${JSON.stringify(more)}`,
  root,
  trigger,
  run: "20260101-000000.000-abcdef",
  cause: "by hand",
  request: null,
  terms: { limits: {}, perDayUsd: null, overlap: "queue" },
  firedAt: now,
  status: "ended",
  begunAt: now - 1000,
  costUsdMax: 5,
  costUsd: 2,
  note: "success",
  ...more,
});
const next = firing("one", { id: "next", begunAt: null, costUsd: null });

test.each([
  ["no budget has no bound", [firing("one")], { ofTrigger: null, ofAll: null }, null],
  ["its own budget counts its own runs", [firing("one"), firing("two")], { ofTrigger: 5, ofAll: null }, 3],
  ["the budget of all counts every trigger", [firing("one"), firing("two")], { ofTrigger: null, ofAll: 5 }, 1],
  ["the smaller rest counts", [firing("one"), firing("two")], { ofTrigger: 9, ofAll: 5 }, 1],
  [
    "a run that may still spend counts with its cap",
    [firing("two", { costUsd: null })],
    { ofTrigger: null, ofAll: 6 },
    1,
  ],
  ["a run of yesterday no longer counts", [firing("one", { begunAt: now - dayMs })], { ofTrigger: 5, ofAll: 5 }, 5],
  ["another workspace has its own", [firing("one", { root: "/elsewhere" })], { ofTrigger: 5, ofAll: 5 }, 5],
  ["what waits has cost nothing", [firing("two", { begunAt: null })], { ofTrigger: 5, ofAll: 5 }, 5],
])("%s", async (_title, others, budgets, left) => {
  expect((await leftOf(engine, next, [...others, next], budgets, now))?.usd ?? null).toBe(left);
});

const fired: Line = {
  type: "fired",
  at: now,
  root,
  trigger: "one",
  id: "a",
  run: "20260101-000000.000-abcdef",
  mark: null,
  keys: [],
  cause: "by hand",
  request: null,
  terms: { limits: {}, perDayUsd: null, overlap: "queue" },
};

test.each([
  ["failed", 5],
  ["dropped", 5],
  ["requeued", 5],
  ["begun", 2],
] as const)("a firing of 3 USD that was beginning and is %s leaves %d of 5", async (type, left) => {
  const state = new Firings();
  const of = { at: now, id: "a" };
  state.apply(fired);
  state.apply({ type: "beginning", ...of, costUsdMax: 3 });
  if (type === "requeued") state.apply({ type, ...of });
  else if (type === "begun") state.apply({ type, ...of, costUsdMax: 3 });
  else state.apply({ type, ...of, why: "The request is too vague." });
  const found = await leftOf(engine, next, state.firings.values(), { ofTrigger: null, ofAll: 5 }, now);
  expect(found?.usd).toBe(left);
});

test("a budget that is used up says what was spent and what is kept", () => {
  expect(usedUp({ usd: 0, budget: 5, spent: 2, kept: 3 })).toBe(
    "The budget of $5.00 for 24 hours is used up: $2.00 is spent, and $3.00 is kept for runs that are not over (loop inbox).",
  );
  expect(usedUp({ usd: 0, budget: 5, spent: 5, kept: 0 })).toBe(
    "The budget of $5.00 for 24 hours is used up: $5.00 is spent.",
  );
});
