// Run E, its other half: alters everything that the new tests expect at once. A test that still passes expects nothing.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { didPass, passed, type Seen } from "../seen.ts";
import { movedKey } from "../sides.ts";
import { alteredTests, comparesAltered } from "./altered-tests.ts";

export type Expectations = {
  /** New tests that are skipped, or marked as allowed to fail. */
  readonly skipped: readonly string[];
  /** New tests that pass with other expected values. */
  readonly empty: readonly string[];
  /** How many have an expected value that could be altered. */
  readonly tried: number;
};

type Seens = ReadonlyMap<string, Seen>;

export async function expectationsBite(c: Case, tree: TreeId, base: Seens, b: Seens): Promise<Expectations> {
  const skipped: string[] = [];
  const empty: string[] = [];
  let tried = 0;
  const tests = c.sides.changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path }) => path);
  const altered = alteredTests(tests, (path) => c.sides.candidate.text(path));
  const laid = await c.workspace.compose(
    tree,
    altered.map(({ path, text }) => ({ path, content: text })),
  );
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), b.get(check.name)];
    if (before === undefined || now?.tests == null) continue;
    const known = new Set([...(before.tests?.keys() ?? [])].map((key) => movedKey(c.sides, key)));
    const own = new Set(tests);
    const fresh = [...now.tests].filter(([key, { file }]) => !known.has(key) && file !== null && own.has(file));
    skipped.push(
      ...fresh.filter(([key, { how }]) => how === "skipped" && !isElsewhere(c, now, key)).map(([key]) => key),
    );
    const watched = passed(now).filter((key) => !known.has(key) && comparesAltered(altered, now, key));
    if (watched.length === 0) continue;
    const only = c.rooms.selects(check) ? { only: altered.map(({ path }) => path) } : {};
    const seen = await look(c, check, { run: "E", tree: laid, judge: "new", part: "expected", ...only });
    if (seen.how === "cut" || seen.tests === null) continue;
    tried += watched.length;
    empty.push(...watched.filter((key) => didPass(seen, key)));
  }
  return { skipped, empty, tried };
}

/** A test for another platform, or for a missing package, says so where it is skipped. */
function isElsewhere({ sides }: Case, seen: Seen, key: string): boolean {
  const file = seen.tests?.get(key)?.file ?? "";
  const text = sides.candidate.text(file) ?? "";
  return /\bskip[Ii]f\b|\bskipUnless\b|\bskipif\b|\bimportorskip\b|\bplatform\b|GOOS|cfg\((?:target_os|windows|unix)/.test(
    text,
  );
}
