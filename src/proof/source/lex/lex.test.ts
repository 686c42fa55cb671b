// Lexers on text from real files, and on text that no file has.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of other languages.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../testing/cpu-time.ts";
import { sourceOf } from "./source.ts";

const shown = (path: string, text: string): string[] =>
  (sourceOf(path, text)?.tokens ?? []).map((token) => `${token.kind} ${token.text}`);
const has = (path: string, text: string, token: string): void => expect(shown(path, text)).toContain(token);

describe("JavaScript", () => {
  test.each([
    ["a regular expression after an operator", "const a = /[/\"']}/g;", "regex /[/\"']}/g"],
    ["a regular expression after a condition", "if (a) /'/.test(b);", "regex /'/"],
    ["a division after a call", "a = f(1) / 2; b = c / 'x';", "string 'x'"],
    ["a division after an object", "const a = {} / 2; '/'", "string '/'"],
    ["a regular expression after a block", "if (a) {}\n/'/.test(b)", "regex /'/"],
    ["a division after x!", "const a = b! / 2; const c = '/'", "string '/'"],
    ["a template in a template", "const a = `x${`y${1}'`}z`; '}'", "string '}'"],
    ["a brace in a substitution", "const a = `x${{ a: '}' }}y`;", "close }y`"],
    ["an escaped template", "const a = `\\`${1}`; 2", "number 2"],
    ["a private name", "class A { #b = 1 }", "word #b"],
    ["a property named like a keyword", "a.return / 2 / '3'", "string '3'"],
    ["a big integer", "const a = 1_000n;", "number 1_000n"],
  ])("reads %s", (_what, text, token) => has("a.ts", text, token));

  test.each([
    ["text with an apostrophe", "const a = <p>Don't {b + '}'} do</p>; 'c'", "string 'c'"],
    ["an element alone", "const a = <br/>; 'c'", "string 'c'"],
    ["a fragment", "const a = <><b c=\"it's\"/>it's</>; 'c'", "string 'c'"],
    ["an element as an attribute", "f(<A b={<i>'</i>} c='/'>'</A>); 'c'", "string 'c'"],
    ["a generic function, which is no element", "const f = <T,>(a: T) => 'c';", "string 'c'"],
    ["a comparison, which is no element", "if (a <b && c> d) 'c'", "string 'c'"],
  ])("reads JSX: %s", (_what, text, token) => has("a.tsx", text, token));
});

describe("other languages", () => {
  test.each([
    ["a.py", 'a = """it\'s\n"b" """; c = 1', 'string """it\'s\n"b" """'],
    ["a.py", "a = f'{b['c']}'; d = 1", "number 1"],
    ["a.py", "a = f'{{' + b; c = 1", "word b"],
    ["a.py", "a = rb'\\''; c = 1", "number 1"],
    ["a.py", "a = 'x # y' # z", "comment # z"],
    ["a.rs", "fn f<'a>(b: &'a str) -> char { '\\'' }", "string '\\''"],
    ["a.rs", 'let a = r#"b"c"#; d', 'string r#"b"c"#'],
    ["a.rs", "/* a /* b */ c */ d", "comment /* a /* b */ c */"],
    ["a.rs", "assert_eq!(a, 3); b!=c", "word assert_eq!"],
    ["a.rs", "for i in 0..10 {} let abc=5;", "number 10"],
    ["a.rs", "let abc=5;", "word abc"],
    ["a.go", "a := `b\"\\`; c := '\\''", 'string `b"\\`'],
    ["a.sh", 'a="$(b "c)" | d)" # e', 'string a="$(b "c)" | d)"'],
    ["a.sh", "cat <<'EOF' | b\nit's {\nEOF\necho c", "text it's {\nEOF\n"],
    ["a.sh", "cat <<-EOF\n\tx\n\tEOF\necho c", "text \tx\n\tEOF\n"],
    ["a.sh", "echo ${a#b} # c", "word ${a#b}"],
    ["a.sh", 'b=(1 2) && c "it\'s"', 'string "it\'s"'],
    ["a.kt", 'val a = "${b["c"]}"; d', 'string "${b["c"]}"'],
    ["a.swift", 'let a = "\\(b("c"))"; d', 'string "\\(b("c"))"'],
    ["a.cs", 'var a = @"b""c\\"; d', 'string @"b""c\\"'],
    ["a.cpp", 'auto a = R"x(b")")x"; d', 'string R"x(b")")x"'],
    ["a.java", 'var a = """\n "b" """; d', 'string """\n "b" """'],
    ["a.php", "$a = 'it\\'s'; # b", "comment # b"],
    ["a.php", "$a = <<<EOT\nit's\nEOT;\n$b", "word $b"],
    ["run", "#!/usr/bin/env python3\na = 1 # b", "comment # b"],
  ])("%s: %j has %s", has);
});

test.each(["notes.md", "a.json", "a.sql", "a.rb", "LICENSE"])("%s has no lexer", (path) => {
  expect(sourceOf(path, "a")).toBeNull();
});

test("does not read a text that is too large", () => {
  expect(sourceOf("a.js", "a".repeat((512 << 10) + 1))).toBeNull();
});

const pieces = fc.constantFrom(
  ..."'\"`/\\#${}()[]<>=*!?:;,.\n\t ab1".split(""),
  "${",
  "/*",
  "*/",
  "//",
  '"""',
  "<<E",
  'r#"',
  "\r\n",
  "é",
  "𝒳",
);
const paths = ["a.ts", "a.jsx", "a.py", "a.rs", "a.go", "a.sh", "a.kt", "a.php", "a.cs", "a.cpp"];

test.each(paths)("tokens of %s cover any text in order, and none is empty", (path) => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      let end = 0;
      for (const token of sourceOf(path, text)?.tokens ?? []) {
        expect(text.slice(end, token.from)).toMatch(/^(?:\s|\\\n|\\)*$/);
        expect(token.to).toBeGreaterThan(token.from);
        end = token.to;
      }
      expect(text.slice(end)).toMatch(/^(?:\s|\\\n)*$/);
    }),
    { numRuns: 300 },
  );
});

test.each(paths)("%s: long runs of brackets, quotes and slashes are read quickly", (path) => {
  for (const unit of ["(", "{[", "=/[", "'", '"\\', "`${", "<a ", "$(", "/*", "f'{", "r#", "<<E\n", ">>> "]) {
    const text = unit.repeat(Math.floor((128 << 10) / unit.length));
    const began = cpuMs();
    sourceOf(path, text);
    expect(cpuMs() - began).toBeLessThan(3000);
  }
});
