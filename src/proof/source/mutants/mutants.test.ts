// Mutants: which changes are undone, in which pieces, and how they are chosen.
import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evenly, fairly } from "./choice.ts";
import { mutants } from "./mutants.ts";

const whats = (path: string, before: string | null, after: string | null, max = 20): string[] =>
  mutants(path, before, after, max).map((mutant) => mutant.what);

const cart = `import fs from "node:fs";

export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}

export function names(items) {
  return items.map((item) => item.name);
}
`;

describe("a change that no test can notice has no mutant", () => {
  test.each([
    ["src/a.js", "a comment", cart, cart.replace("let sum", "// why\n  let sum")],
    ["src/a.js", "an import", cart, `import path from "node:path";\n${cart}`],
    ["src/a.js", "a require", "f();\n", 'const { a,\n  b } = require("c");\nf();\n'],
    [
      "src/a.js",
      "formatting",
      cart,
      cart.replace('"node:fs";', "'node:fs'").replace("let sum = 0;", "let sum =\n    0"),
    ],
    [
      "src/a.ts",
      "types",
      "export const a = 1;\n",
      "export type A = (b: string) => void;\nexport interface B {\n  c: number;\n}\nexport const a: number = 1;\n",
    ],
    ["src/a.py", "a docstring", "def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'],
    ["src/a.py", "an import", "x = 1\n", "from a import (\n    b,\n)\nx = 1\n"],
    ["src/a.rs", "a use", "fn f() {}\n", "use std::{a, b};\nfn f() {}\n"],
    [
      "src/a.rs",
      "a test inside",
      "fn f() {}\n",
      "fn f() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn t() { assert!(true) }\n}\n",
    ],
    ["src/a.go", "an import", "package a\n\nfunc F() {}\n", 'package a\n\nimport (\n\t"fmt"\n)\n\nfunc F() {}\n'],
    ["src/a.json", "indentation", '{"a":1,\n"b":2}\n', '{"a": 1,\n  "b": 2}\n'],
    [
      "src/index.js",
      "names passed on",
      'export { a } from "./a.js";\n',
      'export { a, b } from "./a.js";\nexport * from "./c.js";\n',
    ],
    ["src/__init__.py", "a list of names", '__all__ = ["a"]\n', '__all__ = ["a", "b"]\n'],
    ["src/a.d.ts", "a new file of types", null, "export interface A { b: number }\n"],
  ])("%s: %s", (path, _what, before, after) => {
    expect(whats(path, before, after)).toEqual([]);
  });
});

describe("a change", () => {
  test("inside a function is taken back, and the function around it is emptied", () => {
    const after = cart.replace("sum += item.price", "sum += item.price * item.count");
    expect(whats("src/a.js", cart, after)).toEqual([
      "src/a.js:5 put back as it was: for (const item of items) sum += item.price;",
      "src/a.js:3 total() emptied",
    ]);
    const [hunk, body] = mutants("src/a.js", cart, after, 2);
    expect(hunk?.text).toBe(cart);
    expect(body?.text).toContain("export function total(items) {}");
  });

  test("that adds several functions is taken back function by function", () => {
    const after = `${cart}\nconst rate = 2;\n\nexport function tax(items) {\n  return total(items) / rate;\n}\n\nexport const one = () => 1;\n`;
    expect(whats("src/a.js", cart, after)).toEqual([
      "src/a.js:13 taken back (+2 -0)",
      "src/a.js:15 tax() emptied",
      "src/a.js:15 tax() taken back (+3 -0)",
      "src/a.js:19 one() emptied",
      "src/a.js:19 one() taken back (+1 -0)",
    ]);
  });

  test("that adds a class is taken back method by method, and its frame stays", () => {
    const after = `${cart}export class Cart {\n  a() {\n    return 1;\n  }\n  b() {\n    return 2;\n  }\n}\n`;
    expect(whats("src/a.js", cart, after)).toEqual([
      "src/a.js:13 a() taken back (+3 -0)",
      "src/a.js:13 a() emptied",
      "src/a.js:16 b() taken back (+3 -0)",
      "src/a.js:16 b() emptied",
    ]);
  });

  test("that only removes lines is taken back, and the function around is emptied", () => {
    const after = cart.replace("  for (const item of items) sum += item.price;\n", "");
    expect(whats("src/a.js", cart, after)).toEqual(["src/a.js:5 taken back (+0 -1)", "src/a.js:3 total() emptied"]);
  });

  test("of indentation in Python is a change", () => {
    const before = "for a in b:\n    c()\n    d()\n";
    expect(whats("a.py", before, before.replace("    d()", "d()"))).toEqual(["a.py:3 taken back (+1 -1)"]);
  });

  test.each(["txt", "list", "md", "dat", "sql"])("of lines in a data file .%s is put back line by line", (ending) => {
    const path = `src/a.${ending}`;
    expect(mutants(path, "a\nb\nc\nd\n", "a\nx\nc\ny\n", 20).map(({ what, kind }) => [what, kind])).toEqual([
      [`${path}:2 put back as it was: b`, "line"],
      [`${path}:4 put back as it was: d`, "line"],
    ]);
  });

  test("of a data file to other sentences is taken back as a whole", () => {
    expect(mutants("src/a.txt", "Thank you very much.\n", "See you again soon.\n", 20)).toMatchObject([
      { kind: "hunk" },
    ]);
  });
});

test.each([
  ["src/a.js", cart, ["src/a.js:3 total() emptied", "src/a.js:9 names() emptied"]],
  ["src/rates.js", "export const rates = { a: 1 };\n", ["src/rates.js removed"]],
  ["src/001.sql", "create table a (b int);\n", ["src/001.sql removed"]],
  ["src/empty.py", "# nothing\n", []],
])("a new file %s is emptied body by body, or removed", (path, text, expected) => {
  expect(whats(path, null, text)).toEqual(expected);
});

test("a deleted file is restored", () => {
  expect(mutants("src/a.js", cart, null, 3)).toMatchObject([{ what: "src/a.js restored", text: cart }]);
  expect(mutants("src/a.js", null, null, 3)).toEqual([]);
});

test("tests inside the file are the candidate's in every mutant", () => {
  const before = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n";
  const after = `${before.replace("a + b", "b + a")}\npub fn two() -> i32 {\n    2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn two() { assert_eq!(super::two(), 2); }\n}\n`;
  const all = mutants("src/lib.rs", before, after, 10);
  expect(all.map((mutant) => mutant.what)).toEqual([
    "src/lib.rs:2 put back as it was: a + b",
    "src/lib.rs:1 add() emptied",
    "src/lib.rs:4 taken back (+5 -0)",
    "src/lib.rs:5 two() emptied",
  ]);
  for (const mutant of all) expect(mutant.text).toContain("fn two() { assert_eq!(super::two(), 2); }");
});

test("the choice is spread over the file, and is always the same", () => {
  const many = Array.from({ length: 30 }, (_, n) => `export function f${n}() {\n  return ${n};\n}\n`).join("");
  const chosen = whats("src/a.js", null, many, 5);
  expect(chosen).toHaveLength(5);
  expect(chosen).toEqual(whats("src/a.js", null, many, 5));
  expect(Number(/:(\d+)/.exec(chosen.at(-1) ?? "")?.[1])).toBeGreaterThan(60);
  expect(whats("src/a.js", cart, cart.replaceAll("item", "thing"), 2)).toHaveLength(4);
  expect(whats("src/a.js", null, many, 0)).toEqual([]);
});

test("a rewritten old line is a separate change, even next to new code", () => {
  const before = "const rate = 0.2;\nexport const gross = (x) => x * (1 + rate);\n";
  const after = `const rate = 0;\nexport function total(a) {\n  return a;\n}\n${before.split("\n")[1]}\n`;
  const [line] = mutants("src/a.js", before, after, 4);
  expect(line).toMatchObject({ what: "src/a.js:1 put back as it was: const rate = 0.2;", kind: "line" });
  expect(line?.text).toBe(after.replace("rate = 0;", "rate = 0.2;"));
});

test.each([
  ["other words for people", 'say("no file found");', 'say("there is no file");', ["hunk"]],
  ["a value that is a text", 'role === "admin";', 'role === "user";', ["line"]],
  ["a value left out of a sentence", "say(`costs $" + "{price} euros`);", "say(`costs 3 euros`);", ["line"]],
  ["another format", 'say("%02d of %d lines", a);', 'say("%d of %d lines", a);', ["line"]],
])("%s in quotes", (_, before, after, kinds) => {
  expect(mutants("src/a.js", `${before}\n`, `${after}\n`, 4).map(({ kind }) => kind)).toEqual(kinds);
});

const wordsOf = (before: string, after: string): readonly string[] =>
  mutants("src/a.py", `${before}\n`, `${after}\n`, 8)
    .filter(({ what }) => /" (?:put back: |instead of ")/.test(what))
    .map(({ text }) => text?.trimEnd() ?? "");

test.each([
  [
    "another default",
    "def pages(items, size=20):",
    "def pages(items, size=10, full=False):",
    ["def pages(items, size=20, full=False):"],
  ],
  [
    "another value in a table",
    "R = {'EUR': 1, 'GBP': 0.86}",
    "R = {'EUR': 1, 'GBP': 0.68, 'JPY': 160}",
    ["R = {'EUR': 1, 'GBP': 0.86, 'JPY': 160}"],
  ],
  ["an anchor of a pattern", 'N = r"^[a-z]+$"', 'N = r"[a-z][a-z0-9]+$"', ['N = r"^[a-z][a-z0-9]+$"']],
  [
    "a condition of a query",
    'rows = db.run("SELECT a FROM t WHERE b = 1 AND c = 0 ORDER BY id")',
    'rows = db.run("SELECT a FROM t WHERE b = 1 ORDER BY id LIMIT ?", (n,))',
    ['rows = db.run("SELECT a FROM t WHERE b = 1 AND c = 0 ORDER BY id LIMIT ?", (n,))'],
  ],
  [
    "another kind of error",
    'if n < 1: raise KeyError("seats begin at one")',
    'if n < 1 or n > size: raise Error(f"there is no seat {n}")',
    ['if n < 1 or n > size: raise KeyError(f"there is no seat {n}")'],
  ],
  [
    "an option dropped",
    "save(path, text, mode=0o600)",
    "save(path, text, flag=how(x))",
    ["save(path, text, mode=0o600, flag=how(x))"],
  ],
  [
    "another method",
    "return args.join(a, 1)",
    "return args.includes(a, 2)",
    ["return args.join(a, 2)", "return args.includes(a, 1)"],
  ],
  ["a method of something else", "say(len(args.join(a)))", "say(options.includes(a) or len(found))", []],
  ["the same in another order", "return a + b * 2", "return b + a * 2", []],
  ["one change only", "total(a, 1)", "total(a, 2)", []],
  ["something new only", "def f(a):", "def f(a, b=1, *, c=2):", []],
])("%s beside something new is put back by itself", (_, before, after, expected) => {
  expect(wordsOf(before, after)).toEqual(expected);
});

test("what is no behaviour is not put back word by word", () => {
  const before = "export const f = (a: number, b: any): string => g(a);\n";
  const after = "export const f = (a: number | null, b: unknown): string | null => g(a, b);\n";
  expect(mutants("src/a.ts", before, after, 8).map(({ what }) => what)).toEqual([
    `src/a.ts:1 put back as it was: ${before.trim().slice(0, 60)}`,
    "src/a.ts:1 f() emptied",
  ]);
});

test("a changed value in JSON is put back separately, even where everything is on one line", () => {
  const [value] = mutants("src/rates.json", '{"de":1,"fr":{"low":2}}', '{"de":1,"fr":{"low":0},"es":3}', 4);
  expect(value).toMatchObject({ what: "src/rates.json fr.low put back as it was: 2", kind: "line" });
  expect(JSON.parse(value?.text ?? "")).toEqual({ de: 1, fr: { low: 2 }, es: 3 });
});

test("each file gets its turn before one gets a second", () => {
  expect(fairly([["a1", "a2", "a3"], ["b1"], ["c1", "c2"]], 5)).toEqual(["a1", "b1", "c1", "a2", "c2"]);
  expect(evenly([1, 2, 3, 4, 5, 6], 3)).toEqual([2, 4, 6]);
});

test("mutants of a JavaScript file parse", () => {
  const after = `${cart.replace("sum += item.price", "sum += f(item)")}const f = (a) => a.price * 2;\nexport class B extends Map {\n  constructor() {\n    super();\n    this.a = 1;\n  }\n  get b() {\n    return this.a;\n  }\n}\n`;
  const all = mutants("a.js", cart, after, 20);
  expect(all.length).toBeGreaterThan(5);
  for (const { text } of all) {
    execFileSync("node", ["--input-type=module", "--check", "-"], {
      input: text ?? "",
      stdio: ["pipe", "pipe", "pipe"],
    });
  }
});

test.each(["a.ts", "a.py", "a.rs", "a.go", "a.sh", "a.java", "a.json"])(
  "%s: any two texts give distinct mutants that are not the text itself",
  (path) => {
    const line = fc.constantFrom(
      "function f() {",
      "}",
      "  return 1;",
      "def g():",
      "    x = 2",
      "fn h() -> i32 { 1 }",
      "func I() {",
      "j() {",
      "import a",
      "",
      "// c",
      '"""',
    );
    const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.option(text), text, (before, after) => {
        const all = mutants(path, before, after, 6);
        expect(all.length).toBeLessThanOrEqual(12);
        expect(new Set(all.map((mutant) => mutant.text)).size).toBe(all.length);
        for (const mutant of all) expect(mutant.text).not.toBe(after);
      }),
      { numRuns: 200 },
    );
  },
);

test("a way out of an old function is taken back by itself, in any language", () => {
  const before =
    "package a\n\nfunc Total(all []int) int {\n\tsum := 0\n\tfor _, one := range all {\n\t\tsum += one\n\t}\n\treturn sum\n}\n";
  const after = before.replace("\t\tsum +=", "\t\tif one == 7 {\n\t\t\treturn 0\n\t\t}\n\t\tsum +=");
  const [way] = mutants("a.go", before, `${after}\nfunc Count(all []int) int {\n\treturn len(all)\n}\n`, 4);
  expect(way).toMatchObject({
    what: "a.go:6 taken back: if one == 7 {",
    kind: "line",
    text: expect.stringContaining("sum += one"),
  });
  expect(way?.text).not.toContain("one == 7");
});

const guarded = (path: string, before: string, after: string): readonly (string | null)[] =>
  mutants(path, before, after, 8).flatMap(({ leaves, text }) => (leaves === undefined ? [] : [text]));

test.each([
  [
    "on one line, behind the head that changed too",
    "src/a.js",
    'function take(n) {\n  if (n > left) throw new RangeError("too many");\n  left -= n;\n}\n',
    "function take(n, note) {\n  log.push(note);\n  left -= n;\n}\n",
    'function take(n, note) {\n  if (n > left) throw new RangeError("too many");\n  log.push(note);\n  left -= n;\n}\n',
  ],
  [
    "in a block",
    "a.go",
    'func Take(n int) error {\n\tif n > left {\n\t\treturn errors.New("too many")\n\t}\n\tleft -= n\n\treturn nil\n}\n',
    "func Take(n int) error {\n\tleft -= n\n\tlog(n)\n\treturn nil\n}\n",
    'func Take(n int) error {\n\tif n > left {\n\t\treturn errors.New("too many")\n\t}\n\tleft -= n\n\tlog(n)\n\treturn nil\n}\n',
  ],
  [
    "in Python",
    "a.py",
    'def take(n):\n    if n > left:\n        raise ValueError("too many")\n    use(n)\n',
    "def take(n, why=None):\n    use(n)\n",
    'def take(n, why=None):\n    if n > left:\n        raise ValueError("too many")\n    use(n)\n',
  ],
])("a guard that an old function lost is put back by itself: %s", (_, path, before, after, text) => {
  expect(guarded(path, before, after)).toEqual([text]);
});

test("a guard that is gone is put back although another function has the same way out", () => {
  const other = "function find(n) {\n  if (n < 0) return null;\n  return n;\n}\n";
  const before = `function take(n) {\n  if (n > left) return null;\n  left -= n;\n}\n${other}`;
  expect(guarded("src/a.js", before, `function take(n) {\n  left -= n;\n  log(n);\n}\n${other}`)).toHaveLength(1);
});

test.each([
  [
    "that was moved",
    'throw new RangeError("too many")',
    'check(n);\n}\nfunction check(n) {\n  throw new RangeError("too many");',
  ],
  ["with another condition", 'throw new RangeError("too many")', 'if (n >= left) throw new RangeError("too many");'],
  ["without a value", "return", "other();"],
])("not a guard %s", (_, way, now) => {
  const before = `function take(n) {\n  if (n > left) ${way};\n  left -= n;\n}\n`;
  expect(guarded("src/a.js", before, `function take(n) {\n  ${now}\n  left -= n;\n}\n`)).toEqual([]);
});
