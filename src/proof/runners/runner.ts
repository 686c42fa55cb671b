// Test runners, and tests by name: what the loop asks of a check in addition to its exit code.
import type { TestCase } from "../../formats/test-report/index.ts";
import type { Shim } from "../rooms/room.ts";

export type RunnerKind =
  | "node"
  | "vitest"
  | "jest"
  | "mocha"
  | "playwright"
  | "ava"
  | "pytest"
  | "unittest"
  | "go"
  | "cargo"
  | "bats"
  | "tap";

/** A test runner that a check's command runs, as far as the command and the tree show it. */
export type RunnerUse = {
  readonly kind: RunnerKind;
  /** Programs that start it, as far as they are found on PATH: uv and python3 of `uv run python3 -m pytest`. */
  readonly programs: readonly string[];
  /** It takes a list of test files. A script that contains its own tests does not. */
  readonly selects: boolean;
};

/** What makes a check's command report; the command itself does not change. */
export type Asking = {
  readonly env: Readonly<Record<string, string>>;
  readonly shims: readonly Shim[];
  /** The prefix of this run's report files. It cannot be guessed, and other files are not read. */
  readonly mark: string;
  /** Only the requested files run, or a few more where the command names some itself. False: all of them. */
  readonly selects: boolean;
};

/**
 * One test. `file` is relative to the room, with forward slashes; for a Go package that could not be built it is the
 * package's folder. A file that could not be loaded is one failed test named `wholeFile`.
 */
export type TestResult = TestCase & {
  /** Marked as unfinished or as expected to fail, and it passed all the same: nothing required it, but it works. */
  readonly worksAnyway?: true;
};

export type Names = {
  readonly tests: readonly TestResult[];
  /** False: the report is missing or incomplete. Only the exit code counts. */
  readonly complete: boolean;
  /** For people, one sentence: why names are missing. */
  readonly problem: string | null;
};

/** The keys for comparing two runs. Tests with the same file and name are numbered in the order of the report. */
export function keysOf(tests: readonly TestResult[]): ReadonlyMap<string, TestResult> {
  const keys = new Map<string, TestResult>();
  const copies = new Map<string, number>();
  for (const test of tests) {
    const key = keyOf(test);
    const copy = (copies.get(key) ?? 0) + 1;
    copies.set(key, copy);
    keys.set(copy === 1 ? key : `${key} (${copy})`, test);
  }
  return keys;
}

export const keyOf = ({ file, name }: TestResult): string => (file === null ? name : `${file} > ${name}`);
