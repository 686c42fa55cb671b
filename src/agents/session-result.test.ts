// What a session's parts add up to.
import { expect, test } from "vitest";
import { addUsage, Tally } from "./session-result.ts";

test.each([
  { edits: ["a", "a", "a"], path: "a", times: 1 },
  { edits: ["a", "b", "a", "b", "a"], path: "a", times: 3 },
  { edits: ["a", "b", "b", "c", "b"], path: "b", times: 2 },
])("going back to a file counts, hunk after hunk in one file does not: $edits", ({ edits, path, times }) => {
  const tally = new Tally(null);
  for (const edited of edits) tally.take({ sign: "edit", path: edited });
  expect(tally.totals().editsMax).toEqual({ path, times });
});

test("a cost that one part does not know makes the sum unknown", () => {
  const known = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.5 };
  expect(addUsage(known, { ...known, costUsd: null })).toMatchObject({ inputTokens: 2, costUsd: null });
});
