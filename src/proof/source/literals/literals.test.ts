// Canaries and inputs: which literals are changed, and how.
import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { altered } from "./altered.ts";
import { definedNames } from "./defined-names.ts";
import { inputsAltered } from "./inputs.ts";

/** The lines that differ, as altered. */
const changed = (text: string, all: readonly { text: string }[]): string[] =>
  all.flatMap((one) => one.text.split("\n").filter((line, at) => line !== text.split("\n")[at]));

describe("an expected value is altered", () => {
  test.each([
    ["a.test.ts", "expect(add(1, 2)).toBe(3);", ["expect(add(1, 2)).toBe(20);"]],
    [
      "a.test.ts",
      "expect(f()).toEqual({ a: [1, 'x'], b: true });",
      [
        "expect(f()).toEqual({ a: [18, 'x'], b: true });",
        "expect(f()).toEqual({ a: [1, 'xq17'], b: true });",
        "expect(f()).toEqual({ a: [1, 'x'], b: false });",
      ],
    ],
    ["a.test.ts", "expect(f(2)).to.deep.equal(-3)", ["expect(f(2)).to.deep.equal(-20)"]],
    ["a.test.ts", "expect(f(2)).not.toBe(3)", []],
    ["a.test.ts", "expect(f(2)).toBeGreaterThan(3)", []],
    ["a.test.ts", "expect(f).toBe(g(3))", []],
    ["a.test.ts", "expect(f()).toMatchInlineSnapshot(`\n  a\n`)", ["q17`)"]],
    ["a.test.ts", "expect(s).toEqual(new Set([1]));", ["expect(s).toEqual(new Set([18]));"]],
    ["a.test.js", 'assert.equal(add(1, 2), 3, "sum of 2");', ['assert.equal(add(1, 2), 20, "sum of 2");']],
    ["a.test.js", "assert.deepStrictEqual(a[0], [1n])", ["assert.deepStrictEqual(a[0], [18n])"]],
    ["a.test.js", "assert.notEqual(a, 3)", []],
    ["a.test.js", "assert(add(1, 2) === 3 && b);", ["assert(add(1, 2) === 20 && b);"]],
    ["a.test.js", "assert(a === 3 || b);", []],
    ["a.test.js", "if (add(1, 2) !== 3) throw new Error('no');", ["if (add(1, 2) !== 20) throw new Error('no');"]],
    ["a.test.js", "if (a !== 3) b();", []],
    ["a.test.js", "t.is(a, 1.5)", ["t.is(a, 18.5)"]],
    ["test_a.py", "assert add(1, 2) == 3, 'sum 3'", ["assert add(1, 2) == 20, 'sum 3'"]],
    ["test_a.py", "assert f(x) is True", ["assert f(x) is False"]],
    ["test_a.py", "assert f(x) == {'a': 1}", ["assert f(x) == {'a': 18}"]],
    ["test_a.py", "assert not a == 3", []],
    ["test_a.py", "assert f(1) == pytest.approx(0.5)", ["assert f(1) == pytest.approx(17.5)"]],
    ["test_a.py", "self.assertEqual(f(1), 3)", ["self.assertEqual(f(1), 20)"]],
    ["test_a.py", "self.assertNotEqual(f(1), 3)", []],
    ["test_a.py", "self.assertListEqual(f(1), ['a'])", ["self.assertListEqual(f(1), ['aq17'])"]],
    ["a_test.go", 'if got := f(1); got != 3 {\n\tt.Fatalf("got %d", got)\n}', ["if got := f(1); got != 20 {"]],
    [
      "a_test.go",
      "if !reflect.DeepEqual(f(1), []int{1}) {\n\tt.Error(2)\n}",
      ["if !reflect.DeepEqual(f(1), []int{18}) {"],
    ],
    ["a_test.go", "assert.Equal(t, 3, f(1))", ["assert.Equal(t, 20, f(1))"]],
    ["a_test.go", "cases := []c{{in: 1, want: 2}}", ["cases := []c{{in: 1, want: 19}}"]],
    [
      "tests/a.rs",
      '#[test]\nfn t() { assert_eq!(f(1), Some("a".to_string()), "m"); }',
      ['fn t() { assert_eq!(f(1), Some("aq17".to_string()), "m"); }'],
    ],
    ["tests/a.rs", "#[test]\nfn t() { assert_eq!(f(1), vec![200u8]); }", ["fn t() { assert_eq!(f(1), vec![183u8]); }"]],
    ["tests/a.rs", "#[test]\nfn t() { assert!(f(1) == 'a'); }", ["fn t() { assert!(f(1) == 'b'); }"]],
    [
      "src/a.rs",
      "fn f() { assert_eq!(a, 1); }\n#[test]\nfn t() { assert_eq!(f(), 2); }",
      ["fn t() { assert_eq!(f(), 19); }"],
    ],
    ["src/a.rs", "/// ```\n/// assert_eq!(f(1), 2);\n/// ```\nfn f() {}", ["/// assert_eq!(f(1), 19);"]],
    [
      "src/a.py",
      'def f(x):\n    """\n    >>> f(1)\n    [1, 2]\n    >>> f("a")\n    \'a\'\n    """\n    assert x == 5\n',
      ["    [1, 19]", "    'a'q17"],
    ],
    ["a.sh", '[ "$x" = "3" ] || exit 1', ['[ "$x" = "20" ] || exit 1']],
    ["a.sh", "if [ $(f 1) -ne 3 ]; then exit 1; fi", ["if [ $(f 1) -ne 20 ]; then exit 1; fi"]],
    ["a.sh", 'test "$(f a)" = hello', ['test "$(f a)" = helloq17']],
    ["a.bats", 'assert_output "a b"', ['assert_output "a bq17"']],
    ["a.sh", 'f | grep -q "done"', ['f | grep -q "doneq17"']],
    ["ATest.java", "assertEquals(3, f(1));", ["assertEquals(20, f(1));"]],
    ["ATest.java", "assertThat(f(1)).isEqualTo(3L);", ["assertThat(f(1)).isEqualTo(20L);"]],
    ["a_test.cpp", "EXPECT_EQ(f(1), 3);", ["EXPECT_EQ(f(1), 20);"]],
    ["ATests.swift", "XCTAssertEqual(f(1), 3)", ["XCTAssertEqual(f(1), 20)"]],
    ["ATest.php", "$this->assertSame(3, f(1));", ["$this->assertSame(20, f(1));"]],
    ["ATests.cs", "Assert.AreEqual(3, F(1));", ["Assert.AreEqual(20, F(1));"]],
    ["data.json", '{"expected": 3}', []],
  ])("%s: %j", (path, text, expected) => {
    const all = altered(path, text, 10);
    expect(changed(text, all)).toEqual(expected);
  });

  test("one per text, spread over the file, with its line", () => {
    const text = Array.from({ length: 40 }, (_, n) => `expect(f(1)).toBe(${n});\n`).join("");
    const all = altered("a.test.ts", text, 3);
    expect(all.map((one) => one.line)).toEqual([7, 21, 34]);
    expect(all[0]?.what).toBe("a.test.ts:7 6 becomes 23");
  });
});

test.each([
  [
    "src/a.js",
    null,
    "export function total() { return 1; }\nexport class Cart {\n  add(a) { return a; }\n}\nexport const rate = 3;\n",
    ["total", "Cart", "add", "rate"],
  ],
  [
    "src/a.js",
    "function a() { return 1; }\nfunction b() { return 2; }\n",
    "function a() { return 1; }\nfunction b() { return 3; }\n",
    ["b"],
  ],
  ["src/a.py", null, "class Cart:\n    def add(self, a):\n        return a\n", ["Cart", "add"]],
  ["src/a.rs", "", "pub struct Cart;\nimpl Cart { pub fn new(a: u32) -> Self { Cart } }\n", ["Cart", "new"]],
  ["src/a.go", "package a\n", "package a\nfunc (c *Cart) Add(n int) int { return n }\n", ["Add"]],
  ["bin/sum.sh", null, "add() { echo 1; }\nadd\n", ["add", "sum.sh"]],
  ["src/a.js", "// a\nf();\n", "// b\nf();\n", []],
  ["src/a.js", "f();\n", null, []],
])("%s: a change from %j to %j defines %j", (path, before, after, expected) => {
  expect(definedNames(path, before, after)).toEqual(expected);
});

describe("an input is altered", () => {
  test.each([
    [
      "a.test.js",
      "expect(total(1, [2], { a: 3 })).toBe(6);",
      [
        "expect(total(18, [2], { a: 3 })).toBe(6);",
        "expect(total(1, [19], { a: 3 })).toBe(6);",
        "expect(total(1, [2], { a: 20 })).toBe(6);",
      ],
    ],
    ["a.test.js", "expect(total('a', 2)).toBe(6);", ["expect(total('a', 19)).toBe(6);"]],
    ["a.test.js", "expect(total('a')).toBe('b');", ["expect(total('aq17')).toBe('b');"]],
    ["a.test.js", "expect(other(1)).toBe(6); total;", []],
    ["a.test.js", "const input = [1];\nexpect(total(input)).toBe(6);", ["const input = [18];"]],
    ["a.test.ts", "new total<A, B>(1);", ["new total<A, B>(18);"]],
    [
      "a.test.js",
      "test.each([[1, 2], [3, 4]])('%i', (a, b) => expect(total(a)).toBe(b));",
      [
        "test.each([[18, 2], [3, 4]])('%i', (a, b) => expect(total(a)).toBe(b));",
        "test.each([[1, 2], [20, 4]])('%i', (a, b) => expect(total(a)).toBe(b));",
      ],
    ],
    [
      "test_a.py",
      "def total(a): pass\nassert total(n=1, m=[2]) == 3",
      ["assert total(n=18, m=[2]) == 3", "assert total(n=1, m=[19]) == 3"],
    ],
    [
      "test_a.py",
      "@pytest.mark.parametrize('a,b', [(1, 2)])\ndef test(a, b): assert total(a) == b",
      ["@pytest.mark.parametrize('a,b', [(18, 2)])"],
    ],
    [
      "tests/a.rs",
      "#[test]\nfn t() { assert_eq!(a::total(1, &[2]), 3); }",
      ["fn t() { assert_eq!(a::total(18, &[2]), 3); }", "fn t() { assert_eq!(a::total(1, &[19]), 3); }"],
    ],
    [
      "src/a.rs",
      "fn g() { total(5); }\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn t() { total(1); }\n}\n",
      ["  fn t() { total(18); }"],
    ],
    [
      "a_test.go",
      "cases := []struct{ in, want int }{\n\t{in: 1, want: 2},\n}\nfor _, c := range cases { if total(c.in) != c.want {} }",
      ["\t{in: 18, want: 2},"],
    ],
    ["a.sh", '[ "$(total 1 2)" = 3 ]', ['[ "$(total 18 2)" = 3 ]', '[ "$(total 1 19)" = 3 ]']],
    ["a.sh", "./bin/total 4 | grep -q 5", ["./bin/total 21 | grep -q 5"]],
    ["ATest.java", "assertEquals(3, cart.total(1));", ["assertEquals(3, cart.total(18));"]],
  ])("%s: %j", (path, text, expected) => {
    expect(changed(text, inputsAltered(path, text, ["total"], 10))).toEqual(expected);
  });
});

test("altered files still parse", () => {
  const javascript =
    "import { expect } from 'x';\nexpect(f(1)).toEqual({ a: [`b`, 'c\\'', 1.5], d: -2 });\nassert.equal(x, 0x10);\n";
  for (const { text } of altered("a.test.mjs", javascript, 10)) {
    execFileSync("node", ["--input-type=module", "--check", "-"], { input: text, stdio: ["pipe", "pipe", "pipe"] });
  }
  const python = "assert f(1) == [1, 'a', r'b', '''c''']\nassert g() == {'a': (1.5, True)}\n";
  const all = altered("test_a.py", python, 10);
  expect(all).toHaveLength(6);
  const joined = JSON.stringify(all.map(({ text }) => text));
  execFileSync("python3", ["-c", "import json,sys\nfor t in json.load(sys.stdin): compile(t, 'a', 'exec')"], {
    input: joined,
  });
  const shell = '[ "$a" = \'b c\' ] && [ "$(f "x")" = "" ]\nexpected=\'a b\'\n';
  for (const { text } of altered("a.sh", shell, 10)) execFileSync("sh", ["-n"], { input: text });
});

test.each([
  [
    "a function that compares",
    'check() {\n  if [ "$2" = "$3" ]; then :; else fail=1; fi\n}\ncheck "trim" "$(trim " a")" "a b"\n',
    ["a bq17"],
  ],
  [
    "one that names its parameters",
    'eq() {\n  local want="$2"\n  [ "$1" = "$want" ] || exit 1\n}\neq "$(f)" 3\n',
    ["20"],
  ],
  ["a case", 'case "$(f 1)" in\n  "1 B") ;;\n  *) exit 1 ;;\nesac\n', ["1 Bq17"]],
  ["a case on one line", 'case "$(f 1)" in "1 B") ;; *) exit 1 ;; esac\n', ["1 Bq17"]],
  ["what is printed for diff", "printf 'a\\nb\\n' | diff - \"$out\"\n", ["a\\nb\\nq17"]],
  ["a here-document for diff", "f | diff - /dev/stdin <<END\na\nEND\n", ["q17"]],
  ["a file of what is expected", "echo 'a b' > want.txt\n", ["a bq17"]],
  ["grep", "f | grep -q 'a b'\n", ["a bq17"]],
  ["what is only shown", 'say() {\n  echo "$1"\n}\nsay "a"\n', []],
])("in a shell test: %s", (_, text, expected) => {
  const found = altered("a.test.sh", text, 4);
  expect(found).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(found[at]?.text).toContain(value);
  for (const each of found) execFileSync("sh", ["-n"], { input: each.text });
});

test.each(["a.test.ts", "test_a.py", "a.rs", "a_test.go", "a.sh", "ATest.java"])(
  "%s: any text gives at most the requested alterations, each different from it",
  (path) => {
    const piece = fc.constantFrom(
      "expect(",
      "f(",
      ")",
      ".toBe(",
      "3",
      "'a'",
      '"b"',
      "assert ",
      "==",
      "!=",
      "if ",
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      "assert_eq!(",
      "\n",
      " ",
      "#[test]\nfn t() {",
      "-",
      "$x",
      "= ",
      '"""\n>>> f(1)\n2\n"""',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const all = [...altered(path, text, 4), ...inputsAltered(path, text, ["f"], 4)];
        expect(all.length).toBeLessThanOrEqual(8);
        for (const one of all) expect(one.text).not.toBe(text);
      }),
      { numRuns: 300 },
    );
  },
);
