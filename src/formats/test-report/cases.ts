// Tests by name: what a report says of each test, whichever runner wrote it.
import { type Counts, Tally, type TestEnd } from "./counts.ts";

export type TestCase = {
  /** As the report has it, absolute or relative; null: the report does not say. */
  readonly file: string | null;
  /** With the groups around it: "suite > test". */
  readonly name: string;
  readonly how: TestEnd;
};

/** A test file that could not be loaded has no test to its name, and has failed all the same. */
export const wholeFile = "(file)";
/** A report may have more tests than this; what it says is then not used at all. */
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
