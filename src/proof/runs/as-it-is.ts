// Run B: the candidate as it will be committed.
import type { CheckSpec } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look, mustBeGreen, orderFor } from "../case.ts";
import { didPass, isGreen, passed, type Seen } from "../seen.ts";
import { movedKey } from "../sides.ts";
import { isJudgeTouched } from "./hollow.ts";
import { secondAfter } from "./second-time.ts";

export type AsItIs = {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Checks that must be green and are not. */
  readonly red: readonly { readonly check: CheckSpec; readonly seen: Seen }[];
  readonly flaky: readonly CheckSpec[];
  /** Old tests that pass under the old judge and are not among the candidate's passing tests. */
  readonly missing: readonly string[];
  /** Old tests that still fail under the old judge and pass here, so only because they were changed. */
  readonly rewritten: readonly string[];
};

const longMs = 60_000;

/** While run A is at work, makes the rooms ready in which the whole of B will run. */
export async function roomsAhead(c: Case, tree: TreeId, base: ReadonlyMap<string, Seen>): Promise<void> {
  const short = c.checks.filter(({ name }) => (base.get(name)?.ms ?? 0) <= longMs);
  // One: each holds its place until run A of every check is over.
  for (const check of short.slice(0, 1)) await c.rooms.ahead(check, orderFor(c, { run: "B", tree, judge: "new" }));
}

export async function asTheyStand(
  c: Case,
  tree: TreeId,
  base: ReadonlyMap<string, Seen>,
  underOld: ReadonlyMap<string, Seen>,
): Promise<AsItIs> {
  const seen = new Map<string, Seen>();
  const red: { check: CheckSpec; seen: Seen }[] = [];
  const flaky: CheckSpec[] = [];
  const missing: string[] = [];
  const rewritten: string[] = [];
  for (const check of c.checks) {
    const old = underOld.get(check.name);
    const only = newTestsAlone(c, check, old);
    const at = { run: "B", tree, judge: "new", second: secondAfter(base.get(check.name)), ...only } as const;
    let first = await look(c, check, at);
    // A single red run may be chance: the work goes back only after two.
    if (mustBeGreen(c, check) && !isGreen(first) && first.how !== "cut") {
      const again = await look(c, check, { ...at, again: 1 });
      if (isGreen(again)) flaky.push(check);
      else await refuseGoneNeeds(c, check, base.get(check.name));
      if (!isGreen(again)) red.push({ check, seen: first });
    }
    if (only.only !== undefined && old !== undefined) {
      first = together(old, first);
      if (isGreen(first)) await c.rooms.adopt(check, orderFor(c, { run: "B", tree, judge: "new" }), first);
    }
    seen.set(check.name, first);
    if (old !== undefined) {
      missing.push(...passed(old).filter((key) => !c.isReleased(key) && !didPass(first, movedKey(c.sides, key))));
      rewritten.push(...turnedByChange(c, base.get(check.name), old, first));
    }
    if (c.cut.aborted) break;
  }
  return { seen, red, flaky, missing, rewritten };
}

/**
 * Red that is not the work's fault: a server, a service or the network that the check needs has disappeared since the
 * run on the base, so the base is red by now too. That is a machine problem, and its results are not remembered.
 */
async function refuseGoneNeeds(c: Case, check: CheckSpec, before: Seen | undefined): Promise<void> {
  if (before === undefined || !isGreen(before)) return;
  let seen = before;
  for (const again of [2, 3]) {
    const at = orderFor(c, { run: "base", tree: c.sides.base.id, judge: "old", again });
    seen = await c.rooms.runNow(check, at);
    if (isGreen(seen) || c.cut.aborted) return;
  }
  c.rooms.forgetRed();
  throw new UserError("check-lost-its-needs", {
    what: "The work could not be judged.",
    why: `${check.name} (${check.run}) was green on the code as it was, and fails on the same code now: something that it needs has gone.\n${seen.tail.slice(-800)}`,
    next: "Bring back what the check needs (a server, a service, the network), then: loop continue",
  });
}

/** A long suite is not run a second time where the change adds tests and touches no judge file. */
function newTestsAlone(c: Case, check: CheckSpec, old: Seen | undefined): { only?: readonly string[] } {
  const fresh = c.sides.changes.filter(({ isNew, isTest }) => isNew && isTest).map(({ path }) => path);
  const isLong = (old?.ms ?? 0) > longMs;
  const isSteered = isJudgeTouched(c.sides) || c.packages.new.installed !== c.packages.base.installed;
  return isLong && !isSteered && fresh.length > 0 && old?.tests !== null && c.rooms.selects(check)
    ? { only: fresh }
    : {};
}

const together = (old: Seen, fresh: Seen): Seen => ({
  ...fresh,
  left: [...old.left, ...fresh.left],
  ignored: [...(old.ignored ?? []), ...(fresh.ignored ?? [])],
  tests: old.tests === null || fresh.tests === null ? fresh.tests : new Map([...old.tests, ...fresh.tests]),
});

/** Leaves out rewritten tests that passed at the base: the old judge reports those, and a person may allow them. */
function turnedByChange(c: Case, base: Seen | undefined, old: Seen, now: Seen): string[] {
  if (old.tests === null) return [];
  const failing = [...old.tests]
    .filter(([key, { how }]) => how === "failed" && (base === undefined || !didPass(base, key)))
    .map(([key]) => key);
  return failing.filter((key) => !c.isReleased(key) && didPass(now, movedKey(c.sides, key)));
}
