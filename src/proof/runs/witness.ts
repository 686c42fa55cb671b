// Run C: the new tests over the old product. A test that passes here does not test what was built.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { didPass, isGreen, passed, type Seen } from "../seen.ts";
import { changedJudge, isTestOrExpected, movedKey, type Sides } from "../sides.ts";
import { onlyAdds, sameButImports } from "../source/index.ts";

export type Witnesses = {
  readonly seen: ReadonlyMap<string, Seen>;
  /**
   * Tests that pass on the candidate and do not pass on the old product: they did not pass at the base either, or the change
   * has added to them.
   */
  readonly tests: readonly string[];
  /** New tests that pass on the old product as well. */
  readonly idle: readonly string[];
  /** Checks without names that fail on the old product, by their exit code. */
  readonly checks: readonly string[];
  /** The files that the witnesses are in; null: they cannot be run alone. */
  readonly files: readonly string[] | null;
};

export async function witnesses(
  c: Case,
  tree: TreeId,
  base: ReadonlyMap<string, Seen>,
  asItIs: ReadonlyMap<string, Seen>,
): Promise<Witnesses> {
  const seen = new Map<string, Seen>();
  const tests: string[] = [];
  const idle: string[] = [];
  const checks: string[] = [];
  const files = new Set<string | null>();
  const addedTo = testsAddedTo(c.sides);
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), asItIs.get(check.name)];
    if (before === undefined || now === undefined) continue;
    const known = new Set(passed(before).map((key) => movedKey(c.sides, key)));
    // New, failed before, or rewritten with permission.
    const isFresh = (key: string): boolean => !known.has(key) || c.isReleased(key);
    const fresh = passed(now).filter(
      (key) => isFresh(key) || comparesAnew(c, now) || addedTo.has(now.tests?.get(key)?.file ?? ""),
    );
    const isNamed = now.tests !== null && (fresh.length > 0 || !hasNameless(c, now));
    if (isNamed && fresh.length === 0) continue;
    const where = isNamed ? [...new Set(fresh.map((key) => now.tests?.get(key)?.file ?? null))] : [null];
    const only =
      c.rooms.selects(check) && where.every((file) => file !== null)
        ? { only: where.flatMap((file) => file ?? []) }
        : {};
    const old = await look(c, check, { run: "C", tree, judge: "new", ...only });
    seen.set(check.name, old);
    if (isNamed) {
      const telling = fresh.filter((key) => !didPass(old, key));
      tests.push(...telling);
      idle.push(...fresh.filter((key) => didPass(old, key) && isFresh(key)));
      for (const key of telling) files.add(now.tests?.get(key)?.file ?? null);
    } else if (isGreen(now) && !isGreen(old)) {
      checks.push(check.name);
      files.add(null);
    }
    if (c.cut.aborted) break;
  }
  const where = [...files];
  return {
    seen,
    tests,
    idle,
    checks,
    files: where.length === 0 || where.includes(null) ? null : where.flatMap((file) => file ?? []),
  };
}

/** Test files that have every line that they had, and more than imports: an old test in there may assert something new as well. */
const testsAddedTo = ({ changes, base, candidate }: Sides): ReadonlySet<string> =>
  new Set(
    changes
      .filter(({ isTest, kind }) => isTest && kind === "modified")
      .map(({ path }) => path)
      .filter((path) => {
        const [was, is] = [base.text(path) ?? "", candidate.text(path) ?? ""];
        return onlyAdds(was, is) && !sameButImports(was, is);
      }),
  );

/** A new test file without tests in the report: a script that only asserts. Only its exit code counts. */
function hasNameless({ sides }: Case, { tests }: Seen): boolean {
  const files = new Set([...(tests?.values() ?? [])].map(({ file }) => file));
  return sides.changes.some(({ isNew, isTest, path }) => isNew && isTest && !files.has(path));
}

/** A snapshot or an expected file was rewritten with permission: then any test may check something new. */
function comparesAnew({ sides, release }: Case, { tests }: Seen): boolean {
  const files = new Set([...(tests?.values() ?? [])].map(({ file }) => file));
  return changedJudge(sides).some(
    (change) => isTestOrExpected(change) && release(change.path) && !files.has(change.path),
  );
}
