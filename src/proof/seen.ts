// The result of one run of one check: green or red, and each test by file and name.
import type { TestResult } from "./runners/index.ts";

export type Seen = {
  readonly check: string;
  /** unready: its room could not be prepared, because setup or build failed. */
  readonly how: "green" | "red" | "timed-out" | "unready" | "cut";
  readonly exitCode: number | null;
  readonly ms: number;
  readonly tail: string;
  readonly signature: string;
  /** The file with the whole output. */
  readonly output: string;
  /** By key. Null: the check gives no names, and only its exit code counts. */
  readonly tests: ReadonlyMap<string, TestResult> | null;
  /** Why expected names are missing. */
  readonly problem: string | null;
  /** How many processes it left running; they were ended. */
  readonly leftBehind: number;
  /** Files of the room that the check changed. */
  readonly left: readonly string[];
  /** Folders with ignored files that the check made, and such files at the top. Left out: not looked at. */
  readonly ignored?: readonly string[];
  /** How it ended when it was run a second time in the same room. Left out: it was run once. */
  readonly second?: { readonly isGreen: boolean; readonly tail: string };
  /** Merged from several runs of some files each: good enough for a base, but not for the end of a run. */
  readonly merged?: true;
};

export const passed = ({ tests }: Seen): string[] =>
  tests === null ? [] : [...tests].filter(([, { how }]) => how === "passed").map(([key]) => key);

export const didPass = ({ tests }: Seen, key: string): boolean => tests?.get(key)?.how === "passed";

/** An exit code of 0 with a failed test is not green, whatever the runner says. */
export const isGreen = (seen: Seen): boolean =>
  seen.how === "green" && (seen.tests === null || [...seen.tests.values()].every(({ how }) => how !== "failed"));

/** Tests that passed before and no longer do. A run without names has lost all of them. */
export const lost = (before: Seen, after: Seen): string[] => passed(before).filter((key) => !didPass(after, key));

/** Whether a test that passed, or worked without being required to, still does. */
export const stillWorks = (before: Seen, after: Seen, key: string): boolean =>
  didPass(after, key) || (!didPass(before, key) && worksAnyway(after, key));

/** Tests that worked before, also those that were not required to, and no longer do. */
export const noLongerWork = (before: Seen, after: Seen): string[] =>
  [...(before.tests?.keys() ?? [])].filter(
    (key) => (didPass(before, key) || worksAnyway(before, key)) && !stillWorks(before, after, key),
  );

const worksAnyway = ({ tests }: Seen, key: string): boolean => tests?.get(key)?.worksAnyway === true;

/** Whether the check runs a file, as far as it names any. */
export const isRunBy = ({ tests }: Seen, file: string): boolean => {
  const files = [...(tests?.values() ?? [])].flatMap((test) => test.file ?? []);
  return files.length === 0 || files.includes(file);
};

export const inWords = (seen: Seen): string => {
  const count = passed(seen).length;
  const tests = seen.tests === null ? "" : `, ${count} ${count === 1 ? "test" : "tests"} passed`;
  return isGreen(seen) ? `green${tests}` : `red (${endedIn(seen)})${tests}`;
};

/** How a run that is not green ended. */
export function endedIn({ how, exitCode }: Seen): string {
  // A process that exits early with 0 can lose tests.
  if (how === "red" || how === "green") return `exit code ${exitCode}`;
  return how === "unready" ? "its clean checkout could not be prepared" : how;
}
