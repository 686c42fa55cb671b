// The JSON reports of Jest, Vitest, Mocha and Playwright: one object, on a line of the output or in a file.
import { casesMax, countCases, nameOf, type TestCase, wholeFile } from "./cases.ts";
import type { Counts, TestEnd } from "./counts.ts";

/** Null: not JSON, or another kind of JSON. */
export function jsonCases(text: string): readonly TestCase[] | null {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return null;
  }
  const reader = readers.find(({ marks }) => marks.every((key) => has(report, key)));
  const cases = reader?.read(report) ?? null;
  return cases === null || cases.length > casesMax ? null : cases;
}

export function readJsonReport(text: string): Counts | null {
  const cases = jsonCases(text);
  return cases === null ? null : countCases(cases);
}

type Reader = { readonly marks: readonly string[]; read(report: unknown): readonly TestCase[] };
const readers: readonly Reader[] = [
  { marks: ["numTotalTests", "testResults"], read: jestCases },
  { marks: ["stats", "tests", "failures", "pending"], read: mochaCases },
  { marks: ["config", "suites"], read: playwrightCases },
];

const ends: Readonly<Record<string, TestEnd>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
  disabled: "skipped",
};

/** Jest, and Vitest, which writes the same. An expected failure passes by failing: it proves nothing. */
function jestCases(report: unknown): readonly TestCase[] {
  return arrayAt(report, "testResults").flatMap((suite): TestCase[] => {
    const file = stringAt(suite, "name") || null;
    const tests = arrayAt(suite, "assertionResults");
    if (tests.length === 0 && stringAt(suite, "status") === "failed") return [{ file, name: wholeFile, how: "failed" }];
    return tests.flatMap((test) => {
      const how = has(test, "failing", true) ? "skipped" : ends[stringAt(test, "status")];
      if (how === undefined) return [];
      const groups = arrayAt(test, "ancestorTitles").map(String);
      return [{ file, name: nameOf([...groups, stringAt(test, "title") || stringAt(test, "fullName")]), how }];
    });
  });
}

/** In Mocha the list determines how a test ended; entries of two lists are matched by file and title. */
function mochaCases(report: unknown): readonly TestCase[] {
  const keyOf = (test: unknown): string => JSON.stringify([stringAt(test, "file"), stringAt(test, "fullTitle")]);
  const failed = new Set(arrayAt(report, "failures").map(keyOf));
  const pending = new Set(arrayAt(report, "pending").map(keyOf));
  const tests = arrayAt(report, "tests");
  const known = new Set(tests.map(keyOf));
  const hooks = arrayAt(report, "failures").filter((failure) => !known.has(keyOf(failure)));
  return [...tests, ...hooks].map((test) => {
    const key = keyOf(test);
    return {
      file: stringAt(test, "file") || null,
      name: nameOf([stringAt(test, "fullTitle")]),
      how: failed.has(key) ? "failed" : pending.has(key) ? "skipped" : "passed",
    };
  });
}

const playwrightEnds: Readonly<Record<string, TestEnd>> = {
  expected: "passed",
  // It passed on a retry: the check is green.
  flaky: "passed",
  unexpected: "failed",
  skipped: "skipped",
};

function playwrightCases(report: unknown): readonly TestCase[] {
  const config = (report as Record<string, unknown>)["config"];
  const root = stringAt(config, "rootDir");
  const cases: TestCase[] = [];
  const inSuite = (suite: unknown, groups: readonly string[]): void => {
    for (const spec of arrayAt(suite, "specs")) cases.push(...specCases(spec, groups, root));
    for (const child of arrayAt(suite, "suites")) inSuite(child, [...groups, stringAt(child, "title")]);
  };
  // The outermost suites are files, and a file is not part of a test's name.
  for (const file of arrayAt(report, "suites")) inSuite(file, []);
  // Failures outside of all tests: a file that could not be loaded, or a configuration.
  for (const error of arrayAt(report, "errors")) {
    const location = (error as Record<string, unknown> | null)?.["location"];
    cases.push({ file: stringAt(location, "file") || null, name: wholeFile, how: "failed" });
  }
  return cases;
}

function specCases(spec: unknown, groups: readonly string[], root: string): readonly TestCase[] {
  const file = stringAt(spec, "file");
  return arrayAt(spec, "tests").flatMap((test) => {
    const how = playwrightEnds[stringAt(test, "status")];
    if (how === undefined) return [];
    // An expected failure passes by failing: it proves nothing.
    const shown = stringAt(test, "expectedStatus") === "failed" && how === "passed" ? "skipped" : how;
    const name = nameOf([stringAt(test, "projectName"), ...groups, stringAt(spec, "title")]);
    return [{ file: file === "" ? null : root === "" ? file : `${root}/${file}`, name, how: shown }];
  });
}

const has = (value: unknown, key: string, is?: unknown): boolean =>
  typeof value === "object" && value !== null && key in value && (is === undefined || Reflect.get(value, key) === is);

function arrayAt(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const found = (value as Record<string, unknown>)[key];
  return Array.isArray(found) ? found : [];
}

function stringAt(value: unknown, key: string): string {
  if (typeof value !== "object" || value === null) return "";
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" ? found : "";
}
