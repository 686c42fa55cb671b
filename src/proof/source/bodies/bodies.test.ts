// Bodies: which functions are found, and whether an emptied file still compiles and does nothing there.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodies, emptied } from "./bodies.ts";

const javascript = `import fs from "node:fs";
export function total(items) {
  return items.map((item) => item.price).reduce((a, b) => a + b, 0);
}
export const double = (n) => n * 2;
const half = async n =>
  n / 2
export const nothing = () => undefined;
export const pick = (n) => n > 1 ? { a: (x) => x, b: 1 } : null;
export default class Cart extends Map {
  #secret = () => 1;
  static of(...all) { return new Cart(all); }
  constructor(all) {
    super();
    this.all = all;
  }
  get size() { return 3 }
  async *[Symbol.asyncIterator]() { yield 1; }
  "quoted name"(a = {}) { if (a) { return { b() { return 1; } }; } }
}
exports.later = function* () { yield* [1]; };
process.on("exit", () => { fs.close(1); });
function empty() { /* nothing */ }
`;

const typescript = `import { readFile } from "node:fs/promises";
export type Make = (a: number) => string;
export interface Shape { area(): number; name: (x: string) => void }
type Fn<T extends (a: number) => void> = { run: T } | ((b: string) => void);
export function area<T extends Shape>(shape: T, scale: (n: number) => number = (n) => n): number {
  return scale(shape.area());
}
export const read: (path: string) => Promise<string> = async (path) => (await readFile(path, "utf8")).trim();
export const add = (a: number, b: number): number => a + b;
export const both = <A, B>(a: A, b: B): Map<A, B> => new Map<A, B>([[a, b]]);
export class Circle implements Shape {
  name: (x: string) => void = () => {};
  onDone?: () => void;
  private readonly radius: number;
  constructor(radius: number) { this.radius = radius; }
  area(): number { return this.radius ** 2 * 3; }
  set r(value: number) { console.log(this, value); }
  isBig(this: Circle): this is Circle { return this.radius > 3; }
  *each(): Generator<number> { yield this.radius; }
}
export const make = ((a: number) => String(a)) satisfies Make;
`;

const python = `import os

@decorated
def total(items):
    """Sum."""
    # comment
    return sum(i.price for i in items)

class Cart:
    x: int = 1

    def __init__(self): self.items = []

    async def load(self, a=lambda: 1, *, b: dict[str, int] = {}) -> None:
        def inner(x):
            return x
        await inner(a)

    def each(self):
        for i in self.items:
            yield i

def stub(): ...
def todo():
    raise NotImplementedError("later")
`;

const rust = `use std::collections::HashMap;
pub struct Cart { items: Vec<(String, u32)> }
pub trait Priced { fn price(&self) -> u32; fn twice(&self) -> u32 { self.price() * 2 } }
impl Cart {
    pub fn new() -> Self { Cart { items: Vec::new() } }
    #[inline]
    pub(crate) fn add(&mut self, name: &str, n: u32) { self.items.push((name.to_string(), n)); }
    pub fn names<'a>(&'a self) -> Vec<&'a str> { self.items.iter().map(|(n, _)| n.as_str()).collect() }
    pub fn find<F: Fn(&str) -> bool>(&self, f: F) -> Option<u32> where F: Clone {
        self.items.iter().find(|(n, _)| f(n)).map(|(_, p)| *p)
    }
}
pub fn parse(s: &str) -> Result<u32, std::num::ParseIntError> { let n = s.parse::<u32>()?; Ok(n) }
pub fn count(s: &str) -> HashMap<char, usize> {
    let mut m = HashMap::new();
    for c in s.chars() { *m.entry(c).or_insert(0) += 1; }
    m
}
pub const fn five() -> u32 { 5 }
pub fn pair() -> (bool, char) { (true, '}') }
pub fn evens(n: u32) -> impl Iterator<Item = u32> { (0..n).filter(|x| x % 2 == 0) }
`;

const go = `package cart

import (
	"errors"
	"strings"
)

type Cart struct{ items []string }

func New() *Cart { return &Cart{} }

func (c *Cart) Add(name string, tags ...interface{}) (n int, err error) {
	if name == "" {
		return 0, errors.New("no name")
	}
	c.items = append(c.items, strings.ToLower(name))
	return len(c.items), nil
}

func (c Cart) Find(f func(string) bool) (string, error) {
	for _, item := range c.items {
		if f(item) {
			return item, nil
		}
	}
	return "", errors.New("missing")
}

func Map[T any, U any](all []T, f func(T) U) []U {
	var made []U
	for _, one := range all {
		made = append(made, f(one))
	}
	return made
}

func Any() interface{} { return 1 }

func Log(a string) {
	double := func(b string) string { return b + b }
	println(double(a))
}

func Ch(n int) chan int { c := make(chan int, n); return c }
`;

const shell = `#!/bin/sh
total() {
  case "$1" in
    a) echo "}" ;;
  esac
  cat <<EOF
{ it's
EOF
}
function half { echo $(( $1 / 2 )); }
sub() ( cd / && pwd )
nothing() { :; }
total a
`;

const java = `import java.util.*;
class Cart<T extends Comparable<T>> {
  private final List<T> items = new ArrayList<>();
  Cart() { items.clear(); }
  @Override public String toString() { return "}" + items; }
  public int size() { return items.size(); }
  static <K, V> Map<K, List<V>> group(List<V> all) throws IllegalStateException { return new HashMap<>(); }
  void add(T one) { if (one != null) { items.add(one); } }
  boolean has(T one) { return items.contains(one); }
  char first() { return 'a'; }
}
`;
const c = `#include <stdlib.h>
struct pair { int a; };
static unsigned long sum(const int *all, size_t n) { unsigned long s = 0; for (size_t i = 0; i < n; i++) { s += all[i]; } return s; }
char *copy(const char *s) { return s ? (char *)s : 0; }
void nothing(int *p) { if (p) { *p = 1; } }
struct pair both(int a) { struct pair p = { a }; return p; }
int main(void) { return (int)sum(0, 0); }
`;

const names = (path: string, text: string): string[] => bodies(path, text).map((body) => body.name);

test.each([
  [
    "a.js",
    javascript,
    [
      "total",
      "double",
      "half",
      "nothing",
      "pick",
      "a",
      "#secret",
      "of",
      "constructor",
      "size",
      "[Symbol.asyncIterator]",
      '"quoted name"',
      "b",
      "later",
      "callback of on",
      "empty",
    ],
  ],
  [
    "a.ts",
    typescript,
    ["area", "scale", "read", "add", "both", "name", "constructor", "area", "r", "isBig", "each", "make"],
  ],
  ["a.py", python, ["total", "__init__", "load", "inner", "each", "stub", "todo"]],
  ["a.rs", rust, ["twice", "new", "add", "names", "find", "parse", "count", "five", "pair", "evens"]],
  ["a.go", go, ["New", "Add", "Find", "Map", "Any", "Log", "double", "Ch"]],
  ["a.sh", shell, ["total", "half", "sub", "nothing"]],
  ["a.java", java, ["toString", "size", "group", "add", "has", "first"]],
  ["a.c", c, ["sum", "copy", "nothing", "both", "main"]],
  [
    "a.kt",
    "fun total(items: List<Int>): Int { return items.sum() }\nclass A { private suspend fun b() { c() } }",
    ["total", "b"],
  ],
  ["a.swift", "func total(_ a: [Int]) throws -> Int { return a.reduce(0) { $0 + $1 } }", ["total"]],
  [
    "a.php",
    "<?php\nfunction total(array $a): int { return array_sum($a); }\nclass B { public static function c($d) { return $d; } }",
    ["total", "c"],
  ],
  ["a.cs", "class A { public async Task<int> Total(List<int> a) { return a.Sum(); } }", ["Total"]],
  ["a.json", '{"a": 1}', []],
])("%s: all functions of %# are found by name", (path, text, expected) => {
  expect(names(path, text)).toEqual(expected);
});

test("a body's lines are those of its function", () => {
  const [total] = bodies("a.py", python);
  expect(total).toMatchObject({ name: "total", line: 4, endLine: 7 });
  expect(bodies("a.js", javascript)[0]).toMatchObject({ line: 2, endLine: 4 });
  expect(bodies("a.sh", shell)[0]).toMatchObject({ line: 2, endLine: 9 });
});

test.each([
  ["a.js", "const f = (a) => a ? b : c;", "const f = (a) => undefined;"],
  ["a.js", "const f = x ? () => 1 : 2", "const f = x ? () => undefined : 2"],
  ["a.js", "const f = () => ({ a: 1 })\nf()", "const f = () => undefined\nf()"],
  ["a.js", "const f = () => a\n  .b()\n  .c\nd()", "const f = () => undefined\nd()"],
  ["a.jsx", "const F = () => <p>Don't, {a}</p>\nconst g = 1", "const F = () => undefined\nconst g = 1"],
  [
    "a.js",
    "class A extends B { constructor(a) { super(a); this.a = a; } }",
    "class A extends B { constructor(a) { super(a); } }",
  ],
  ["a.js", "class A { constructor(a) { this.a = a; } }", "class A { constructor(a) {} }"],
  ["a.tsx", "const f = (): number => 1;", "const f = (): number => (Boolean(1) ? (undefined as never) : (1));"],
  [
    "a.ts",
    'async function f() { "use server"; return 1; }',
    'async function f() { "use server"; if (Boolean(1)) return undefined as never; return 1; }',
  ],
  ["a.py", 'def f():\n    """Doc."""\n    return 1\n', "def f():\n    pass\n"],
  ["a.py", "def f(): return 1\n", "def f(): pass\n"],
  ["a.py", "def f():\n    yield 1\n", "def f():\n    return; yield\n"],
  ["a.sh", "f() { echo 1; }", "f() { :; }"],
  [
    "a.go",
    "func f() (int, error) {\n\treturn 1, nil\n}",
    "func f() (int, error) { if true { var emptied0 int; var emptied1 error; return emptied0, emptied1 };\n\treturn 1, nil\n}",
  ],
  ["a.rs", "fn f() { g(); }", "fn f() { if true { return; } g(); }"],
  ["a.rs", "fn f() -> Option<T> { g() }", "fn f() -> Option<T> { if true { return Default::default(); } g() }"],
  ["a.rs", "fn f() -> io::Result<()> { g() }", "fn f() -> io::Result<()> { if true { return Ok(()); } g() }"],
  ["a.rs", "fn f() -> Cart { g() }", 'fn f() -> Cart { if true { panic!("emptied") } g() }'],
  ["a.cpp", "int Cart::total() const { return 1; }", "int Cart::total() const { if (true) return {}; return 1; }"],
  ["a.kt", "fun f(): String? { return g() }", "fun f(): String? { if (true) return null; return g() }"],
  ["a.cs", "class A { async Task F() { await G(); } }", "class A { async Task F() { if (true) return; await G(); } }"],
  ["a.php", "<?php function f(): int { return 1; }", "<?php function f(): int { if (true) return null; return 1; }"],
])("%s: %j is emptied", (path, text, expected) => {
  const [body] = bodies(path, text);
  expect(body && emptied(path, text, body)).toBe(expected);
});

test.each([
  ["a.js", "function f() {}"],
  ["a.js", "const f = () => undefined;"],
  ["a.js", "class A extends B { constructor() { super(); } }"],
  ["a.ts", "class A { constructor(private a: number) { f(a); } }"],
  ["a.py", "def f():\n    '''Doc.'''\n"],
  ["a.py", "def f():\n    ...\n"],
  ["a.py", "def f():\n    raise NotImplementedError\n"],
  ["a.sh", "f() { :; }"],
  ["a.cpp", "Cart::Cart(int a) : a(a) { b(); }"],
  ["a.c", "struct pair f(void) { struct pair p; return p; }"],
])("%s: %j has nothing to empty", (path, text) => {
  const [body] = bodies(path, text);
  expect(body === undefined ? null : emptied(path, text, body)).toBeNull();
});

describe("every emptied body compiles", { timeout: 120_000 }, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bodies-"));
    writeFileSync(join(folder, "go.mod"), "module cart\n\ngo 1.18\n");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const has = (program: string): boolean => {
    try {
      execFileSync(program, ["--version"], { stdio: "ignore" });
      return true;
    } catch (error) {
      // go has no such option; a rustc without a toolchain for this user fails, too.
      return program !== "rustc" && !(error instanceof Error && "code" in error && error.code === "ENOENT");
    }
  };
  const run = (program: string, args: readonly string[]): void => {
    try {
      execFileSync(program, args, {
        cwd: folder,
        stdio: "pipe",
        env: { ...process.env, GOCACHE: join(folder, "cache") },
      });
    } catch (error) {
      const { stderr, stdout } = error as { stderr: Buffer; stdout: Buffer };
      expect.fail(`${args.join(" ")}\n${String(stderr)}${String(stdout)}`);
    }
  };
  /** The emptied texts, each in its own folder. */
  const written = (name: string, text: string): string[] =>
    bodies(name, text)
      .flatMap((body) => emptied(name, text, body) ?? [])
      .map((made, index) => {
        mkdirSync(join(folder, `${index}`), { recursive: true });
        writeFileSync(join(folder, `${index}`, name), made);
        return `./${index}/${name}`;
      });
  const tsc = join(process.cwd(), "node_modules/.bin/tsc");
  const strict = ["--strict", "--noUnusedLocals", "--noImplicitReturns", "--allowUnreachableCode", "false"];
  const types = [
    "--noEmit",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--types",
    "node",
    "--typeRoots",
    join(process.cwd(), "node_modules/@types"),
  ];

  // Most programs take one file at a time; those that start slowly get all at once.
  test.each([
    ["a.mjs", "node", ["--check"], "each", javascript.replace("exports.later", "export const later")],
    ["a.ts", tsc, [...types, ...strict], "all", typescript.replace("type Fn", "export type Fn")],
    ["a.py", "python3", ["-m", "py_compile"], "all", python],
    ["a.sh", "sh", ["-n"], "each", shell.replace("function half", "half()")],
    ["a.rs", "rustc", ["--crate-type=lib", "--emit=metadata", "-Dwarnings", "-Adead_code"], "each", rust],
    ["a.go", has("go") ? "go" : "/usr/lib/go/bin/go", ["vet"], "all", go],
    ["Cart.java", "javac", ["-d", "."], "each", java],
    ["a.c", "cc", ["-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-function"], "all", c],
  ])("%s", (name, program, args, how, text) => {
    if (!has(program)) return;
    const files = written(name, text);
    expect(files.length).toBeGreaterThan(1);
    const packages = name === "a.go" ? files.map((file) => dirname(file)).map((path) => `./${path}`) : files;
    if (how === "all") run(program, [...args, ...packages]);
    else for (const file of files) run(program, [...args, file]);
  });
});

test.each(["a.ts", "a.jsx", "a.py", "a.rs", "a.go", "a.sh", "a.java", "a.cpp"])(
  "%s: scrambled code is emptied without an error",
  (path) => {
    const words = [javascript, typescript, python, rust, go, shell, java].join("\n").split(/(?<=\W)|(?=\W)/);
    fc.assert(
      fc.property(fc.array(fc.nat(words.length - 1), { maxLength: 80 }), (picked) => {
        const text = picked.map((at) => words[at]).join("");
        for (const body of bodies(path, text)) {
          expect(body.from).toBeLessThanOrEqual(body.to);
          expect(emptied(path, text, body)).not.toBe(text);
        }
      }),
      { numRuns: 300 },
    );
  },
);
