// Runs A and U: the old judge over the new product. Nothing that the change added can help it here.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look, mustBeGreen, orderFor } from "../case.ts";
import { isGreen, noLongerWork, passed, type Seen, stillWorks } from "../seen.ts";
import { together } from "../turns.ts";
import { secondAfter } from "./second-time.ts";

export type Broken = {
  readonly check: CheckSpec;
  readonly seen: Seen;
  /** Tests that passed at the base and do not pass here, by file and name; empty: only the exit code is red. */
  readonly lost: readonly string[];
};

export type UnderOldJudge = {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly broken: readonly Broken[];
  /** Tests that were both red and green on one tree: they have no vote. */
  readonly flaky: readonly string[];
};

export async function underOldJudge(
  c: Case,
  base: ReadonlyMap<string, Seen>,
  tree: TreeId,
  run: "A" | "U",
  part?: string,
  /** The tree that `base` was run on. */
  baseTree: TreeId = c.sides.base.id,
): Promise<UnderOldJudge> {
  const seen = new Map<string, Seen>();
  const broken: Broken[] = [];
  const flaky: string[] = [];
  for (const check of c.checks) {
    const before = base.get(check.name);
    if (before === undefined) continue;
    const named = part === undefined ? {} : { part };
    const second = run === "A" && part === undefined ? { second: secondAfter(before) } : {};
    const first = await look(c, check, { run, tree, judge: "old", ...second, ...named });
    seen.set(check.name, first);
    const suspects = brokenIn(c, check, before, first);
    if (suspects === null) continue;
    const confirmed = await confirm(c, check, before, suspects, { run, tree, judge: "old", ...named }, baseTree);
    flaky.push(...confirmed.flaky);
    if (confirmed.lost !== null) broken.push({ check, seen: first, lost: confirmed.lost });
    if (c.cut.aborted) break;
  }
  return { seen, broken, flaky };
}

/** Null: as good as before. Otherwise the lost tests; empty if only the exit code is red. */
export function brokenIn(c: Case, check: CheckSpec, before: Seen, after: Seen): readonly string[] | null {
  const renamed = renamedByData(before, after);
  const gone = noLongerWork(before, after).filter(
    (key) => !renamed.has(key) && (!c.isReleased(key) || isOneLess(c, before, after, key)),
  );
  if (gone.length > 0) return gone;
  if (isGreen(after)) return null;
  if (!isGreen(before)) {
    // A check that has yet to turn green may be red, unless this feature has to turn it green.
    return check.must === "turn-green" && c.feature.checks.includes(check.name) && mustBeGreen(c, check) ? [] : null;
  }
  return onlyReleasedFail(c, after) ? null : [];
}

/**
 * Tests whose titles contain the product's data: the same file passes as a whole, and has at least as many tests under
 * other titles.
 */
function renamedByData(before: Seen, after: Seen): ReadonlySet<string> {
  if (!isGreen(after) || after.tests === null) return new Set();
  const fileOf = (seen: Seen, key: string): string | null => seen.tests?.get(key)?.file ?? null;
  const gone = passed(before).filter((key) => after.tests?.has(key) !== true);
  const fresh = passed(after).filter((key) => before.tests?.has(key) !== true);
  const countIn = (seen: Seen, keys: readonly string[], file: string | null): number =>
    keys.filter((key) => fileOf(seen, key) === file).length;
  return new Set(
    gone.filter((key) => {
      const file = fileOf(before, key);
      return file !== null && countIn(after, fresh, file) >= countIn(before, gone, file);
    }),
  );
}

/** A test of a file that may change is gone without a replacement. */
function isOneLess(c: Case, before: Seen, after: Seen, key: string): boolean {
  const file = before.tests?.get(key)?.file ?? null;
  if (file === null || !c.keepsCount(file)) return false;
  const countIn = (seen: Seen): number => passed(seen).filter((name) => seen.tests?.get(name)?.file === file).length;
  return countIn(after) < countIn(before);
}

/** Only released tests fail, which explains the exit code. */
function onlyReleasedFail(c: Case, { how, tests }: Seen): boolean {
  if (how !== "red" || tests === null) return false;
  const failed = [...tests].filter(([, test]) => test.how === "failed").map(([key]) => key);
  return failed.length > 0 && failed.every((key) => c.isReleased(key));
}

/** An interrupted run, or one without names, says nothing. */
const hasFailed = (before: Seen, seen: Seen, key: string): boolean =>
  (seen.how === "red" || seen.how === "green") && seen.tests !== null && !stillWorks(before, seen, key);

/** How often an unsteady test is run again, here and at the base. */
const looks = 4;

type At = { run: "A" | "U"; tree: TreeId; judge: "old"; part?: string };

/** Red counts when it is red twice here, and its tests pass again at the base. */
async function confirm(
  c: Case,
  check: CheckSpec,
  before: Seen,
  suspects: readonly string[],
  at: At,
  baseTree: TreeId,
): Promise<{ lost: readonly string[] | null; flaky: readonly string[] }> {
  const only = filesOf(c, check, before, suspects);
  const [again, base] = await together([
    look(c, check, { ...at, ...only, again: 1 }),
    // Not from memory: a server or network that has gone down makes the base red as well.
    c.rooms.runNow(check, orderFor(c, { run: "base", tree: baseTree, judge: "old", ...only, again: 1 })),
  ]);
  if (suspects.length === 0) {
    // A check that was red before has to turn green: the base's current result says nothing about that.
    const steady = (isGreen(base) || !isGreen(before)) && !isGreen(again);
    return steady ? { lost: [], flaky: [] } : { lost: null, flaky: [check.name] };
  }
  const now = new Set(suspects.filter((key) => stillWorks(before, again, key)));
  const then = new Set(suspects.filter((key) => stillWorks(before, base, key)));
  // Both red and green over the change: more runs on both trees show whether the change made the test unsteady.
  const unsteady = suspects.filter((key) => then.has(key) && now.has(key));
  const wavers = { here: new Set<string>(), there: new Set<string>() };
  for (let time = 2; time < 2 + looks && unsteady.length > 0 && !c.cut.aborted; time++) {
    const here = await look(c, check, { ...at, ...only, again: time });
    const order = orderFor(c, { run: "base", tree: baseTree, judge: "old", ...only, again: time });
    const there = await c.rooms.runNow(check, order);
    for (const key of unsteady) {
      if (hasFailed(before, here, key)) wavers.here.add(key);
      if (hasFailed(before, there, key)) wavers.there.add(key);
    }
    if (unsteady.every((key) => wavers.there.has(key))) break;
  }
  const isReal = (key: string): boolean =>
    then.has(key) && (!now.has(key) || (wavers.here.has(key) && !wavers.there.has(key)));
  const real = suspects.filter(isReal);
  const flaky = suspects.filter((key) => !isReal(key));
  return { lost: real.length === 0 ? null : real, flaky };
}

/** Runs only the suspects' files again, where each of them has one. */
function filesOf(c: Case, check: CheckSpec, before: Seen, suspects: readonly string[]): { only?: readonly string[] } {
  if (suspects.length === 0 || !c.rooms.selects(check)) return {};
  const files = suspects.map((key) => before.tests?.get(key)?.file ?? null);
  return files.some((file) => file === null) ? {} : { only: [...new Set(files.flatMap((file) => file ?? []))] };
}
