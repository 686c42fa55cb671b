// The totals over a session's parts.
import { expect, test } from "vitest";
import { addUsage, Tally } from "./session-result.ts";

test.each([
  { edits: ["a", "a", "a"], path: "a", times: 1 },
  { edits: ["a", "b", "a", "b", "a"], path: "a", times: 3 },
  { edits: ["a", "b", "b", "c", "b"], path: "b", times: 2 },
])("returning to a file counts, consecutive edits of one file do not: $edits", ({ edits, path, times }) => {
  const tally = new Tally(null);
  for (const edited of edits) tally.take({ sign: "edit", path: edited });
  expect(tally.totals().editsMax).toEqual({ path, times });
});

test("a part with an unknown cost makes the sum unknown", () => {
  const known = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.5 };
  expect(addUsage(known, { ...known, costUsd: null })).toMatchObject({ inputTokens: 2, costUsd: null });
});
