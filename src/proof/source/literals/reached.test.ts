import { describe, expect, test } from "vitest";
import { conditionalAssertionsFailing } from "./reached.ts";

const linesOf = (path: string, text: string): readonly number[] =>
  conditionalAssertionsFailing(path, text)?.lines ?? [];

describe("assertions that run only under a condition fail", () => {
  test.each([
    ["in a catch", "a.test.js", "try {\n f();\n} catch (e) {\n assert.match(e.message, /x/);\n}", [4]],
    ["in a catch without a name", "a.test.js", "try { f() } catch {\n assert.ok(true)\n}", [2]],
    ["in a branch", "a.test.ts", "if (a) {\n expect(a).toBe(1);\n} else expect(a).toBe(2);", [2, 3]],
    [
      "in a loop",
      "a.test.js",
      "for (const x of list()) assert.ok(x);\nfor await (const y of z) {\n assert(y)\n}",
      [1, 3],
    ],
    ["in a callback of a list", "a.test.js", "list().forEach((x) => {\n expect(x).toBe(1)\n});", [2]],
    ["in a callback of a promise", "a.test.js", "return f().then((x) => assert.equal(x, 1));", [1]],
    ["in a function that is given on", "a.test.js", "list().forEach(function (x) {\n expect(x).toBe(1)\n});", [2]],
    ["behind another condition", "a.test.js", "found && expect(found).toBe(1);", [1]],
    [
      "below a condition further out",
      "a.test.js",
      "for (const x of y) {\n test(x, () => {\n  assert.ok(x);\n });\n}",
      [3],
    ],
    [
      "not at the top of a test",
      "a.test.js",
      "test('a', () => {\n assert.equal(f(), 1);\n expect(f()).toBe(1);\n});",
      [],
    ],
    ["not in a try", "a.test.js", "try {\n assert.equal(f(), 1);\n} finally {\n assert.ok(1);\n}", []],
    ["not a member", "a.test.js", "if (a) t.assert(b);", []],
    [
      "python: in an except",
      "test_a.py",
      "def test_a():\n  try:\n    f()\n  except E as e:\n    assert 'x' in str(e)",
      [5],
    ],
    [
      "python: in a loop",
      "test_a.py",
      "def test_a():\n  for x in f():\n    with y:\n\n      self.assertEqual(x, 1)",
      [5],
    ],
    ["python: not in a with", "test_a.py", "def test_a():\n  with y:\n    assert x == 1", []],
    ["python: not behind a branch", "test_a.py", "if a:\n  b = 1\ndef test_a():\n  assert x == 1", []],
    ["go: in a condition of two", "a_test.go", 'if err != nil && err.Error() != "x" {\n\tt.Fatal(err)\n}', [1]],
    ["go: in a branch", "a_test.go", 'if err != nil {\n\tif err.Error() != "x" {\n\t\tt.Fatal(err)\n\t}\n}', [2]],
    ["rust: in an if let", "tests/a.rs", "fn t() {\n  if let Err(e) = f() {\n    assert_eq!(e, 1);\n  }\n}", [3]],
    [
      "rust: in an arm",
      "tests/a.rs",
      'fn t() {\n  match f() {\n    Ok(n) => assert!(n > 1, "m"),\n    _ => {}\n  }\n}',
      [3],
    ],
    ["rust: not at the top", "tests/a.rs", "fn t() {\n  assert_eq!(f(), 1);\n}", []],
    ["go: not in a condition of one", "a_test.go", "if got != 3 {\n\tt.Fatal(got)\n}", []],
  ])("%s", (_what, path, text, lines) => {
    expect(linesOf(path, text)).toEqual(lines);
  });

  test.each([
    [
      "a.test.js",
      "if (a) await assert.rejects(f);",
      'if (a) await loopReached(f);\nfunction loopReached() { throw new Error("reached"); }\n',
    ],
    [
      "a.test.ts",
      "if (a) expect(b).toBe(1);",
      'if (a) loopReached(b).toBe(1);\nfunction loopReached(..._: any[]): any { throw new Error("reached"); }\n',
    ],
    [
      "test_a.py",
      "def t():\n  if a:\n    assert b == 1, 'b'\n",
      "def t():\n  if a:\n    assert 0 if 1 else b == 1, 'b'\n",
    ],
    ["test_a.py", "def t(self):\n  if a:\n    self.assertIn(1, b)\n", "def t(self):\n  if a:\n    self.fail(1, b)\n"],
    [
      "a_test.go",
      'if e != nil && e.Error() != "x" {\n t.Fatal(e)\n}',
      'if e != nil && e.Error() != "xq17" {\n t.Fatal(e)\n}',
    ],
    ["tests/a.rs", 'if a { assert!(b == 1, "m"); }', 'if a { assert!(!(b == 1), "m"); }'],
    ["tests/a.rs", "if a { assert_eq!(b, 1); }", "if a { assert_ne!(b, 1); }"],
  ])("%s: %s", (path, text, made) => {
    expect(conditionalAssertionsFailing(path, text)?.text).toBe(made);
  });
});
