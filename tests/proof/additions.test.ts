// Adding to a test, and changing a file that is sealed in part: the edges of both.
import { describe, expect, test } from "vitest";
import { isWelcome, steers } from "../../src/runtime/proof/additive.ts";
import { changedParts, isMixed } from "../../src/runtime/proof/sealed-parts.ts";

describe("an addition", () => {
  const old = "one(1)\ntwo(2)\nthree(3)";
  test.each<{ what: string; before?: string; after: string; is: boolean }>([
    { what: "nothing", after: old, is: true },
    { what: "a line before", after: `zero\n${old}`, is: true },
    { what: "a line within", after: "one(1)\nmore()\ntwo(2)\nthree(3)", is: true },
    { what: "a line after", after: `${old}\nmore()`, is: true },
    { what: "blank lines and blanks at line ends", after: "one(1)  \n\ntwo(2)\t\nthree(3)\n\n", is: true },
    { what: "commas at line ends", after: "one(1),\ntwo(2) ,\nthree(3)", is: true },
    { what: "the last line gone", after: "one(1)\ntwo(2)", is: false },
    { what: "the first line gone", after: "two(2)\nthree(3)", is: false },
    { what: "blank lines at the end gone", before: `${old}\n\n`, after: old, is: true },
    { what: "the order changed", after: "two(2)\none(1)\nthree(3)", is: false },
    { what: "a word at the beginning of a line", after: old.replace("two", " two"), is: false },
    { what: "everything from nothing", before: "", after: "one\ntwo", is: true },
  ])("$what: $is", ({ before = old, after, is }) => {
    expect(isWelcome(before, after)).toBe(is);
  });

  const within = (...lines: string[]): boolean => isWelcome(old, ["one(1)", ...lines, "two(2)", "three(3)"].join("\n"));
  test.each<[string[], boolean]>([
    [["if (x) {", "  return;", "}"], true],
    [["  if (x) {", "    throw y;", "  }"], true],
    [["return;"], false],
    [["  a();", "  return;"], false],
    [["  return;", "    a();"], false],
    [["    a();", "  break;"], false],
    [["", "raise X"], false],
    [["returned();"], true],
    [["{"], false],
    [["}"], false],
    [["("], false],
    [["["], false],
    [["/*"], false],
    [["<!--"], false],
    [["/* all */ <!-- all --> ([{}])"], true],
    [['"""'], false],
    [["'''"], false],
    [["`"], false],
    [['"""a"""', "`b`"], true],
    [['say("(")', "say('{')", "say(`[`)"], true],
    [['say("\\"(")'], true],
    [["a(); // ( {", "b() # ["], true],
    [['"open (', 'close)"'], true],
    [["'('", "x('"], false],
  ])("of %j between old lines: %s", (lines, is) => {
    expect(within(...lines)).toBe(is);
  });

  test("at the end may leave early and need not be balanced, and may not steer", () => {
    expect([
      isWelcome(old, `${old}\nreturn;`),
      isWelcome(old, `${old}\n{`),
      isWelcome(`${old}\n`, `${old}\nreturn;\n`),
    ]).toEqual([true, true, true]);
    expect([isWelcome(old, `${old}\nprocess.exit(0)`), isWelcome(`${old}\n`, `${old}\nit.only("x")\n`)]).toEqual([
      false,
      false,
    ]);
  });

  test("in two places is looked at in both", () => {
    const both = (one: string, other: string) => isWelcome(old, `one(1)\n${one}\ntwo(2)\n${other}\nthree(3)`);
    expect([both("a()", "b()"), both("return", "b()"), both("a()", "return"), both("{", "}")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

test.each([
  "it.only(1)",
  "describe.skip(1)",
  "t.todo(1)",
  "xit(1)",
  "fdescribe (1)",
  "pytest.mark.xfail",
  "pytest.skip(1)",
  "@unittest.skip",
  "raise SkipTest",
  "t.Skip()",
  "#[ignore]",
  "@Disabled",
  "pending (1)",
  "markTestSkipped",
  "[Ignore]",
  'Skip = "x"',
  "process.exitCode = 0",
  "os._exit(0)",
  "sys.exit()",
  "os.Exit(0)",
  "std::process::exit(0)",
  "System.exit(0)",
  "func TestMain(m)",
  "def pytest_collection_modifyitems(x)",
  "collect_ignore = []",
  "vitest --passWithNoTests",
  "exit 0",
  "jest.retryTimes(3)",
  "skip: true",
  'only: "x"',
])("%s steers", (text) => {
  expect([steers(text), steers("it(1); test(2); exit 1; skip: false")]).toEqual([true, false]);
});

describe("package.json", () => {
  const parts = (before: unknown, after: unknown): readonly string[] | null =>
    changedParts("package.json", JSON.stringify(before), JSON.stringify(after))?.parts ?? null;
  const scripts = (lines: unknown) => ({ scripts: lines });

  test.each<{ what: string; before: unknown; after: unknown; is: string[] | null }>([
    { what: "scripts that are the same", before: scripts({ a: "1" }), after: scripts({ a: "1" }), is: null },
    {
      what: "a changed script and a lost one",
      before: scripts({ a: "1", b: "1" }),
      after: scripts({ a: "2" }),
      is: ["scripts.a", "scripts.b"],
    },
    { what: "the first scripts of all", before: {}, after: scripts({ a: "1" }), is: null },
    { what: "all scripts gone", before: scripts({ a: "1" }), after: {}, is: ["scripts.a"] },
    { what: "scripts that are none any more", before: scripts({ a: "1" }), after: scripts([1]), is: ["scripts"] },
    { what: "scripts that are a word", before: scripts("x"), after: scripts({ a: "1" }), is: ["scripts"] },
    {
      what: "a hook of an install",
      before: scripts({}),
      after: scripts({ postinstall: "x", prepare: "y" }),
      is: ["scripts.postinstall", "scripts.prepare"],
    },
    {
      what: "a hook after a script",
      before: scripts({ a: "1" }),
      after: scripts({ a: "1", posta: "x" }),
      is: ["scripts.posta"],
    },
    {
      what: "what only sounds like a hook",
      before: scripts({ a: "1" }),
      after: scripts({ a: "1", preb: "x", apre: "y", prepared: "z" }),
      is: null,
    },
    { what: "settings of a runner", before: { jest: { a: 1 } }, after: { jest: { a: 2 } }, is: ["jest"] },
    { what: "settings gone", before: { nyc: 1 }, after: {}, is: ["nyc"] },
    { what: "what is none of it", before: { jestX: 1, name: "a" }, after: { jestX: 2, name: "b" }, is: null },
    {
      what: "a list where an object was",
      before: { a: 1 },
      after: [1],
      is: ["the whole file, which cannot be read any more"],
    },
    { what: "an object where a list was", before: [1], after: scripts({ a: "1" }), is: null },
  ])("with $what: $is", ({ before, after, is }) => {
    expect(parts(before, after)).toEqual(is);
  });

  test("has its sealed keys as they were, and the others as they are", () => {
    const before = { scripts: { test: "a" }, jest: { x: 1 }, name: "old" };
    const after = { scripts: { test: "b" }, vitest: {}, name: "new" };
    const found = changedParts("sub/package.json", JSON.stringify(before), JSON.stringify(after));
    expect(found?.laid).toBe(`${JSON.stringify({ scripts: { test: "a" }, name: "new", jest: { x: 1 } }, null, 2)}\n`);
  });
});

describe("a TOML file", () => {
  const parts = (before: string, after: string, path = "pyproject.toml") => changedParts(path, before, after);
  const pytest = (line: string): string => `[tool.pytest.ini_options]\n${line}\n`;

  test.each<{ what: string; before: string; after: string; is: string[] | null }>([
    { what: "another setting", before: pytest("a = 1"), after: pytest("a = 2"), is: ["[tool.pytest.ini_options]"] },
    { what: "blank lines and blanks", before: pytest("a = 1"), after: pytest("\na = 1  \n\n"), is: null },
    {
      what: "a section that comes in",
      before: "[project]\n",
      after: `[project]\n${pytest("a = 1")}`,
      is: ["[tool.pytest.ini_options]"],
    },
    { what: "a section that goes", before: pytest("a = 1"), after: "[project]\n", is: ["[tool.pytest.ini_options]"] },
    {
      what: "a heading with a comment and quotes",
      before: pytest("a = 1"),
      after: '[ "tool".pytest.ini_options ] # x\na = 2\n',
      is: ["[tool.pytest.ini_options]"],
    },
    {
      what: "another section",
      before: `x = 1\n${pytest("a = 1")}[tool.black]\nb = 1\n`,
      after: `x = 2\n${pytest("a = 1")}[tool.black]\nb = 2\n`,
      is: null,
    },
  ])("with $what: $is", ({ before, after, is }) => {
    expect(parts(before, after)?.parts ?? null).toEqual(is);
  });

  test("has its sealed sections as they were, after the others as they are", () => {
    const found = parts(
      `x = 1\n\n\n${pytest("a = 1")}\n[project]\nn = 1\n`,
      `x = 2\n[project]\nn = 2\n${pytest("a = 2")}`,
    );
    expect(found?.laid).toBe("x = 2\n\n[project]\nn = 2\n\n[tool.pytest.ini_options]\na = 1\n");
  });
});

test("only files that are read in part are, in whatever folder", () => {
  expect(
    ["package.json", "a/b/pyproject.toml", "xpackage.json", "package.json/x", "tsconfig.json"].map(isMixed),
  ).toEqual([true, true, false, false, false]);
  expect(changedParts("tsconfig.json", "{}", "{")).toBeNull();
});
