// Tests inside source files: found, cut out, and put back into other code.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasInnerTests, splice, withoutInnerTests } from "./splice.ts";
import { testModuleFiles } from "./test-modules.ts";

const rust = `//! Carts.
use std::fmt;

/// Adds.
///
/// \`\`\`
/// assert_eq!(cart::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
use std::collections::{BTreeMap, BTreeSet};

pub struct Cart { total: i32 }

impl Cart {
    pub fn total(&self) -> i32 { self.total }

    #[cfg(test)]
    fn raw(&self) -> String { format!("{{{}", self.total) }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3, "}}");
    }
}
`;

const vitest = `export const add = (a, b) => a + b;

if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it("adds }", () => expect(add(1, 2)).toBe(3));
}

export const later = 1;
`;

const python = `"""Numbers."""


def add(a, b):
    """Add two numbers.

    >>> add(1, 2)
    3
    >>> for i in range(2):
    ...     print(i)
    0
    1

    That is all.
    """
    return a + b


class Cart:
    def total(self):
        """>>> Cart().total()
        0
        """
        return 0
`;

const files = [
  ["src/lib.rs", rust],
  ["src/a.js", vitest],
  ["src/a.py", python],
] as const;

test.each([
  ["a.rs", "#[cfg(test)]\nmod tests;\n", true],
  ["a.rs", "#[cfg(not(test))]\nfn a() {}\n", false],
  ["a.rs", '#[cfg(any(test, feature = "x"))]\nfn a() {}\n', false],
  ["a.rs", "#[tokio::test]\nasync fn a() {}\n", true],
  ["a.rs", '#[cfg(feature = "test")]\nmod a {}\n', false],
  ["a.rs", "proptest! {\n  #[test]\n  fn a(b in 0..3) {}\n}\n", true],
  ["a.rs", '// #[cfg(test)]\nfn a() {}\nconst B: &str = "#[test] fn x() {}";\n', false],
  ["a.rs", "/// ```\n/// a();\n/// ```\nfn a() {}\n", true],
  ["a.rs", "/// Text.\nfn a() {}\n", false],
  ["a.ts", "if (import.meta.vitest !== undefined) { a() }", true],
  ["a.ts", "if (!import.meta.vitest) { a() }", false],
  ["a.ts", "if (import.meta.vitest) { a() } else { b() }", false],
  ["a.ts", "if (import.meta.vitest || b) { a() }", false],
  ["a.ts", "const a = 'if (import.meta.vitest) { }'", false],
  ["a.py", 'def f():\n    """>>> f()"""\n', true],
  ["a.py", 'x = """\n>>> f()\n"""\n', false],
  ["a.py", 'def f():\n    """Text."""\n', false],
  ["a_test.go", "func TestA(t *testing.T) {}", false],
  ["a.json", "{}", false],
])("%s: whether %j holds tests is %s", (path, text, expected) => {
  expect(hasInnerTests(path, text)).toBe(expected);
});

describe.each(files)("%s", (path, text) => {
  test("loses only its tests", () => {
    const code = withoutInnerTests(path, text);
    expect(code).not.toMatch(/assert_eq|expect\(|>>>|BTreeMap|fn raw/);
    expect(hasInnerTests(path, code)).toBe(false);
    const kept = text.split("\n").filter((line) => /pub|export|return|Add|That is all/.test(line));
    for (const line of kept) expect(code).toContain(line.trim());
  });

  test("is restored when its own tests are put back", () => {
    expect(splice(path, withoutInnerTests(path, text), text)).toBe(text);
    expect(splice(path, text, text)).toBe(text);
  });
});

describe("the tests of one text in the code of another", () => {
  test("Rust: items go between the same lines, into the same block, or to the end", () => {
    const product = `${rust.replace("a + b", "b + a").replace("    pub fn total(", "    pub fn new() -> Cart { Cart { total: 0 } }\n\n    pub fn total(")}`;
    const weakened = product
      .replace("assert_eq!(add(1, 2), 3", "assert!(true")
      .replace('format!("{{{}", self.total)', "String::new()");
    expect(splice("src/lib.rs", weakened, rust)).toBe(product);
  });

  test("Rust: an example goes to the function that it documents, wherever that is now", () => {
    const moved = "pub fn first() {}\n\n/// Sums up.\npub fn add(a: i32, b: i32) -> i32 {\n    b + a\n}\n";
    const spliced = splice("src/lib.rs", moved, rust);
    expect(spliced).toContain("/// assert_eq!(cart::add(1, 2), 3);\n/// ```\npub fn add(");
    expect(spliced.trimEnd().endsWith("}")).toBe(true);
    expect(spliced).toContain("fn adds()");
  });

  test("Rust: an example returns to a function that lost its documentation", () => {
    expect(splice("src/lib.rs", "#[inline]\npub fn add(a: i32, b: i32) -> i32 { a + b }\n", rust)).toContain(
      "/// ```\n#[inline]\npub fn add(",
    );
  });

  test("Vitest: a block that the product dropped comes back, and a new one is gone", () => {
    const product =
      "export const add = (a, b) => b + a;\nif (import.meta.vitest) {\n  patch();\n}\nexport const more = 2;\n";
    const spliced = splice("src/a.js", product, vitest);
    expect(spliced).toContain('it("adds }"');
    expect(spliced).not.toContain("patch");
    expect(spliced).toContain("export const more = 2;");
  });

  test("Python: examples come back with their docstring, and new ones are gone", () => {
    const product = python
      .replace("    >>> add(1, 2)\n    3\n", "    >>> add(1, 2)\n    4\n")
      .replace("return a + b", "return b + a")
      .concat('\n\ndef more():\n    """More.\n\n    >>> more()\n    """\n');
    const spliced = splice("src/a.py", product, python);
    expect(spliced).toContain("    3\n");
    expect(spliced).toContain("return b + a");
    expect(spliced).toContain("def more():");
    expect(spliced).not.toContain(">>> more()");
  });

  test("Python: a function without a docstring gets it back", () => {
    const spliced = splice("src/a.py", "def add(a, b):\n    return b + a\n", python);
    expect(spliced.startsWith('def add(a, b):\n    """Add two numbers.')).toBe(true);
    expect(spliced).toContain('    """\n    return b + a\n');
  });

  test("tests put into changed Rust code compile and run", { timeout: 60_000 }, ({ skip }) => {
    if (spawnSync("rustc", ["--version"]).status !== 0) skip("rustc is not installed for this user.");
    const folder = mkdtempSync(join(tmpdir(), "splice-"));
    try {
      const product = rust
        .replace("a + b", "b + a")
        .replace("use std::fmt;\n", "")
        .replace("impl Cart", "pub fn one() -> i32 { 1 }\n\nimpl Cart");
      const file = join(folder, "lib.rs");
      writeFileSync(file, splice("src/lib.rs", withoutInnerTests("src/lib.rs", product), rust));
      execFileSync("rustc", ["--test", "-A", "warnings", "-o", join(folder, "t"), file], { stdio: "pipe" });
      expect(String(execFileSync(join(folder, "t")))).toContain("test tests::adds ... ok");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.each(files)("%s with lines lost, doubled or swapped: no test is lost, and the round trip holds", (path, text) => {
  const lines = text.split("\n");
  fc.assert(
    fc.property(fc.array(fc.nat(lines.length - 1), { maxLength: 40 }), (picked) => {
      const other = picked.map((at) => lines[at]).join("\n");
      const code = withoutInnerTests(path, other);
      expect(splice(path, code, other)).toBe(other);
      expect(splice(path, other, other)).toBe(other);
      if (path.endsWith(".js")) expect(splice(path, other, vitest)).toContain('it("adds }"');
      if (path.endsWith(".rs")) expect(splice(path, other, rust)).toContain("fn adds()");
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["src/lib.rs", ["src/help.rs", "src/help/mod.rs"]],
  ["src/cart.rs", ["src/cart/help.rs", "src/cart/help/mod.rs"]],
  ["src/cart/mod.rs", ["src/cart/help.rs", "src/cart/help/mod.rs"]],
])("a module that %s declares for tests is looked for in %j", (path, expected) => {
  expect(testModuleFiles(path, "mod a;\n#[cfg(test)]\nmod help;\n#[cfg(test)]\nmod tests { mod b {} }\n")).toEqual(
    expected,
  );
});
