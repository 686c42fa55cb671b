// The old tests' objections to a change, as causes that an agent can act on.
import { describe, expect, test } from "vitest";
import type { CheckSpec } from "../../core/contract.ts";
import { sidesBetween } from "../../testing/sides-rig.ts";
import type { AsItIs } from "../runs/as-it-is.ts";
import type { UnderOldJudge } from "../runs/old-judge.ts";
import type { Seen } from "../seen.ts";
import {
  greenByChangeAlone,
  refusedByOldJudge,
  rewritesProduct,
  rewrittenTests,
  saidAsItIs,
  testsIn,
} from "./old-tests.ts";

const base = { "package.json": "{}", "src/a.js": "export const a = 1;\n", "tests/a.test.js": "1;\n" };
const product = sidesBetween(base, { ...base, "src/a.js": "export const a = 2;\n" });
const both = sidesBetween(base, { ...base, "src/a.js": "export const a = 2;\n", "tests/a.test.js": "2;\n" });

const check: CheckSpec = { name: "test", run: "npm test", must: "stay-green", timeoutMs: 1000, tests: [] };
const seen = (more: Partial<Seen> = {}): Seen => ({
  check: "test",
  how: "green",
  exitCode: 0,
  ms: 1,
  tail: "the end of its output",
  signature: "s",
  output: "",
  tests: null,
  problem: null,
  leftBehind: 0,
  left: [],
  ...more,
});
const named = (...failed: string[]) =>
  new Map(
    failed.map((name) => [`tests/a.test.js > ${name}`, { how: "failed", file: "tests/a.test.js", name }] as const),
  );
const red = seen({ how: "red", exitCode: 1 });
const old = (more: Partial<UnderOldJudge> = {}): UnderOldJudge => ({
  seen: new Map([["test", seen()]]),
  broken: [],
  flaky: [],
  ...more,
});
const now = (more: Partial<AsItIs> = {}): AsItIs => ({
  seen: new Map([["test", seen()]]),
  red: [],
  flaky: [],
  missing: [],
  rewritten: [],
  ...more,
});
const broken = old({ broken: [{ check, seen: red, lost: ["tests/a.test.js > adds"] }] });

describe("old tests that fail over the new product", () => {
  test("are a red check when no protected file was changed", () => {
    expect(refusedByOldJudge(product, broken, null)).toEqual([
      {
        kind: "check-red",
        key: "old-judge:test:tests/a.test.js > adds",
        text: "test (npm test) fails with the tests and configuration as they were, exit code 1. These tests passed before: tests/a.test.js > adds\nthe end of its output",
        frame: { is: "regression", tests: ["tests/a.test.js > adds"] },
      },
    ]);
  });

  test("are tampering when the change rewrote protected files and passes with them", () => {
    const [cause] = refusedByOldJudge(both, broken, now());
    expect(cause).toMatchObject({ kind: "tampering" });
    expect(cause?.text).toContain("passes only with the protected files that were changed (tests/a.test.js)");
    expect(cause?.text).toContain("reply needs-permission");
  });

  test("and tests that are gone from the change are two causes", () => {
    const causes = refusedByOldJudge(both, broken, now({ missing: ["tests/a.test.js > other"] }));
    expect(causes.map(({ key }) => key.split(":")[0])).toEqual(["old-judge", "gone"]);
  });

  test("give no cause when there are none", () => {
    expect(refusedByOldJudge(both, old(), now())).toEqual([]);
  });
});

describe("the change as it would be committed", () => {
  test("is refused by name where a test fails, under the same key for any output", () => {
    const failing = (tail: string) =>
      saidAsItIs(now({ red: [{ check, seen: seen({ how: "red", exitCode: 1, tail, tests: named("adds") }) }] }));
    const [one, two] = [failing("12 ms"), failing("13 ms")].map(({ failures }) => failures?.[0]);
    expect(one?.key).toBe(two?.key);
    expect(one?.text).toContain("Failing: tests/a.test.js > adds");
  });

  test("is refused where a check is flaky, and where tests pass only because they were changed", () => {
    const { failures } = saidAsItIs(now({ flaky: [check], rewritten: ["t"] }));
    expect(failures?.map(({ kind }) => kind)).toEqual(["flaky", "tampering"]);
  });

  test("shows the beginning of an installer's output, and the end of a check's", () => {
    const long = `begin ${"x".repeat(5000)} end`;
    const text = (how: Seen["how"]) =>
      saidAsItIs(now({ red: [{ check, seen: seen({ how, tail: long }) }] })).failures?.[0]?.text;
    expect(text("unready")).toContain("begin");
    expect(text("red")).toMatch(/ end$/);
  });
});

describe("without test names", () => {
  const under = old({ seen: new Map([["test", red]]) });

  test("a check that only changed protected files turn green is tampering", () => {
    expect(greenByChangeAlone(both, [check], now(), under).failures).toMatchObject([{ key: "turned:test" }]);
    expect(greenByChangeAlone(product, [check], now(), under).failures ?? []).toEqual([]);
  });
});

test("asks about a check that writes tracked files, unless it did so before", () => {
  const writes = now({ seen: new Map([["test", seen({ left: ["src/a.js", "coverage/x"] })]]) });
  expect(rewritesProduct(product, writes, old()).missing).toEqual([expect.stringContaining("committed: src/a.js")]);
  const before = old({ seen: new Map([["test", seen({ left: ["src/a.js"] })]]) });
  expect(rewritesProduct(product, writes, before).missing).toEqual([]);
});

test("rewritten tests are a contradiction by file and by lost test", () => {
  expect(rewrittenTests(product, broken, now())).toBeNull();
  expect(rewrittenTests(both, broken, now({ missing: ["tests/a.test.js > adds"] }))).toEqual({
    files: ["tests/a.test.js"],
    tests: ["tests/a.test.js > adds"],
  });
  const under = old({ seen: new Map([["test", seen({ tests: named("adds") })]]) });
  expect(testsIn(["tests/a.test.js", "golden.txt"], under)).toEqual(["tests/a.test.js > adds", "golden.txt"]);
});

test.each([
  ["of which the output speaks", "Cannot find module /w/src/build/page.js", true],
  ["of which it does not", "AssertionError: 1 !== 2", false],
])("a red check says which file git ignores, %s", (_, tail, isSaid) => {
  const b: AsItIs = {
    ...{ seen: new Map(), red: [{ check, seen: { ...red, tail } }], flaky: [], missing: [], rewritten: [] },
  };
  const { failures = [] } = saidAsItIs(b, [{ path: "src/build/page.js", by: ".gitignore:1 (build/)" }]);
  expect(failures[0]?.text.includes("git ignores them: src/build/page.js by .gitignore:1 (build/)")).toBe(isSaid);
});
