import { expect, test } from "vitest";
import { featureId } from "./ids.ts";
import { entriesOf, progresses, progressIn, withProgress } from "./progresses.ts";
import { newProgress } from "./run.ts";

const [F1, F2, F3] = ["F1", "F2", "F3"].map(featureId) as [never, never, never];
const two = progresses([
  [F1, newProgress("not-started")],
  [F2, newProgress("complete")],
]);

test("a change affects only the new value, and a new feature comes last", () => {
  const changed = withProgress(withProgress(two, F1, newProgress("blocked")), F3, newProgress("existing"));
  expect(entriesOf(changed).map(([id, { status }]) => [id, status])).toEqual([
    [F1, "blocked"],
    [F2, "complete"],
    [F3, "existing"],
  ]);
  expect([F1, F2, F3].map((id) => progressIn(two, id)?.status)).toEqual(["not-started", "complete", undefined]);
});

test("survives a JSON round trip; a name that every object has is not a feature", () => {
  const read = JSON.parse(JSON.stringify(two));
  expect(read).toEqual(two);
  expect(progressIn(read, F2)?.status).toBe("complete");
  expect(progressIn(two, featureId("constructor"))).toBeUndefined();
});
