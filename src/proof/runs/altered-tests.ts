// Test files with every expected value altered, and which of their tests compare with one.
import type { Seen } from "../seen.ts";
import { allExpectationsAltered, conditionalAssertionsFailing, testAt } from "../source/index.ts";

export type AlteredTest = {
  readonly path: string;
  /** As it was, and with other expected values in the lines that are named. */
  readonly original: string;
  readonly text: string;
  readonly lines: readonly number[];
};

type TextOf = (path: string) => string | null;

export const alteredTests = (paths: readonly string[], textOf: TextOf): AlteredTest[] =>
  withText(paths, textOf, allExpectationsAltered);

/** With the assertions made to fail that only run under a condition. */
export const failingWhereReached = (paths: readonly string[], textOf: TextOf): AlteredTest[] =>
  withText(paths, textOf, conditionalAssertionsFailing);

const withText = (paths: readonly string[], textOf: TextOf, alter: typeof allExpectationsAltered): AlteredTest[] =>
  paths.flatMap((path) => {
    const original = textOf(path) ?? "";
    const found = alter(path, original);
    return found === null ? [] : [{ path, original, ...found }];
  });

/** Whether one of the altered values is in the body of this test. */
export function comparesAltered(files: readonly AlteredTest[], seen: Seen, key: string): boolean {
  const here = files.find(({ path }) => path === seen.tests?.get(key)?.file);
  if (here === undefined) return false;
  const span = testAt(here.path, here.original, key.split(" > ").at(-1) ?? "");
  return span !== null && here.lines.some((line) => span.from <= line && line <= span.to);
}
