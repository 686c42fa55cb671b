// Usage limits: who works, and how long to wait.
import { expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { closedWindow, limited, whoWorks } from "./limited.ts";
import { begin, type Run } from "./run.ts";

const run = (onLimit: "wait" | "switch", maker = 0, checker = 0): Run => ({
  ...begin(contractOf([feature("F001")], { onLimit })),
  limitedUntil: { maker, checker },
});

test.each([
  { onLimit: "switch", maker: 0, checker: 0, role: "builder", by: "maker" },
  { onLimit: "switch", maker: 200, checker: 0, role: "builder", by: "checker" },
  { onLimit: "switch", maker: 100, checker: 0, role: "builder", by: "maker" },
  { onLimit: "switch", maker: 200, checker: 300, role: "builder", by: "maker" },
  { onLimit: "switch", maker: 0, checker: 200, role: "evaluator", by: "maker" },
  { onLimit: "wait", maker: 200, checker: 0, role: "builder", by: "maker" },
] as const)("at 100, $onLimit, maker until $maker, checker until $checker: the $role is the $by", (row) => {
  expect(whoWorks(run(row.onLimit, row.maker, row.checker), row.role, 100)).toBe(row.by);
});

test.each([
  { onLimit: "wait", checker: 0, wait: 500 },
  { onLimit: "switch", checker: 0, wait: null },
  { onLimit: "switch", checker: 300, wait: 300 },
  { onLimit: "switch", checker: 900, wait: 500 },
] as const)("the maker is limited until 500, the checker until $checker, $onLimit: wait until $wait", (row) => {
  const after = limited(run(row.onLimit, 0, row.checker), "maker", 500, 100);
  expect(after.waitUntil).toBe(row.wait);
  expect(after.run.limitedUntil.maker).toBe(500);
});

test.each([
  { most: 80, percent: 79, until: 500, closed: false },
  { most: 80, percent: 80, until: 500, closed: true },
  { most: 80, percent: 95, until: 100, closed: false },
  { most: 80, percent: 95, until: null, closed: false },
  { most: null, percent: 95, until: 500, closed: false },
])("at 100, $percent % used until $until, of at most $most: closed is $closed", ({ most, percent, until, closed }) => {
  const { contract, ...rest } = run("wait");
  const capped = { ...contract, limits: { ...contract.limits, windowPercentMax: most } };
  const used: Run = { ...rest, contract: capped, windows: { maker: { name: "5-hour", percent, until } } };
  expect(closedWindow(used, "maker", 100) !== null).toBe(closed);
  expect(closedWindow(used, "checker", 100)).toBeNull();
});
