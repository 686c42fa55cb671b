// Held work is shown old beside new: nothing of it is lost, and no row is wider than the terminal.
import { expect, test } from "vitest";
import { painter } from "./paint.ts";
import { sideBySide } from "./side-by-side.ts";
import { widthOf } from "./width.ts";

const diff = `--- a/src/a.js
+++ b/src/a.js
@@ -1,4 +1,3 @@
 const a = 1;
-const b = 2;
--- x;
+const b = 3;
 a;`;

test("old and new lines stand in two columns, and unchanged ones in both", () => {
  const rows = sideBySide(diff, 45, painter(false)).split("\n");
  expect(rows).toEqual([
    "--- a/src/a.js",
    "+++ b/src/a.js",
    "@@ -1,4 +1,3 @@",
    " const a = 1;         │  const a = 1;",
    "-const b = 2;         │ +const b = 3;",
    "--- x;                │",
    " a;                   │  a;",
  ]);
});

test("the next file begins where a hunk ends", () => {
  const two = `${diff}\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2`;
  const rows = sideBySide(two, 45, painter(false)).split("\n").slice(7);
  expect(rows).toEqual(["diff --git a/b b/b", "--- a/b", "+++ b/b", "@@ -1 +1 @@", `-1${" ".repeat(20)}│ +2`]);
});

test("a long line goes on below, whole, and wide characters count twice", () => {
  const long = `@@ -1 +1 @@\n-${"x".repeat(250)}\n+${"漢".repeat(60)}\t\u001b[2J`;
  const rows = sideBySide(long, 100, painter(false)).split("\n").slice(1);
  for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(100);
  const text = rows.join("");
  expect([text.split("x").length - 1, text.split("漢").length - 1]).toEqual([250, 60]);
  expect(text).not.toContain("\u001b");
});
