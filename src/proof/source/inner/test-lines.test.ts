// A file that may differ only in one test.
import { expect, test } from "vitest";
import { differsOnlyInTests } from "./test-lines.ts";

const javascript = 'test("a", () => {\n  equal(one(), 1);\n});\ntest("b", () => {\n  equal(two(), 2);\n});\n';
const python = "def test_a():\n    assert one() == 1\n\n\ndef test_b():\n    assert two() == 2\n";

test.each([
  ["a.test.js", javascript, "one(), 1", "one(), 3", "a", true],
  ["a.test.js", javascript, "two(), 2", "two(), 3", "a", false],
  ["a.test.js", javascript, 'test("b"', 'test("a"', "a", false],
  ["test_a.py", python, "one() == 1", "one() == 3", "test_a", true],
  ["test_a.py", python, "two() == 2", "two() == 3", "test_a", false],
  ["a.txt", "one 1\n", "1", "2", "one", false],
])("%s: %#", (path, text, from, to, name, isOnly) => {
  expect(differsOnlyInTests(path, text, text.replace(from, to), [name])).toBe(isOnly);
});

test("a name that occurs twice matches nothing", () => {
  const twice = javascript.replace('"b"', '"a"');
  expect(differsOnlyInTests("a.test.js", twice, twice.replace("two(), 2", "two(), 3"), ["a"])).toBe(false);
});
