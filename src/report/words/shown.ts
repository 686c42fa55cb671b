// The results of a proof's runs, in words: a line for the log, and one sentence for the basis of a grade.
import type { ShownCheck } from "../../core/event.ts";
import { type RunName, type RunShown, type Share, withAllowed } from "../../core/proof.ts";
import type { Progress } from "../../core/run.ts";
import { count } from "./words.ts";

export const isRunShown = (check: ShownCheck): check is RunShown => "run" in check;

/** The name of each run, for people. */
export const runTitles: Readonly<Record<RunName, string>> = {
  A: "old tests, new code",
  U: "old tests, new code, unclear files as they are now",
  B: "everything as it would be committed",
  C: "new tests, old code",
  D: "parts of the change taken back",
  K: "an old test made wrong on purpose",
  E: "other inputs in the new tests",
  F: "the code hollowed out under the new tests",
  H: "tests written from the contract alone",
};

/** `run`: with its part, as a room is named: `A`, `D-src_sum.js`, `base`. Null: not a run for people. */
export function runTitle(run: string): string | null {
  const [name = ""] = run.split("-");
  if (name === "base") return "the code as it was";
  return isRunName(name) ? runTitles[name] : null;
}
const isRunName = (name: string): name is RunName => Object.hasOwn(runTitles, name);

const placeTitles = {
  candidate: "on the candidate",
  sealed: "with protected tests laid back",
  before: "on the code before",
} as const;

/** `test (old tests, new code): green` */
export function shownLine(check: ShownCheck): string {
  if (isRunShown(check))
    return check.check === ""
      ? `${runTitles[check.run]}: ${check.how}`
      : `${check.check} (${runTitles[check.run]}): ${check.how}`;
  return `${check.name} ${placeTitles[check.on]}: ${check.how}`;
}

/**
 * The tests of everything as it would be committed, or of the old tests where these have already refused the change; a
 * check that gives no names counts by its result.
 */
export function testsLine(checks: readonly ShownCheck[]): string {
  const shown = checks.filter(isRunShown);
  const whole = shown.filter(({ run }) => run === "B");
  const runs = whole.length > 0 ? whole : shown.filter(({ run }) => run === "A");
  if (runs.length === 0) return "not run";
  const all = shareOf(runs);
  return all === null
    ? runs.map(({ check, outcome }) => `${check} ${outcome ?? "not run"}`).join(", ")
    : `${all.count}/${all.of}`;
}

/**
 * Whether the result is as expected. New tests on old code have to be red, and so does a test that was made wrong.
 * Null: unknown.
 */
export function isAsItShould(check: ShownCheck): boolean | null {
  if (!isRunShown(check)) return check.on === "before" ? check.how !== "green" : check.how === "green";
  if (check.outcome === undefined) return null;
  const wantsRed =
    check.run === "C" || check.run === "D" || check.run === "K" || check.run === "E" || check.run === "F";
  return wantsRed ? check.outcome === "red" : check.outcome === "green";
}

/** `212 old tests pass, 6 new ones fail without it, 4 of 5 changes noticed ████░` */
export function restsOn(checks: readonly ShownCheck[]): string {
  const shown = checks.filter(isRunShown);
  const of = (run: RunName): RunShown[] => shown.filter((each) => each.run === run);
  const oldTests = [...of("A"), ...of("U")];
  return [
    ...(oldTests.length > 0 && oldTests.every(({ outcome }) => outcome !== "red") ? [oldTestsWords(oldTests)] : []),
    ...(oldTests.length === 0 && of("B").length > 0 ? ["checks green"] : []),
    ...witness(of("C"), passed(oldTests) > 0),
    ...strength(of("D")),
  ].join(", ");
}

function oldTestsWords(runs: readonly RunShown[]): string {
  if (runs.every(({ how }) => /\b0 tests passed/.test(how))) return "no old tests";
  const number = passed(runs);
  const words = number === 0 ? "old tests green" : count(number, "old test passes", "old tests pass");
  return runs.some(({ how }) => how.includes(withAllowed))
    ? `${words}, but for those that were allowed to change`
    : words;
}

/** How many old tests passed, over every check; 0: no check gives their names. A check may have run more than once. */
function passed(runs: readonly RunShown[]): number {
  const numbers = new Map<string, number>();
  for (const { check, how } of runs)
    numbers.set(check, Math.max(numbers.get(check) ?? 0, Number(/\b(\d+) tests? passed/.exec(how)?.[1] ?? 0)));
  return [...numbers.values()].reduce((sum, number) => sum + number, 0);
}

function witness(runs: readonly RunShown[], isAfterOld: boolean): string[] {
  const failing = runs.reduce(
    (sum, { seen, how }) => sum + (seen?.count ?? Number(/^(\d+) new tests? fails?\b/.exec(how)?.[1] ?? 0)),
    0,
  );
  const [one, more] = isAfterOld ? ["new one fails", "new ones fail"] : ["new test fails", "new tests fail"];
  if (failing > 0) return [`${count(failing, one, more)} without it`];
  return runs.some(({ outcome }) => outcome === "red") ? ["new tests fail without it"] : [];
}

function strength(runs: readonly RunShown[]): string[] {
  const all = shareOf(runs);
  return all === null ? [] : [`${all.count} of ${count(all.of, "change")} noticed ${bar(all)}`];
}

/** All reverted changes, over every check. */
export function shareOf(runs: readonly RunShown[]): Share | null {
  const shares = runs.flatMap(({ seen }) => seen ?? []);
  const of = shares.reduce((sum, share) => sum + share.of, 0);
  return of === 0 ? null : { count: shares.reduce((sum, share) => sum + share.count, 0), of };
}

const barWidth = 5;

export function bar({ count: noticed, of }: Share): string {
  const full = Math.min(barWidth, Math.max(0, Math.round((noticed / of) * barWidth)));
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
}

/** Words for people: proved, reviewed by Pat, unproved. */
export function gradeWords({ grade, reviewedBy }: Pick<Progress, "grade" | "reviewedBy">): string {
  if (grade === null) return "done before";
  if (grade === "reviewed") return `reviewed by ${reviewedBy ?? "the checker"}`;
  return grade === "strong" ? "proved" : "unproved";
}
