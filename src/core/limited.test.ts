// Usage limits: who works, and how long to wait.
import { expect, test } from "vitest";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { limited, whoWorks } from "./limited.ts";
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
