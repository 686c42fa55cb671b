import { expect, test } from "vitest";
import { listItems, withoutItems } from "./list-items.ts";

test.each([
  ["Fix the parser", [], "Fix the parser"],
  ["Add:\n- one\n* two\n+ three", ["one", "two", "three"], "Add:"],
  ["1. one\n2) two\n\nNo new dependencies.", ["one", "two"], "No new dependencies."],
  ["- [ ] one\n  - [x] two\r\n- one", ["one", "two"], ""],
  ["Print this:\n```\n- not an item\n```\n- item", ["item"], "Print this:\n```\n- not an item\n```"],
  ["-5 is below 0, and 3.5 is above", [], "-5 is below 0, and 3.5 is above"],
])("%j has the items %j", (text, items, rest) => {
  expect([listItems(text), withoutItems(text)]).toEqual([items, rest]);
});

test("has at most 50", () => {
  expect(listItems(Array.from({ length: 60 }, (_, at) => `- item ${at}`).join("\n"))).toHaveLength(50);
});
