import { expect, test } from "vitest";
import { isQueueRequest, queueRequest } from "./queue-request.ts";

test.each(["docs/FEATURES.json", "plans/my prd.md"])("the request of a run from %s is the loop's own text", (path) => {
  expect(isQueueRequest(queueRequest(path))).toBe(true);
});

test("a person's request is their own text", () => {
  expect(isQueueRequest("Complete the features in docs/FEATURES.json.\nThen tidy up.")).toBe(false);
});
