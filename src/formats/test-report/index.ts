// Counts tests in a runner's output or report file. For any text: linear time, bounded memory, no exception.
import { stripVTControlCharacters } from "node:util";
import { reportLengthMax, type TestCase } from "./cases.ts";
import { type Counts, sum } from "./counts.ts";
import { cargoReader, goReader } from "./go-cargo.ts";
import { jsonCases, readJsonReport } from "./json-report.ts";
import { junitCases, readJunit } from "./junit.ts";
import { nodeTestReader } from "./node-test.ts";
import { pytestReader, unittestReader } from "./pytest.ts";
import { summaryReader } from "./summary-lines.ts";
import { tapCases } from "./tap.ts";

export { cargoCases } from "./cargo-cases.ts";
export { casesMax, nameOf, reportLengthMax, type TestCase, wholeFile } from "./cases.ts";
export type { Counts } from "./counts.ts";

const lineLengthMax = 2000;

/** The counts in a check's output; null: no known runner's output. */
export function countTests(output: string): Counts | null {
  const readers = [nodeTestReader(), pytestReader(), unittestReader(), goReader(), cargoReader(), summaryReader()];
  const whole: Counts[] = [];
  for (const line of linesOf(output)) {
    if (line.startsWith('{"num')) {
      const report = readJsonReport(line);
      if (report !== null) whole.push(report);
      continue;
    }
    if (line.length > lineLengthMax) continue;
    const text = (line.includes("\u001b") ? stripVTControlCharacters(line) : line).trimEnd();
    if (text !== "") for (const reader of readers) reader.line(text);
  }
  // A JSON report is complete; the same runner's output for people would be counted twice.
  if (whole.length > 0) return sum(whole);
  return sum(readers.map((reader) => reader.end()).filter((counts) => counts !== null));
}

/** The counts in a report file: JUnit XML, a runner's JSON, or a runner's output. */
export function readReport(text: string): Counts | null {
  if (text.length > reportLengthMax) return null;
  const start = text.trimStart().slice(0, 1);
  if (start === "<") return readJunit(text);
  return (start === "{" ? readJsonReport(text) : null) ?? countTests(text);
}

/**
 * Every test of a report file: JUnit XML, TAP, or JSON of Jest, Vitest, Mocha or Playwright. Null: other, incomplete.
 */
export function readCases(text: string): readonly TestCase[] | null {
  if (text.length > reportLengthMax) return null;
  const start = text.trimStart().slice(0, 1);
  if (start === "<" || start === "\ufeff") return junitCases(text);
  return start === "{" ? jsonCases(text) : tapCases(text);
}

function* linesOf(text: string): Generator<string> {
  const end = Math.min(text.length, reportLengthMax);
  for (let at = 0; at < end; ) {
    const stop = text.indexOf("\n", at);
    const next = stop < 0 || stop > end ? end : stop;
    yield text.slice(at, next);
    at = next + 1;
  }
}
