import { expect, test } from "vitest";
import { requestItems, withoutItems } from "./request-items.ts";

test.each([
  ["Fix the parser", [], "Fix the parser"],
  ["Add:\n- one\n* two\n+ three", ["one", "two", "three"], "Add:"],
  ["1. one\n2) two\n\nNo new dependencies.", ["one", "two"], "No new dependencies."],
  ["- [ ] one\n  - [x] two\r\n- one", ["one", "two"], ""],
  ["Print this:\n```\n- not an item\n```\n- item", ["item"], "Print this:\n```\n- not an item\n```"],
  ["-5 is below 0, and 3.5 is above", [], "-5 is below 0, and 3.5 is above"],
  ["Add a(2) is 4. Add b() to src/b.js.", ["Add a(2) is 4", "Add b() to src/b.js"], ""],
  ["First add a(),\nthen fix b().", ["add a()", "fix b()"], ""],
  ["Add a(); fix b() in src/b.js; rename c to d", ["Add a()", "fix b() in src/b.js", "rename c to d"], ""],
  ["Please add a() and then remove b().", ["add a()", "remove b()"], ""],
])("%j has the items %j", (text, items, rest) => {
  expect([requestItems(text), withoutItems(text)]).toEqual([items, rest]);
});

test.each([
  "Add a() to src/a.js",
  "Add a(). It returns 4.",
  "Add a(). Export it from src/index.js.",
  "Add a(). Add tests for it.",
  "Add a(). Update the README.",
  "Add a(). Make sure that b() still works.",
  "Add a(). No new dependencies.",
  "Wait for the page, then add a().",
  "# Add a()\n\nAdd a(). Add b().",
  "Add a() as in e.g. src/b.js; then it is done",
])("%j is one thing: not every part of it is an order of its own", (text) => {
  expect([requestItems(text), withoutItems(text)]).toEqual([[], text]);
});

test("has at most 50", () => {
  expect(requestItems(Array.from({ length: 60 }, (_, at) => `- item ${at}`).join("\n"))).toHaveLength(50);
});
