// Tests by name: each test in a report, from any runner.
import { type Counts, Tally, type TestEnd } from "./counts.ts";

export type TestCase = {
  /** As in the report, absolute or relative; null: not given. */
  readonly file: string | null;
  /** With its groups: "suite > test". */
  readonly name: string;
  readonly how: TestEnd;
};

/** A test file that could not be loaded has no named test, but it failed. */
export const wholeFile = "(file)";
/** A report with more tests is not used at all. */
export const casesMax = 200_000;
export const reportLengthMax = 32 << 20;

const partLengthMax = 500;

export const nameOf = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim().slice(0, partLengthMax))
    .filter((part) => part !== "")
    .join(" > ");

export function countCases(cases: readonly TestCase[]): Counts {
  const tally = new Tally();
  for (const { file, name, how } of cases) tally.test(name === wholeFile ? (file ?? name) : name, how);
  return tally.counts();
}
