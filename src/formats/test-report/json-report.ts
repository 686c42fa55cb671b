// The JSON reports of Jest and Vitest: one object, on a line of the output or in a file of its own.
import { type Counts, Tally, type TestEnd } from "./counts.ts";

const ends: Readonly<Record<string, TestEnd>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
  disabled: "skipped",
};

export function readJsonReport(text: string): Counts | null {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof report !== "object" || report === null || !("numTotalTests" in report)) return null;
  const tally = new Tally();
  for (const file of arrayAt(report, "testResults")) {
    for (const test of arrayAt(file, "assertionResults")) {
      const how = ends[stringAt(test, "status")];
      if (how !== undefined) tally.test(stringAt(test, "fullName") || stringAt(test, "title"), how);
    }
    // A file that could not be loaded has no tests to its name, and has failed all the same.
    if (stringAt(file, "status") === "failed" && arrayAt(file, "assertionResults").length === 0)
      tally.test(stringAt(file, "name"), "failed");
  }
  return tally.counts();
}

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
