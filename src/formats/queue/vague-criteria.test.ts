// Criteria that cannot fail are reported; verifiable ones are not.
import { expect, test } from "vitest";
import { vagueWarnings, vagueWord } from "./vague-criteria.ts";

test.each([
  "The search works well",
  "The page is fast",
  "UI is user friendly",
  "Errors are handled properly",
  "Looks good on mobile",
  "The import works as expected",
  "Code follows best practices",
  "It is intuitive",
])("%s is vague", (criterion) => {
  expect(vagueWord(criterion)).not.toBeNull();
});

test.each([
  "The page is fast: p95 below 100 ms",
  "`npm test` works as expected",
  "add(2, 3) is 5",
  "An empty cart says that it is empty",
  "The file is there",
  "Breakfast is served",
  'It is fast, as "loop status" is',
  "A fasting user sees no recipes",
  "GET /users works properly",
])("%s is not", (criterion) => {
  expect(vagueWord(criterion)).toBeNull();
});

test("complete features are not criticized, and a long list is cut", () => {
  const criteria = Array.from({ length: 9 }, () => "works well");
  expect(vagueWarnings([{ id: "F001", status: "existing", criteria }])).toEqual([]);
  const told = vagueWarnings([{ id: "F001", status: "not-started", criteria }], 2);
  expect(told).toHaveLength(4);
  expect(told[2]).toBe("And 7 more like that.");
});
