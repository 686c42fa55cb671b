// Where the number of tests is read from, and what is remembered of a tree.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, keepRecord, lost, numbers, readRecord } from "../../src/runtime/proof/counting.ts";
import { judged } from "./scripted.ts";
import { check, tree } from "./trees.ts";

let dir = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-counting-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function write(path: string, text: string, at = Date.now() / 1000): void {
  fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
  fs.writeFileSync(join(dir, path), text);
  fs.utimesSync(join(dir, path), at, at);
}
const junit = (...names: string[]): string =>
  `<testsuite>${names.map((name) => `<testcase name="${name}"/>`).join("")}</testsuite>`;
const count = (report: string | undefined, since = 1_000_000): number | null =>
  countsOf(check(report === undefined ? {} : { report }), { cwd: dir, output: join(dir, "out.log"), since })?.total ??
  null;

describe("the number of tests", () => {
  test("is what the output says, where no report is named", () => {
    write("out.log", "# tests 3\n# pass 3\n# fail 0\n");
    write("report.xml", junit("a"));
    expect(count(undefined)).toBe(3);
  });

  test.each([
    { what: "a file", path: "report.xml", report: "report.xml", is: 2 },
    { what: "a folder", path: "reports/one.xml", report: "reports", is: 2 },
    { what: "a folder with other files in it", path: "reports/one.html", report: "reports", is: null },
    { what: "a file in the place of its folder", path: "reports", report: "reports/one.xml", is: null },
    { what: "nothing that is there", path: "other.xml", report: "report.xml", is: null },
  ])("is what the report says: $what", ({ path, report, is }) => {
    write("out.log", "# tests 3\n# pass 3\n# fail 0\n");
    write(path, junit("a", "b"));
    expect(count(report)).toBe(is);
  });

  test("is summed over all reports of a folder, without those that the run did not write", () => {
    write("reports/one.xml", junit("a", "b"), 2000);
    write("reports/two.xml", junit("c"), 2000);
    write("reports/old.xml", junit("d"), 1999);
    expect(count("reports", 2_000_000)).toBe(3);
    expect(count("reports", 1_999_000)).toBe(4);
  });

  test("is not read through a link", () => {
    write("elsewhere.xml", junit("a"));
    fs.symlinkSync("elsewhere.xml", join(dir, "report.xml"));
    expect(count("report.xml")).toBeNull();
  });
});

test.each([
  { of: { total: 1, skipped: 0, failed: 0 }, says: "1 test" },
  { of: { total: 0, skipped: 0, failed: 0 }, says: "0 tests" },
  { of: { total: 5, skipped: 1, failed: 2 }, says: "5 tests, 1 skipped, 2 failed" },
])("$of is told as $says", ({ of, says }) => {
  expect(numbers(of)).toBe(says);
});

test("what passed before and does not now is lost, by name, and nothing is where names are not known", () => {
  const of = (names: Record<string, "passed" | "failed" | "skipped"> | null) => ({
    passed: 0,
    failed: 0,
    skipped: 0,
    total: 0,
    names,
  });
  const before = of({ a: "passed", b: "passed", c: "failed", d: "passed" });
  expect(lost(before, of({ a: "passed", b: "skipped", c: "failed" }))).toEqual(["b", "d"]);
  expect([lost(of(null), before), lost(before, of(null))]).toEqual([[], []]);
});

describe("a tree that the loop checked", () => {
  const kept = new Map<string, string>();
  const files = {
    path: (path: string) => path,
    read: (path: string) => kept.get(path) ?? null,
    write: (path: string, text: string) => void kept.set(path, text),
  };
  const counts = { passed: 1, failed: 0, skipped: 0, total: 1, names: null };

  test("is remembered with how each check ended on it", () => {
    const seen = [judged(check(), "green", { counts }), judged(check({ name: "later" }), "red")];
    const worn = { files: [{ path: "test/a.js", tree: tree({}) }], added: [], since: tree({}) };
    keepRecord(files, tree({ a: "1" }), seen, { worn, installed: "name" });
    expect(readRecord(files, tree({ a: "1" }))).toEqual({
      checks: { test: { green: true, counts }, later: { green: false, counts: null } },
      worn,
      installed: "name",
    });
  });

  test("may have been checked before anybody looked at what is installed", () => {
    keepRecord(files, tree({ a: "2" }), [], { worn: null });
    expect(readRecord(files, tree({ a: "2" }))).toEqual({ checks: {}, worn: null });
  });

  test("is not one that somebody else made", () => {
    expect(readRecord(files, tree({ a: "3" }))).toEqual({ checks: {}, worn: null });
  });
});
