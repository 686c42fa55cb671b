// A check of a past proof, run again: how it ended then and now, and what of that differs.
import type { Counts } from "../../formats/test-report/index.ts";
import { numbers } from "../../runtime/proof/counting.ts";
import type { CheckEvidence } from "../../runtime/proof/proof-file.ts";

export type AgainCheck = {
  readonly name: string;
  readonly on: CheckEvidence["on"];
  readonly was: string;
  readonly is: string;
  /** How many tests ran then and now; null where that could not be known. */
  readonly tests: { readonly was: Tests | null; readonly is: Tests | null };
};
type Tests = Pick<Counts, "total" | "skipped" | "failed">;

export const testsOf = (counts: Counts | null | undefined): Tests | null =>
  counts == null ? null : { total: counts.total, skipped: counts.skipped, failed: counts.failed };

export const places: Record<CheckEvidence["on"], string> = {
  candidate: "on the commit",
  sealed: "with the sealed tests laid back",
  before: "on the code as it was before",
};

/** Nothing: it ends as it did then, on as many tests. */
export function differences({ name, on, was, is, tests }: AgainCheck): string[] {
  const what = was === is ? fewerTests(on, tests) : `was ${was}, and is ${is} now`;
  return what === null ? [] : [`${name} ${places[on]} ${what}`];
}

/**
 * A check that ends as it did then, on fewer tests, is not the check of the proof. On the code as it was before only the
 * ending counts: a suite that cannot be loaded may get further one time than the other.
 */
function fewerTests(on: AgainCheck["on"], { was, is }: AgainCheck["tests"]): string | null {
  if (on === "before" || was === null) return null;
  if (is === null) return `ran ${numbers(was)}, and what it runs now cannot be counted`;
  if (is.total >= was.total && is.skipped <= was.skipped) return null;
  return `ran ${numbers(was)}, and runs ${numbers(is)} now`;
}
