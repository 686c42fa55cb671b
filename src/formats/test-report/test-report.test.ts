import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTests, readReport } from "./index.ts";

type Case = { runner: string; text: string; is: [passed: number, failed: number, skipped: number] };

const printed: Case[] = [
  {
    runner: "node --test as TAP, with a subtest",
    text: "TAP version 13\n# Subtest: adds\nok 1 - adds\n  ---\n  duration_ms: 1.7\n  ...\nok 2 - later # TODO\nok 3 - no # SKIP\nnot ok 4 - bad\n    ok 1 - child\n    1..1\nok 5 - parent\n1..5\n# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 1\n# duration_ms 168.3",
    is: [3, 1, 2],
  },
  {
    runner: "node --test for people",
    text: "✔ adds (2.07ms)\n﹣ skipped (0.2ms) # SKIP\n✖ bad (1.2ms)\n▶ parent\n  ✔ child (0.1ms)\n✔ parent (0.5ms)\nℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 231\n\n✖ failing tests:\n\n✖ bad (1.2ms)",
    is: [3, 1, 1],
  },
  {
    runner: "two node --test runs",
    text: "# tests 1\n# pass 1\n# fail 0\n# tests 2\n# pass 1\n# fail 1",
    is: [2, 1, 0],
  },
  { runner: "TAP of another producer", text: "1..3\nok 1 a\nnot ok 2 b\nok 3 c # skip no tty", is: [1, 1, 1] },
  { runner: "pytest -q", text: "..s\n1 failed, 1 passed, 1 skipped, 1 xfailed in 1.33s", is: [1, 1, 2] },
  { runner: "pytest", text: "====== 1 failed, 3 passed, 2 warnings in 0.81s ======", is: [3, 1, 0] },
  { runner: "pytest over an hour", text: "=== 2 passed in 3700.1s (1:01:40) ===", is: [2, 0, 0] },
  { runner: "pytest with an error", text: "=== 1 error in 0.12s ===", is: [0, 1, 0] },
  { runner: "pytest without tests", text: "collected 0 items\n\n=== no tests ran in 0.01s ===", is: [0, 0, 0] },
  { runner: "unittest", text: "Ran 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1)", is: [2, 1, 1] },
  { runner: "unittest, all well", text: "Ran 1 test in 0.001s\n\nOK", is: [1, 0, 0] },
  {
    runner: "go test -v",
    text: "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n--- FAIL: TestC (0.01s)\n    --- PASS: TestD/x (0.00s)\nFAIL",
    is: [2, 1, 1],
  },
  {
    runner: "go test -json",
    text: '{"Time":"2026-01-01T00:00:00Z","Action":"run","Package":"a","Test":"TestA"}\n{"Action":"output","Package":"a","Test":"TestA","Output":"--- PASS: TestA (0.00s)\\n"}\n{"Action":"pass","Package":"a","Test":"TestA","Elapsed":0}\n{"Action":"fail","Package":"a","Test":"TestB"}\n{"Action":"fail","Package":"a"}',
    is: [1, 1, 0],
  },
  {
    runner: "cargo test, two crates",
    text: "running 2 tests\ntest tests::adds ... ok\ntest tests::later ... ignored\n\ntest result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\ntest other ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    is: [1, 1, 1],
  },
  {
    runner: "vitest",
    text: " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed | 1 skipped (5)",
    is: [3, 1, 1],
  },
  {
    runner: "vitest in colour",
    text: "\u001b[2m      Tests \u001b[22m \u001b[32m3 passed\u001b[39m\u001b[90m (3)\u001b[39m",
    is: [3, 0, 0],
  },
  { runner: "vitest without tests", text: "No test files found, exiting with code 0", is: [0, 0, 0] },
  {
    runner: "jest",
    text: "Test Suites: 1 passed, 1 total\nTests:       1 skipped, 1 todo, 3 passed, 5 total",
    is: [3, 0, 2],
  },
  { runner: "jest without tests", text: "No tests found, exiting with code 0", is: [0, 0, 0] },
  { runner: "mocha", text: "  3 passing (12ms)\n  1 pending\n  2 failing\n", is: [3, 2, 1] },
  { runner: "ava", text: "  3 tests passed\n  1 test failed", is: [3, 1, 0] },
  { runner: "bun", text: " 3 pass\n 1 skip\n 0 fail\nRan 4 tests across 1 file.", is: [3, 0, 1] },
  { runner: "deno", text: "ok | 3 passed | 0 failed | 1 ignored (10ms)", is: [3, 0, 0] },
  {
    runner: "dotnet",
    text: "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 5 ms",
    is: [3, 0, 1],
  },
  {
    runner: "maven, per class and all",
    text: "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in a.B\n[INFO] Results:\n[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1",
    is: [2, 2, 1],
  },
  { runner: "rspec", text: "4 examples, 1 failure, 1 pending", is: [2, 1, 1] },
  { runner: "minitest", text: "3 runs, 5 assertions, 1 failures, 0 errors, 1 skips", is: [1, 1, 1] },
  { runner: "bats", text: "3 tests, 1 failure, 1 skipped", is: [1, 1, 1] },
  { runner: "phpunit, all well", text: "OK (3 tests, 4 assertions)", is: [3, 0, 0] },
  { runner: "phpunit", text: "Tests: 5, Assertions: 6, Failures: 1, Skipped: 2.", is: [2, 1, 2] },
  { runner: "two runners in one check", text: "# tests 2\n# pass 2\n# fail 0\n3 passed in 0.10s", is: [5, 0, 0] },
  {
    runner: "jest --json",
    text: '{"numTotalTests":3,"testResults":[{"name":"a","status":"failed","assertionResults":[{"fullName":"a b","status":"passed"},{"title":"c","status":"pending"}]},{"name":"broken.js","status":"failed","assertionResults":[]}]}\nTests:       1 passed, 1 total',
    is: [1, 1, 1],
  },
];

const numbers = (text: string, read = countTests) => {
  const counts = read(text);
  return counts === null ? null : [counts.passed, counts.failed, counts.skipped];
};

describe("the output of a check", () => {
  test.each(printed)("$runner is counted", ({ text, is }) => {
    expect(numbers(text)).toEqual(is);
    expect(numbers(text.replaceAll("\n", "\r\n"))).toEqual(is);
    expect(countTests(text)?.total).toBe(is[0] + is[1] + is[2]);
  });

  test.each(["", "all good\n", "done in 3s", "3 files passed the linter", "ok  \tpkg\t0.003s", "OK", "1 ok 2 ok"])(
    "%j is not a report",
    (text) => {
      expect(countTests(text)).toBeNull();
    },
  );

  test("names are known if the runner gives all of them", () => {
    expect(countTests(printed[1]?.text ?? "")?.names).toEqual({
      adds: "passed",
      skipped: "skipped",
      bad: "failed",
      child: "passed",
      parent: "passed",
    });
    expect(
      countTests("t.py::test_a PASSED [ 50%]\nt.py::test_b SKIPPED (no) [100%]\n=== 1 passed, 1 skipped in 0.1s ===")
        ?.names,
    ).toEqual({
      "t.py::test_a": "passed",
      "t.py::test_b": "skipped",
    });
    expect(countTests("..\n2 passed in 0.1s")?.names).toBeNull();
  });

  test("two tests with one name are two", () => {
    expect(countTests("1..2\nok 1 - same\nnot ok 2 - same")?.names).toEqual({ same: "passed", "same (2)": "failed" });
  });

  test("for any output, reading it terminates and the totals are numbers", () => {
    const words = fc.constantFrom(
      "ok ",
      "not ok ",
      "# tests ",
      "1..",
      "9999999999",
      " passed",
      "=",
      "\n",
      '{"num',
      "<testcase",
      "--- PASS: ",
      "✔ ",
      "(1ms)",
      " in 1s",
      "Tests: ",
      "\u001b[31m",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string())), (parts) => {
        for (const read of [countTests, readReport]) {
          const counts = read(parts.join(""));
          if (counts !== null) expect(Number.isSafeInteger(counts.total)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ["one endless line", "a".repeat(20_000_000)],
    ["many lines that begin like a report", "1 a, ".repeat(300) + "\n1 passed, ".repeat(200_000)],
    ["tags that never end", `<testsuite>${"<testcase ".repeat(200_000)}`],
  ])("%s is read in linear time", (_, text) => {
    countTests(text);
    readReport(text);
  });
});

describe("a report file", () => {
  test("JUnit XML is counted, for any text in it", () => {
    const xml = `<?xml version="1.0"?><testsuites><testsuite name="s">
      <testcase classname="a" name="one" time="0.1"/>
      <testcase classname="a" name="two"><failure message="x"><![CDATA[<testcase name="not one"/>]]></failure></testcase>
      <testcase name="three"><skipped/></testcase><!-- <testcase name="nor this"/> -->
      <testcase name="four"><error/></testcase><testcase name="five" status="notrun"/>
    </testsuite></testsuites>`;
    expect(numbers(xml, readReport)).toEqual([1, 2, 2]);
    expect(readReport(xml)?.names).toEqual({
      "a > one": "passed",
      "a > two": "failed",
      "s > three": "skipped",
      "s > four": "failed",
      "s > five": "skipped",
    });
  });

  test("an empty suite has no tests, and other XML is not a report", () => {
    expect(numbers('<testsuites tests="0"></testsuites>', readReport)).toEqual([0, 0, 0]);
    expect(readReport("<html><body>ok</body></html>")).toBeNull();
    expect(readReport('{"tests": 3}')).toBeNull();
  });

  test("a runner's own output is one, too", () => {
    expect(numbers("1..1\nok 1 a\n", readReport)).toEqual([1, 0, 0]);
  });
});

test.each([
  { what: "node --test", text: "# tests 2\n# pass 2\n", is: 1 },
  { what: "node --test, and what its code printed", text: "# tests 9\n# pass 9\n# tests 2\n# pass 2\n", is: 2 },
  { what: "pytest", text: "..\n2 passed in 0.01s\n", is: 1 },
  { what: "pytest, and what came after it", text: "2 passed in 0.01s\n9 passed in 0.01s\n", is: 2 },
  { what: "both", text: "2 passed in 0.01s\n# tests 2\n# pass 2\n", is: 2 },
  {
    what: "cargo, which reports for every crate",
    text: "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
    is: undefined,
  },
])("$what: $is reports", ({ text, is }) => {
  expect(countTests(text)?.reports).toBe(is);
});
