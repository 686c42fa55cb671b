// Calls in tests, and what else could be asked of the same function.
import { expect, test } from "vitest";
import { literalCalls, otherCalls } from "./calls.ts";

const shown = (calls: readonly { name: string; args: readonly string[] }[]): string[] =>
  calls.map(({ name, args }) => `${name}(${args.join(", ")})`);

test("calls with literals are found, once each; calls of other things are not", () => {
  const text = `
assert.equal(quote("ab", 1), 20);
assert.deepEqual(quote("a, b)", [1, { of: 2 }]), quote("ab", 1));
assert.equal(quote(name, 1), 20);
other.quote("ab", 2); requote("ab", 3); quote(\`x\${y}\`); quote("open", 1
assert.equal(day(new Date(2024, 1, 2)), "x");
`;
  expect(shown(literalCalls(text, ["quote", "day"]))).toEqual([
    'quote("ab", 1)',
    'quote("a, b)", [1, { of: 2 }])',
    "day(new Date(2024, 1, 2))",
  ]);
});

test.each([
  [
    'ITEMS = [{"count": 3}, {"count": 1}]\n\ndef test_value():\n    assert value(ITEMS) == 4\n',
    'value([{"count": 3}, {"count": 1}])',
  ],
  ["const items = [\n  { count: 3 },\n];\n\ntest('x', () => value(items));\n", "value([\n  { count: 3 },\n])"],
  ['const name = "a b";\nlet other = 3;\nvalue(name);\n', 'value("a b")'],
  [
    "def test_a():\n    items = [1]\n\ndef test_b():\n    items = [2]\n    value(items)\n    items = [3]\n",
    "value([2])",
  ],
])("a name that stands for a literal counts as one: %j", (text, call) => {
  expect(shown(literalCalls(text, ["value"]))).toEqual([call]);
});

test("a name that stands for something else does not count", () => {
  expect(literalCalls("const items = make(3);\nvalue(items);\nvalue(unknown);\n", ["value"])).toEqual([]);
});

test("each argument is changed by itself, and the last is left out", () => {
  const [call] = literalCalls('quote("ab", 3)', ["quote"]);
  if (call === undefined) throw new Error("it was not found");
  const others = shown(otherCalls(call, "javascript"));
  expect(others).toContain('quote("ab")');
  expect(others).toContain('quote("<x>ab", 3)');
  expect(others.some((one) => one.startsWith('quote("ab", ') && one !== 'quote("ab", 3)')).toBe(true);
  expect(others.length).toBeLessThanOrEqual(13);
  expect(others).not.toContain('quote("ab", 3)');
});

test.each([
  ["javascript", "f([1, 2])", "f(Array(1500).fill([1, 2]).flat())"],
  ["python", "f([1, 2])", "f([1, 2] * 1500)"],
  ["python", "f(True)", "f(False)"],
] as const)("in %s, %s becomes %s", (language, from, to) => {
  const [call] = literalCalls(from, ["f"]);
  expect(call === undefined ? [] : shown(otherCalls(call, language))).toContain(to);
});

test("no argument is a number below zero, an absolute path, or one that leads up", () => {
  const [call] = literalCalls('f("a", 1, [2], { b: 3 })', ["f"]);
  const others = call === undefined ? [] : otherCalls(call, "javascript").flatMap(({ args }) => args);
  expect(others.filter((arg) => /-\d|"\/|\.\./.test(arg))).toEqual([]);
});
