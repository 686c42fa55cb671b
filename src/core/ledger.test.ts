// Money, tokens, time and counts.
import { describe, expect, test } from "vitest";
import { at, send } from "../testing/world/by-hand.ts";
import { contractOf, feature, looseLimits } from "../testing/world/contracts.ts";
import { sessionId } from "./ids.ts";
import { capReached, charge, iterationCaps, reservation, sessionCaps, settle, tokensOf, usd } from "./ledger.ts";
import type { Limits } from "./limits.ts";
import { begin, type Run, type Spend, type Ticket } from "./run.ts";
import { noUsage } from "./session.ts";

const run = (spent: Partial<Spend>, limits: Partial<Limits> = {}): Run => {
  const fresh = begin(contractOf([feature("F1")], { limits: { ...looseLimits, ...limits } }));
  return { ...fresh, spent: { ...fresh.spent, ...spent } };
};
const ticket = { session: "s1", reservedUsd: 2, reservedTokens: 500, by: "maker" } as Ticket;

test.each([
  { cap: "cost", spent: { costUsd: 10 }, below: { costUsd: 9.999999 }, limits: { costUsdMax: 10 } },
  { cap: "tokens", spent: { tokens: 500 }, below: { tokens: 499 }, limits: { tokensMax: 500 } },
  { cap: "minutes", spent: { activeMs: 60_000 }, below: { activeMs: 59_000 }, limits: { activeMsMax: 60_000 } },
  { cap: "check-minutes", spent: { checkMs: 60_000 }, below: { checkMs: 59_000 }, limits: { checkMsMax: 60_000 } },
  { cap: "sessions", spent: { sessions: 3 }, below: { sessions: 2 }, limits: { sessionsMax: 3 } },
  { cap: "commits", spent: { commits: 1 }, below: { commits: 0 }, limits: { commitsMax: 1 } },
  { cap: "iterations", spent: { iterations: 7 }, below: { iterations: 6 }, limits: { iterationsMax: 7 } },
] as const)("exactly at the cap of $cap means stop; a little below does not", ({ cap, spent, below, limits }) => {
  expect(capReached(run(spent, limits), iterationCaps)).toMatchObject({ kind: "cap", cap });
  expect(capReached(run(below, limits), iterationCaps)).toBeNull();
});

test("a disabled cap is never reached", () => {
  const off = { costUsdMax: null, tokensMax: null, sessionsMax: null, iterationsMax: null, commitsMax: null };
  const spent = { costUsd: 1e9, tokens: 1e9, sessions: 1e9, iterations: 1e9, commits: 1e9, activeMs: 1e12 };
  expect(capReached(run(spent, { ...off, activeMsMax: null }), iterationCaps)).toBeNull();
});

test("caps on commits and iterations do not stop a finished session from being judged", () => {
  expect(capReached(run({ commits: 9, iterations: 9 }, { commitsMax: 9, iterationsMax: 9 }), sessionCaps)).toBeNull();
});

test.each([
  { left: "plenty is left", costUsd: 0, max: 25, reserved: 5 },
  { left: "little is left", costUsd: 24.5, max: 25, reserved: 0.5 },
  { left: "there is no cap", costUsd: 24.5, max: null, reserved: 5 },
])("when $left, a session may cost $reserved", ({ costUsd, max, reserved }) => {
  expect(reservation(run({ costUsd }, { costUsdMax: max })).reservedUsd).toBe(reserved);
});

test.each([
  { left: "some are left", tokens: 400, max: 1000, reserved: 600 },
  { left: "none are left", tokens: 1200, max: 1000, reserved: 0 },
  { left: "there is no cap", tokens: 400, max: null, reserved: null },
])("when $left, a session gets $reserved tokens", ({ tokens, max, reserved }) => {
  expect(reservation(run({ tokens }, { tokensMax: max })).reservedTokens).toBe(reserved);
});

test("of two caps that are reached, the first one asked about is reported", () => {
  const both = run({ iterations: 9, activeMs: 60_000 }, { iterationsMax: 9, activeMsMax: 60_000 });
  expect(capReached(both, iterationCaps)).toMatchObject({ cap: "minutes" });
});

describe("the reservation of a session in progress", () => {
  const open = (limits: Partial<Limits>): Run => ({
    ...run({ costUsd: 3, tokens: 100 }, limits),
    now: { is: "in-session", role: "builder", work: null, candidate: null, ticket },
  });

  test("counts as spent until the session is settled", () => {
    expect(capReached(open({ costUsdMax: 5 }), sessionCaps)).toEqual({ kind: "cap", cap: "cost", used: 5, allowed: 5 });
    expect(capReached(open({ costUsdMax: 5.01 }), sessionCaps)).toBeNull();
    expect(capReached(open({ tokensMax: 600 }), sessionCaps)).toMatchObject({ cap: "tokens", used: 600 });
    expect(capReached(open({ tokensMax: 601 }), sessionCaps)).toBeNull();
  });

  test("is not reserved for another session as well", () => {
    expect(reservation(open({ costUsdMax: 6, tokensMax: 700 }))).toEqual({ reservedUsd: 1, reservedTokens: 100 });
  });
});

test.each([
  { said: 0.25, costUsd: 0.25, estimated: false },
  { said: 0, costUsd: 0, estimated: false },
  { said: null, costUsd: 2, estimated: true },
])("a session that reports a cost of $said is charged $costUsd", ({ said, costUsd, estimated }) => {
  expect(charge(ticket, { ...noUsage, costUsd: said })).toEqual({ costUsd, estimated });
});

test("a cost that is counted in part by estimate is charged whole, and marked", () => {
  const usage = { ...noUsage, costUsd: 3, isEstimate: true } as const;
  expect(charge(ticket, usage)).toEqual({ costUsd: 3, estimated: true });
});

test("an estimate stays an estimate when exact costs are added", () => {
  const { spent } = run({});
  const guessed = settle(spent, ticket, { ...noUsage, costUsd: null });
  expect(settle(guessed, ticket, { ...noUsage, costUsd: 1 })).toMatchObject({ costUsd: 3, estimated: true });
});

test("a session's usage is added to the total, and a reported cost is not an estimate", () => {
  const { spent } = run({ costUsd: 1, tokens: 100 });
  const used = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: 0.5 };
  expect(settle(spent, ticket, used)).toEqual({ ...spent, costUsd: 1.5, tokens: 110, estimated: false });
});

test("the time cap is reported in minutes", () => {
  const over = capReached(run({ activeMs: 3_690_000 }, { activeMsMax: 3_600_000 }), ["minutes"]);
  expect(over).toEqual({ kind: "cap", cap: "minutes", used: 61.5, allowed: 60 });
});

test("every kind of token counts", () => {
  expect(tokensOf({ inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4000, costUsd: 0 })).toBe(
    4321,
  );
});

test("ten million cents add up exactly", () => {
  let sum = 0;
  for (let times = 0; times < 100_000; times++) sum = usd(sum + 0.01);
  expect(sum).toBe(1000);
});

test("a session that costs more than what is left is not begun, and begins once there is room", () => {
  const limits = { ...looseLimits, costUsdMax: 5 };
  const dear = { type: "session-reserved", session: sessionId("s1"), priceUsd: 6 } as const;
  const rested = send(at("unpaid", { limits }), dear);
  expect(rested.now).toMatchObject({
    is: "resting",
    outcome: { kind: "cap", cap: "cost", used: 0, allowed: 5, price: 6 },
  });
  expect(rested.spent).toMatchObject({ sessions: 0, costUsd: 0 });
  const going = send(rested, { type: "continued", limits: { costUsdMax: 6 }, retry: false }, dear);
  expect(going.now).toMatchObject({ is: "in-session", ticket: { session: "s1" } });
});
