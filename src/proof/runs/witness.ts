// Run C: the new tests over the old product. A test that passes here does not test what was built.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { didPass, isGreen, passed, type Seen } from "../seen.ts";
import { movedKey } from "../sides.ts";

export type Witnesses = {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Tests that pass on the candidate, did not pass at the base, and do not pass on the old product. */
  readonly tests: readonly string[];
  /** New tests that pass on the old product as well. */
  readonly idle: readonly string[];
  /** Checks without names whose exit code tells. */
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
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), asItIs.get(check.name)];
    if (before === undefined || now === undefined) continue;
    const known = new Set(passed(before).map((key) => movedKey(c.sides, key)));
    const fresh = passed(now).filter((key) => !known.has(key) || c.isReleased(key));
    const isNamed = now.tests !== null;
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
      idle.push(...fresh.filter((key) => didPass(old, key)));
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
