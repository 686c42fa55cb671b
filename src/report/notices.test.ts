// What a person is told about a run, and that it is told once.
import { expect, test } from "vitest";
import type { Outcome } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { at } from "../testing/world/by-hand.ts";
import { type Notice, noticesOf } from "./notices.ts";

const kinds = (notices: readonly Notice[]): string[] => notices.map(({ kind }) => kind);
const none: ReadonlySet<string> = new Set();
/** Later than every limit in these tests. */
const late = 2000;
const waiting = (until: number, limitedUntil: number): Run => ({
  ...at("proving"),
  now: { is: "waiting", until, because: "The limit is reached.", resume: { is: "between" } },
  limitedUntil: { maker: limitedUntil, checker: 0 },
});

test("a run at work says nothing", () => {
  expect(noticesOf(at("proving"), none, late)).toEqual([]);
});

test("a usage limit is told, and so is its end, each once", () => {
  const [limit] = noticesOf(waiting(900, 900), none, late);
  expect(limit).toMatchObject({
    kind: "limit",
    text: "The run goes on by itself at 1970-01-01T00:00:00Z: The limit is reached.",
  });
  const told = new Set([limit?.key ?? ""]);
  expect(noticesOf(waiting(900, 900), told, late)).toEqual([]);
  const [over, ...others] = noticesOf(at("proving"), told, late);
  expect([over?.kind, others]).toEqual(["limit-over", []]);
  expect(noticesOf(at("proving"), told.add(over?.key ?? ""), late)).toEqual([]);
  expect(kinds(noticesOf(waiting(1800, 1800), told, late))).toEqual(["limit"]);
});

test.each<[string, Run["now"], number]>([
  ["is paused", { is: "resting", outcome: { kind: "paused", by: "person" }, resume: { is: "between" } }, late],
  ["is cancelled", { is: "stopped", outcome: { kind: "cancelled" } }, late],
  ["goes on before that, with another agent", { is: "between" }, 800],
])("a usage limit is not called over when the run %s", (_, now, when) => {
  const told = new Set(["limit-900"]);
  expect(kinds(noticesOf({ ...at("proving"), now }, told, when))).not.toContain("limit-over");
  expect(kinds(noticesOf(at("proving"), told, late)), "it is told once that is true").toEqual(["limit-over"]);
});

test("a short wait after a server's error is not told, also after an earlier limit", () => {
  expect(noticesOf(waiting(900, 0), none, late)).toEqual([]);
  expect(noticesOf(waiting(900, 500), none, late)).toEqual([]);
});

test.each([
  [7, []],
  [8, ["cap"]],
  [9, ["cap"]],
  [10, []],
])("%i of 10 iterations: %j", (iterations, told) => {
  const run = at("proving");
  const spent = { ...run.spent, iterations };
  const limits = { ...run.contract.limits, iterationsMax: 10, commitsMax: null };
  expect(kinds(noticesOf({ ...run, spent, contract: { ...run.contract, limits } }, none, late))).toEqual(told);
});

test("a person is not told what they did themselves, but that a run is over", () => {
  const between = { is: "between" } as const;
  const now = (outcome: Outcome): Run => ({ ...at("proving"), now: { is: "resting", outcome, resume: between } });
  expect(kinds(noticesOf(now({ kind: "paused", by: "person" }), none, late))).toEqual([]);
  expect(kinds(noticesOf(now({ kind: "cap", cap: "cost", used: 25, allowed: 25 }), none, late))).toEqual(["waits"]);
  const over = (outcome: Outcome): Run => ({ ...at("proving"), now: { is: "stopped", outcome } });
  expect(kinds(noticesOf(over({ kind: "success" }), none, late))).toEqual(["ended"]);
  expect(kinds(noticesOf(over({ kind: "followup", gaps: 1 }), none, late))).toEqual([]);
});
