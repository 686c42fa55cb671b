// Where a test says what an example says that could not be run.
import { expect, test } from "vitest";
import { sidesBetween } from "../../testing/sides-rig.ts";
import { checksOf, commandsIn, examplesIn } from "../source/index.ts";
import { isTold, isToldCommand } from "./told-by-tests.ts";

const sides = (tests: string) =>
  sidesBetween({ "src/text.ts": "export {};\n" }, { "src/text.ts": "export {};\n", "test/text.test.ts": tests });
const isIn = (example: string, tests: string): boolean =>
  examplesIn([example])
    .flatMap(checksOf)
    .every((check) => isTold(sides(tests), check));

test.each([
  ["the expression", "expect(slug('A  b')).toMatch(/a/);", true],
  ["the value, next to a call", 'const got = slug("C");\nexpect(got)\n  .toBe("a-b");', true],
  ["the value, in a table of another function", 'expect(other("C")).toBe("a-b");', false],
  ["a call with another value", 'expect(slug("C d")).toBe("c-d");', false],
  ["a comment", '// slug("A  b") is "a-b"', false],
])("%s: %s", (_, tests, expected) => {
  expect(isIn('slug("A  b") is "a-b"', tests)).toBe(expected);
});

test.each([
  ["divide(1, 0) throws a RangeError", "expect(() => divide(1, zero)).toThrow(RangeError);", true],
  ["divide(1, 0) throws a RangeError", "expect(divide(4, 2)).toBe(2);", false],
  ["ids(3).length is 3", "expect(ids(4).length).toBe(4);", false],
  ["line_total(2) is 30", "if got := LineTotal(two); got != 30 {", true],
])("%s: %s", (example, tests, expected) => {
  expect(isIn(example, tests)).toBe(expected);
});

test.each([
  ["`curl localhost` prints `pong`", 'assert.equal(body, "pong");', true],
  ["`curl localhost` prints `pong`", 'assert.equal(body, "ping");', false],
  ["`npm start` exits with 3", "assert.equal(result.status, 3);", true],
  ["`npm start` exits with 3", "assert.equal(result.stdout, 3);", false],
])("a command line, %s: %s", (example, tests, expected) => {
  expect(commandsIn([example]).map((each) => isToldCommand(sides(tests), each))).toEqual([expected]);
});
