// Which requests are about documents, tests, or refactoring, and which only sound like it.
import { expect, test } from "vitest";
import { requestKind } from "./request-kind.ts";

test.each([
  ["Write a README that explains how to install it", "docs"],
  ["Please update the CHANGELOG for 2.0", "docs"],
  ["Fix typos in the documentation", "docs"],
  ["Add a section about errors to the README", "docs"],
  ["Refactor src/price.js to use function declarations", "keep"],
  ["Simplify the parser", "keep"],
  ["Remove the unused function sub from src/math.js", "keep"],
  ["Add type hints and docstrings to src/price.py", "keep"],
  ["Remove the limit of 10 rows", null],
  ["Move src/price.js to src/money/price.js and adapt all imports", "keep"],
  ["Write tests for the function sub of src/sub.js", "judge"],
  ["Add missing unit tests for the parser", "judge"],
  ["Add tests for the parser and fix the crash", null],
  ["Add a test command", null],
  ["Add rate limiting and document it in the README", null],
  ["Add a function that reads the README", null],
  ["Add a --docs flag to the list command", null],
  ["Update the README and add a total() function", null],
  ["Refactor the parser, then add support for dates", null],
  ["Fix the crash when the documents folder is empty", null],
  ["Refactor src/add.js so that add throws a TypeError for strings", null],
  ["Rename --json to --format", null],
])("%s: %s", (request, kind) => {
  expect(requestKind(request)).toBe(kind);
});
