// Rows of data that a change leaves out.
import { expect, test } from "vitest";
import { lostRows } from "./data-keys.ts";

test.each([
  ["a row that is gone", "src/stop.txt", "a\nan\nthe\n", "a\nthe\n", ["an"]],
  ["a row that another one replaces", "src/stop.txt", "a\nan\nthe\n", "a\nax\nthe\n", []],
  ["a row that is further down now", "src/stop.txt", "a\nan\nthe\n", "an\nthe\na\n", []],
  ["a comment", "src/rates.csv", "# old\nusd,110\n", "usd,110\n", []],
  ["a line of a page", "src/page.html", "<p>a</p>\n<p>b</p>\n", "<p>a</p>\n", []],
  ["a line of code", "src/a.js", "one();\ntwo();\n", "one();\n", []],
])("%s of %s", (_, path, before, after, lost) => {
  expect(lostRows(path, before, after)).toEqual(lost);
});
