// Findings from a wrong expectation and from emptied functions.
import { expect, test } from "vitest";
import { saidOfCanary, saidOfHollow } from "./bite.ts";

test.each([
  ["fails, as it should", { is: "red", what: "3 becomes 4" } as const, "noticed", 0],
  ["cannot be made", { is: "not-shown", why: "no old test" } as const, "not-shown", 0],
  ["passes", { is: "green", what: "3 becomes 4" } as const, "not-noticed", 1],
])("a wrong expectation that %s", (_, found, how, failures) => {
  const said = saidOfCanary(found);
  expect(said.records).toMatchObject([{ run: "K", how }]);
  expect(said.failures ?? []).toHaveLength(failures);
});

test.each([
  ["all are still noticed", { noticed: ["a()"], missed: [] }, ["t.js"], [0, 0]],
  ["one is not noticed any more", { noticed: ["a()", "b()"], missed: ["b()"] }, ["t.js"], [1, 0]],
  ["nothing can be shown, and protected files changed", { noticed: [], missed: [] }, ["t.js"], [0, 1]],
  ["nothing can be shown, and none changed", { noticed: [], missed: [] }, [], [0, 0]],
])("emptied functions: %s", (_, found, changed, [failures, missing]) => {
  const said = saidOfHollow(found, changed);
  expect([said.failures ?? [], said.missing ?? []].map(({ length }) => length)).toEqual([failures, missing]);
});
