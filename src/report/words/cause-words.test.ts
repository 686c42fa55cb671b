// Why an attempt failed is always said.
import { expect, test } from "vitest";
import { causeText } from "./cause-words.ts";

test("a cause without a word of its own is named by its kind", () => {
  const cause = { kind: "verdict", key: "verdict", text: "", frame: { is: "verdict", unmet: [] } } as const;
  expect(causeText(cause)).toBe("The evaluator did not pass it.");
  expect(causeText({ kind: "blocked", key: "blocked", text: " " })).toBe("The agent says it is blocked.");
});
