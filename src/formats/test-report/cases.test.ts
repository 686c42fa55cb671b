import { describe, expect, test } from "vitest";
import { cargoCases, casesMax, readCases, readReport } from "./index.ts";

const shown = (text: string): string[] | null =>
  readCases(text)?.map(({ file, name, how }) => `${how} ${file ?? "?"} ${name}`) ?? null;

describe("JUnit XML", () => {
  test("a skipped test is skipped, regardless of its name", () => {
    const xml =
      '<testsuite><testcase name="a > b"><skipped/></testcase><testcase name=\'"c" &gt; &#100;\'/></testsuite>';
    expect(shown(xml)).toEqual(["skipped ? a > b", 'passed ? "c" > d']);
    expect(readReport(xml)).toMatchObject({ passed: 1, skipped: 1 });
  });

  test("the suite supplies what a test omits", () => {
    expect(
      shown(
        '<testsuites><testsuite name="outer" file="a.py"><testsuite name="s"><testcase name="t"/></testsuite><testcase classname="C" name="u" file="b.py"><error/></testcase></testsuite></testsuites>',
      ),
    ).toEqual(["passed a.py s > t", "failed b.py C > u"]);
  });

  test("output of tests may contain control characters", () => {
    expect(shown('<testsuite><testcase name="t"><failure>\u001b[31m\u0000no</failure></testcase></testsuite>')).toEqual(
      ["failed ? t"],
    );
  });

  test.each([
    ["cut in the middle", '<testsuite><testcase name="a"/><testcase name="b"'],
    ["an entity of its own", '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>'],
    [
      "entities that multiply",
      `<!DOCTYPE x [<!ENTITY a "aaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(9)}">`).join("")}]><testsuite>&a19;</testsuite>`,
    ],
    ["nesting without end", "<testsuite>".repeat(300_000) + "</testsuite>".repeat(300_000)],
    ["too many elements", `<testsuite>${"<a/>".repeat(2_100_000)}</testsuite>`],
    ["too many tests", `<testsuite>${'<testcase name="a"/>'.repeat(casesMax + 1)}</testsuite>`],
    ["another document", "<html><testsuite/></html>"],
  ])("%s is not a report", (_, text) => {
    expect(readCases(text)).toBeNull();
  });
});

describe("TAP", () => {
  test.each([
    ["the plan first", "1..2\nok 1 a\nnot ok 2 - b # c", ["passed ? a", "failed ? b"]],
    [
      "the plan last",
      "TAP version 13\nok 1 a\n# said\nok 2 b # SKIP later\n1..2\n# pass 1",
      ["passed ? a", "skipped ? b"],
    ],
    ["after what npm says", "\n> x@1.0.0 test\n> tape t.js\n\nTAP version 13\nok 1 a\n1..1\n", ["passed ? a"]],
    ["two streams", "1..1\nok 1 a\n1..1\nok 1 b\n", ["passed ? a", "passed ? b"]],
    [
      "tests inside tests",
      "TAP version 13\n# Subtest: outer\n    # Subtest: inner\n    ok 1 - inner\n    1..1\nok 1 - outer\n1..1",
      ["passed ? outer > inner", "passed ? outer"],
    ],
    ["a # in a name", "1..1\nok 1 - issue \\#12 # TODO", ["skipped ? issue #12"]],
  ])("%s is read", (_, text, is) => {
    expect(shown(text)).toEqual(is);
    expect(shown(text.replaceAll("\n", "\r\n"))).toEqual(is);
  });

  test.each([
    ["fewer points than planned", "1..3\nok 1 a\nok 2 b"],
    ["no plan", "TAP version 13\nok 1 a\nok 2 b"],
    ["a point that a test printed", "1..2\nok 1 a\nok 1 forged\nok 2 b"],
    ["something else before it", "building\nwarning: x\n1..1\nok 1 a"],
    ["nothing", ""],
  ])("%s is not a report", (_, text) => {
    expect(readCases(text)).toBeNull();
  });
});

describe("JSON", () => {
  test("of Jest, and a file that could not be loaded", () => {
    const report = {
      numTotalTests: 4,
      testResults: [
        {
          name: "/w/a.test.js",
          status: "failed",
          assertionResults: [
            {
              ancestorTitles: ["math", "in it"],
              fullName: "math in it adds",
              status: "passed",
              title: "adds",
              failing: false,
            },
            { ancestorTitles: ["math"], fullName: "math bad", status: "failed", title: "bad" },
            { ancestorTitles: [], fullName: "later", status: "todo", title: "later" },
            { ancestorTitles: [], fullName: "known", status: "passed", title: "known", failing: true },
          ],
        },
        { name: "/w/broken.test.js", status: "failed", assertionResults: [] },
      ],
    };
    expect(shown(JSON.stringify(report))).toEqual([
      "passed /w/a.test.js math > in it > adds",
      "failed /w/a.test.js math > bad",
      "skipped /w/a.test.js later",
      "skipped /w/a.test.js known",
      "failed /w/broken.test.js (file)",
    ]);
  });

  test("of Mocha, and a hook that failed", () => {
    const [adds, bad, later, hook] = ["adds", "bad", "later", '"before all" hook'].map((title) => ({
      ...{ title, fullTitle: `math ${title}`, file: "/w/a.js" },
    }));
    const report = { stats: {}, tests: [adds, bad, later], pending: [later], failures: [bad, hook], passes: [adds] };
    expect(shown(JSON.stringify(report))).toEqual([
      "passed /w/a.js math adds",
      "failed /w/a.js math bad",
      "skipped /w/a.js math later",
      'failed /w/a.js math "before all" hook',
    ]);
  });

  test("of Playwright, by project", () => {
    const spec = (title: string, status: string, expectedStatus = "passed") => ({
      ...{ title, file: "a.spec.js", tests: [{ expectedStatus, projectName: "one", status }] },
    });
    const report = {
      config: { rootDir: "/w/e2e" },
      suites: [
        {
          title: "a.spec.js",
          specs: [spec("top", "expected")],
          suites: [
            {
              title: "math",
              specs: [spec("bad", "unexpected"), spec("no", "skipped", "skipped"), spec("x", "expected", "failed")],
            },
          ],
        },
      ],
      errors: [{ message: "no", location: { file: "/w/e2e/c.spec.js" } }],
    };
    expect(shown(JSON.stringify(report))).toEqual([
      "passed /w/e2e/a.spec.js one > top",
      "failed /w/e2e/a.spec.js one > math > bad",
      "skipped /w/e2e/a.spec.js one > math > no",
      "skipped /w/e2e/a.spec.js one > math > x",
      "failed /w/e2e/c.spec.js (file)",
    ]);
  });

  test.each([
    "{}",
    '{"numTotalTests":1',
    "[]",
    '{"config":1,"suites":[{"specs":[null]}]}',
    '{"stats":1,"tests":[null],"failures":[],"pending":[]}',
  ])("%s names no test", (text) => {
    expect(readCases(text)?.filter(({ name }) => name !== "") ?? []).toEqual([]);
  });
});

describe("cargo test", () => {
  const output = `   Compiling my-thing v0.1.0 (/w)
     Running unittests src/lib.rs (target/debug/deps/my_thing-2add4cc0c533ef72)

running 4 tests
test tests::adds ... ok
test tests::ig ... ignored, later
test tests::bad ... FAILED
test tests::pan - should panic ... ok

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.08s

error: test failed, to rerun pass \`--lib\`
     Running tests/it.rs (target/debug/deps/it-e7ce39505f94967a)

running 1 test
test outer ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests my_thing

running 3 tests
test src/lib.rs - (line 2) ... ok
test src/lib.rs - add (line 13) - compile fail ... FAILED
test src/lib.rs - add (line 7) ... ok

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.21s
`;

  test("every test is named under its program, and a doc test by its item", () => {
    const read = cargoCases(output);
    expect(read?.whole).toBe(true);
    expect(read?.cases.map(({ file, name, how }) => `${how} ${file} ${name}`)).toEqual([
      "passed src/lib.rs my_thing > tests::adds",
      "skipped src/lib.rs my_thing > tests::ig",
      "failed src/lib.rs my_thing > tests::bad",
      "passed src/lib.rs my_thing > tests::pan",
      "passed tests/it.rs it > outer",
      "passed src/lib.rs my_thing > (document)",
      "passed src/lib.rs my_thing > add",
      "failed src/lib.rs my_thing > add",
    ]);
  });

  test("an overwritten line makes it incomplete", () => {
    expect(cargoCases(output.replace("test outer ... ok", "test outer ... noise\nok"))?.whole).toBe(false);
    expect(cargoCases("   Compiling x\nerror: could not compile")).toBeNull();
  });
});
