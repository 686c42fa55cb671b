// What is held against a change or a verdict: must-nots as people write them, evidence as evaluators name it, hollow tests.
import { describe, expect, test } from "vitest";
import type { Counts, TestEnd } from "../../src/formats/test-report/counts.ts";
import { lookUp } from "../../src/runtime/proof/found-again.ts";
import { hollowCauses } from "../../src/runtime/proof/hollow.ts";
import { mustNotCauses, untestable } from "../../src/runtime/proof/must-not.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { judged } from "./scripted.ts";
import { check, tree, workspace } from "./trees.ts";

const changed = (path: string, kind: Change["kind"] = "modified", binary = false): Change => ({
  path,
  kind,
  binary,
  lines: 1,
});

describe("a must-not", () => {
  const facts = {
    changes: [
      changed("a.txt", "added"),
      changed("old.txt", "deleted"),
      changed("new.bin", "added", true),
      changed("gone.bin", "deleted", true),
      changed("src/legacy/deep/x.js"),
      changed("docs"),
      changed(".env"),
      changed("Makefile"),
      changed("a.json"),
    ],
    lines: [
      { path: "x.js", line: 4, text: "// TODO: later" },
      { path: "y.js", line: 5, text: "// FIXME" },
      { path: "z.js", line: 6, text: "debugger; foo(bar)" },
    ],
    dependencies: [
      { path: "package.json", name: "x" },
      { path: "go.mod", name: "y" },
    ],
  };
  const told = (text: string): string | null => {
    const [cause] = mustNotCauses([text], facts);
    return cause?.text.split("\n")[1] ?? null;
  };

  test.each([
    ["No new dependency!", "x in package.json, y in go.mod"],
    ["  It   must not\tadd a new dependency.. ", "x in package.json, y in go.mod"],
    ["no third-party libraries", "x in package.json, y in go.mod"],
    ["no new files", "a.txt, new.bin"],
    ["files are created", "a.txt, new.bin"],
    ["remove existing files", "old.txt, gone.bin"],
    ["no deleted files", "old.txt, gone.bin"],
    ["no binaries", "new.bin"],
    ["commit any binary blobs", "new.bin"],
    ["touch .env", ".env"],
    ["change Makefile", "Makefile"],
    ["edit the file a.json", "a.json"],
    ["edit `a.json` file", "a.json"],
    ["edit ./a.json", "a.json"],
    ["edit the docs folder", "docs"],
    ["edit the 'src/legacy/' directory", "src/legacy/deep/x.js"],
    ["change anything below src/legacy/", "src/legacy/deep/x.js"],
    ["edit a.json, or .env", ".env, a.json"],
    ["edit a.json or old.txt and .env", "old.txt, .env, a.json"],
    ["no TODOs left", "x.js:4"],
    ["add any fixme", "y.js:5"],
    ["no Fixmes", "y.js:5"],
    ["no Debugger", "z.js:6"],
    ["leave debugger statements", "z.js:6"],
    ['use "foo(bar)"', "z.js:6"],
  ])("%s: %s", (text, says) => {
    expect(told(text)).toBe(says);
    expect(untestable([text])).toEqual([]);
  });

  test.each(["edit behaviour", "edit a.json and the behaviour", "use `x`", "no new friends", "delete", "fileset"])(
    "%s is for the evaluator",
    (text) => {
      expect([told(text), untestable([text])]).toEqual([null, [text]]);
    },
  );

  test("that holds is not told, and each that became true is, by its own words", () => {
    const nothing = { changes: [], lines: [], dependencies: [] };
    expect(mustNotCauses(["no new files", "no TODOs"], nothing)).toEqual([]);
    expect(mustNotCauses(["no new files", "x", "no TODOs"], facts).map(({ key }) => key)).toEqual([
      "must-not:no new files",
      "must-not:no TODOs",
    ]);
  });
});

describe("evidence that an evaluator names", () => {
  const lookup = {
    workspace,
    candidate: tree({ "src/a.js": "one\ntwo\nthree", "sub/verify/b.js": "x" }),
    base: tree({ "src/a.js": "one", "src/gone.js": "x" }),
    checks: [
      check({ run: "npm test" }),
      check({ name: "lint", run: "eslint ." }),
      check({ name: "unrun", run: "make" }),
    ],
    seen: [
      { name: "test", command: "npm test", on: "before" as const, how: "failed", exitCode: 1, output: "" },
      { name: "test", command: "npm test", on: "candidate" as const, how: "green", exitCode: 0, output: "" },
      { name: "test", command: "npm test", on: "sealed" as const, how: "green", exitCode: 0, output: "" },
      { name: "lint", command: "eslint .", on: "candidate" as const, how: "green", exitCode: 0, output: "" },
      { name: "lint", command: "eslint .", on: "sealed" as const, how: "failed", exitCode: 1, output: "" },
    ],
  };
  test.each<[Parameters<typeof lookUp>[0], string, string]>([
    [{ command: "npm test" }, "found", "npm test (the loop saw it green)"],
    [{ command: " $ npm   test\n" }, "found", "$ npm test (the loop saw it green)"],
    [{ command: "eslint ." }, "false", "eslint . (the loop saw it failed)"],
    [{ command: "make" }, "unverified", "make (the loop did not run it)"],
    [{ command: "x".repeat(200) }, "unverified", `${"x".repeat(160)} (not a check of the contract: not run again)`],
    [{ file: "src/a.js", line: 3 }, "found", "src/a.js:3 (found)"],
    [{ file: "src/a.js", line: 4 }, "false", "src/a.js:4 (the file has 3 lines)"],
    [{ file: "src/a.js", line: null }, "found", "src/a.js (found)"],
    [{ file: "src/a.js:2:7", line: null }, "found", "src/a.js:2 (found)"],
    [{ file: "src/a.js:9", line: 1 }, "found", "src/a.js:1 (found)"],
    [{ file: "././src/a.js", line: 1 }, "found", "././src/a.js:1 (found)"],
    [{ file: "/tmp/x/verify/src/a.js", line: 1 }, "found", "/tmp/x/verify/src/a.js:1 (found)"],
    [{ file: "/tmp/src/a.js", line: 1 }, "unverified", "/tmp/src/a.js:1 (not part of the change)"],
    [{ file: "verify/src/a.js", line: 1 }, "false", "verify/src/a.js:1 (there is no such file)"],
    [{ file: "src/gone.js", line: 1 }, "found", "src/gone.js:1 (deleted by the change)"],
    [{ file: "src/never.js", line: 1 }, "false", "src/never.js:1 (there is no such file)"],
    [{ file: "~/x.js", line: 1 }, "unverified", "~/x.js:1 (not part of the change)"],
    [{ file: "dist/a.js", line: null }, "unverified", "dist/a.js (not part of the change)"],
    [{ file: "distant/a.js", line: null }, "false", "distant/a.js (there is no such file)"],
    [{ note: " trust\n me " }, "unverified", "trust me (words only)"],
  ])("%j is %s: %s", async (evidence, is, text) => {
    const found = await lookUp(evidence, lookup);
    expect([found.is, found.text]).toEqual([is, text]);
  });
});

describe("a test file that is counted as one test", () => {
  const counts = (names: Record<string, TestEnd> | null): Counts => ({
    passed: 1,
    failed: 0,
    skipped: 0,
    total: 1,
    names,
  });
  const candidate = tree({
    "test/a.test.js": '  test("adds", f);',
    "test/b.test.js": "await it.each(x)(1);\n",
    "c.js": "t.test(1)",
  });
  const look = (
    now: Record<string, TestEnd> | null,
    before: Record<string, TestEnd> | null = {},
    how: "green" | "red" = "green",
  ) =>
    hollowCauses(workspace, candidate, [judged(check(), how, { counts: counts(now) })], {
      test: { green: true, counts: counts(before) },
    });

  test("and declares tests has run none of them", async () => {
    expect(await look({ "test/a.test.js": "passed", "/x/test/b.test.js": "passed", adds: "passed" })).toEqual([
      {
        kind: "tampering",
        key: "counts:test:hollow",
        text: "test ended well, and a test file ran none of its tests: test/a.test.js, test/b.test.js",
      },
    ]);
    expect(await look({ "c.js": "passed" })).toHaveLength(1);
  });

  test.each<{ what: string; found: () => Promise<unknown[]> }>([
    { what: "the check is red", found: () => look({ "test/a.test.js": "passed" }, {}, "red") },
    { what: "nothing has a name", found: () => look(null) },
    { what: "it failed", found: () => look({ "test/a.test.js": "failed" }) },
    {
      what: "it passed so before",
      found: () => look({ "test/a.test.js": "passed" }, { "/y/test/a.test.js": "passed" }),
    },
    { what: "there is no such file", found: () => look({ "test/none.test.js": "passed", "st/a.test.js": "passed" }) },
    { what: "it is a title with words", found: () => look({ "see test/a.test.js": "passed" }) },
    { what: "it is a title without an ending", found: () => look({ "test/a": "passed" }) },
  ])("is nothing where $what", async ({ found }) => {
    expect(await found()).toEqual([]);
  });

  test("is told where it was never seen before, or seen by another name", async () => {
    expect(await look({ "test/a.test.js": "passed" }, null)).toHaveLength(1);
    expect(await look({ "test/a.test.js": "passed" }, { "test/z.test.js": "passed" })).toHaveLength(1);
    const never = hollowCauses(
      workspace,
      candidate,
      [judged(check(), "green", { counts: counts({ "test/a.test.js": "passed" }) })],
      {},
    );
    expect(await never).toHaveLength(1);
  });
});
