// Where a test stands in its file, and a file with everything that its tests expect altered.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of other languages.
import { describe, expect, test } from "vitest";
import { allExpectationsAltered, testAt } from "./test-at.ts";

const javascript = `import test from "node:test";
test("adds", () => {
  assert.equal(add(1, 2), 3);
});

function helper() {
  assert.equal(1, 1);
}
test('one line', () => assert.equal(add(0, 0), 0));
`;
const python = `def test_add():
    assert add(1, 2) == 3


class TestAll:
    def test_none(self):
        self.assertEqual(add(0, 0), 0)

    def test_other(self):
        pass
`;

describe("testAt", () => {
  test.each([
    ["a.test.js", javascript, "adds", { from: 2, to: 3 }],
    ["a.test.js", javascript, "one line", { from: 9, to: 10 }],
    ["test_a.py", python, "test_add", { from: 1, to: 4 }],
    ["test_a.py", python, "test_none", { from: 6, to: 8 }],
    [
      "a_test.go",
      "func TestAdd(t *testing.T) {\n\tif add(1) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
      "TestAdd",
      { from: 1, to: 4 },
    ],
  ])("%s: %# is found by its title", (path, text, title, lines) => {
    expect(testAt(path, text, title)).toEqual(lines);
  });

  test.each([
    ["a title that is made of data", "a.test.js", "test(`adds ${n}`, () => {});", "adds 3"],
    ["a title that stands there twice", "a.test.js", 'test("a", f);\ntest("a", g);', "a"],
    ["another language", "a.rb", "it 'adds' do", "adds"],
  ])("%s is not found", (_, path, text, title) => {
    expect(testAt(path, text, title)).toBeNull();
  });
});

describe("allExpectationsAltered", () => {
  test.each([
    ["a.test.js", "assert.equal(add(1, 2), 3);", /add\(1, 2\), (?!3\))/],
    ["a.test.js", "expect(add(1, 2)).toBe(3);", /toBe\((?!3\))/],
    ["test_a.py", "def test_a():\n    assert add(1, 2) == 3\n", /== (?!3$)/m],
    ["test_a.py", "self.assertEqual(add(1, 2), 3)\n", /add\(1, 2\), (?!3\))/],
  ])("%s: %s", (path, text, expected) => {
    expect(allExpectationsAltered(path, text)?.text).toMatch(expected);
  });

  test.each([
    ["another value may be right as well", "assert.notEqual(add(1, 2), 4);"],
    ["it need not be equal", "assert.ok(add(1, 2) > 1);"],
    ["it is the product's own function", 'assert.ok(!equal("a", "b"));'],
    ["it has to fail", "assert.throws(() => assert.equal(1, 2));"],
    ["not", "expect(add(1, 2)).not.toBe(4);"],
  ])("%s: nothing is altered", (_, text) => {
    expect(allExpectationsAltered("a.test.js", text)).toBeNull();
  });
});
