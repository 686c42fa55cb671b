// Run K: an expected value in an old test is altered. Assertions that still bite turn red, and forged reports do not.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { didPass, isGreen, isRunBy, lost, passed, type Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";
import { type Alteration, altered, alteredSlightly, definedNames, inputsAltered } from "../source/index.ts";
import { type AlteredTest, alteredTests, comparesAltered, failingWhereReached } from "./altered-tests.ts";

export type Canary =
  /** `dulled`: tests that notice at the base and not over the candidate's product. */
  | { readonly is: "red"; readonly what: string; readonly dulled?: readonly string[] }
  /** Red on the base and green over the candidate's product: the candidate turns assertions off. */
  | { readonly is: "green"; readonly what: string }
  | { readonly is: "not-shown"; readonly why: string };

const triesMax = 3;

type Seens = ReadonlyMap<string, Seen>;

export async function canary(c: Case, old: TreeId, base: Seens, underOld: Seens): Promise<Canary> {
  const all = await allAtOnce(c, old, base, underOld);
  const expected = all ?? (await bite(c, old, base, underOld, expectations));
  // Other inputs for existing functions: a value that equals anything a test expects shows here as well.
  for (const made of [nearExpectations, changedInputs]) {
    if (expected.is === "green" || c.cut.aborted) break;
    const found = await bite(c, old, base, underOld, made);
    if (found.is === "green") return found;
  }
  if (expected.is === "green" || c.cut.aborted) return expected;
  const unreached = await noLongerReached(c, old, base, underOld);
  if (unreached.length === 0) return expected;
  const known = expected.is === "red" ? expected : { what: "assertions under a condition", dulled: [] };
  return { is: "red", what: known.what, dulled: [...new Set([...(known.dulled ?? []), ...unreached])] };
}

/**
 * Every expected value in the old tests of the changed code, altered in one go: each test that compares with one has to fail, as
 * it does at the base. Null: they have none that can be altered, or none of them notices at the base either.
 */
async function allAtOnce(c: Case, old: TreeId, base: Seens, underOld: Seens): Promise<Canary | null> {
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), underOld.get(check.name)];
    if (before === undefined || now?.tests == null) continue;
    const files = alteredTests(testsOfChangedCode(c, now), (path) => c.sides.base.text(path));
    if (files.length === 0) continue;
    const what = `${files.length === 1 ? (files[0]?.path ?? "") : `${files.length} test files`} with other expected values`;
    const { isNoticed, dulled, bitesAtBase } = await compared(c, check, old, before, now, files, "canary");
    if (isNoticed) return { is: "red", what, ...(dulled.length === 0 ? {} : { dulled }) };
    return bitesAtBase ? { is: "green", what } : null;
  }
  return null;
}

/**
 * Old tests whose assertions under a condition (in a catch, a branch, a loop over what the product gives) ran at the base, and
 * run no more: they pass whatever the product does.
 */
async function noLongerReached(c: Case, old: TreeId, base: Seens, underOld: Seens): Promise<readonly string[]> {
  const found: string[] = [];
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), underOld.get(check.name)];
    if (before === undefined || now?.tests == null || c.cut.aborted) continue;
    const files = failingWhereReached(testsOfChangedCode(c, now), (path) => c.sides.base.text(path));
    if (files.length > 0) found.push(...(await compared(c, check, old, before, now, files, "reached")).dulled);
  }
  return found;
}

type Compared = {
  /** Whether any test fails over the candidate's product. */
  readonly isNoticed: boolean;
  /** Tests that pass over the candidate's product, and fail at the base. */
  readonly dulled: readonly string[];
  /** Only known if no test fails over the candidate's product. */
  readonly bitesAtBase: boolean;
};

/** Altered tests over the candidate's product and, where some of them pass, over the base's. */
async function compared(
  c: Case,
  check: CheckSpec,
  old: TreeId,
  before: Seen,
  now: Seen,
  files: readonly AlteredTest[],
  part: string,
): Promise<Compared> {
  const lay = files.map(({ path, text }) => ({ path, content: text }));
  const only = c.rooms.selects(check) ? { only: files.map(({ path }) => path) } : {};
  const over = async (run: "K" | "base", tree: TreeId): Promise<Seen> =>
    look(c, check, { run, tree: await c.workspace.compose(tree, lay), judge: "old", part, ...only });
  const isHere = (key: string): boolean =>
    !c.isReleased(key) && didPass(now, key) && files.some(({ path }) => now.tests?.get(key)?.file === path);
  const seen = await over("K", old);
  if (seen.how === "cut") return { isNoticed: false, dulled: [], bitesAtBase: false };
  const isNoticed = lost(now, seen).some(isHere);
  const silent = passed(now).filter(
    (key) => didPass(seen, key) && !c.isReleased(key) && comparesAltered(files, now, key),
  );
  if (isNoticed && silent.length === 0) return { isNoticed, dulled: [], bitesAtBase: false };
  const there = await over("base", c.sides.base.id);
  const dulled = silent.filter((key) => didPass(before, key) && !didPass(there, key));
  return { isNoticed, dulled, bitesAtBase: lost(before, there).some(isHere) };
}

/** Old tests that import what was changed. */
function testsOfChangedCode({ sides, release }: Case, seen: Seen): readonly string[] {
  const changed = new Set(changedCode(sides).map(({ path }) => path));
  return sides.base.paths
    .filter((path) => sides.classes.of(path).isTest && isRunBy(seen, path) && !release(path))
    .filter((path) => importsOf(path, sides.base).some((to) => changed.has(to)))
    .slice(0, filesMax);
}

const filesMax = 20;

async function bite(
  c: Case,
  old: TreeId,
  base: Seens,
  underOld: Seens,
  alterationsOf: (c: Case, seen: Seen) => readonly Alteration[],
): Promise<Canary> {
  let tries = 0;
  for (const check of c.checks) {
    const [before, now] = [base.get(check.name), underOld.get(check.name)];
    if (before === undefined || now === undefined || (now.tests === null && !isGreen(now))) continue;
    for (const alteration of alterationsOf(c, now)) {
      if (tries++ >= triesMax || c.cut.aborted) break;
      // A test that may change has no vote over the candidate, and so none at the base.
      const votes = (key: string): boolean => !c.isReleased(key) && (now.tests === null || didPass(now, key));
      if (await isRed(c, check, old, alteration, { before: now, votes, run: "K" }))
        return { is: "red", what: alteration.what };
      // The base says nothing about a test that it lacks, and a check that was already red cannot show that it bites.
      if (c.release(alteration.path)) continue;
      const bites =
        isGreen(before) && (await isRed(c, check, c.sides.base.id, alteration, { before, votes, run: "base" }));
      if (bites) return { is: "green", what: alteration.what };
    }
  }
  const why =
    tries === 0
      ? "no old test of the changed code has an expected value that could be altered"
      : "no altered value was red on the base";
  return { is: "not-shown", why };
}

/** An expected number that is one off, in tests of existing code: a comparison must not tolerate that. */
const nearExpectations = (c: Case, before: Seen): readonly Alteration[] =>
  changedCode(c.sides).some(({ isNew }) => !isNew) ? expectations(c, before, alteredSlightly).slice(0, 1) : [];

/** Tests that import changed code come first, then any others that the report names. */
function expectations({ sides, release }: Case, before: Seen, make = altered): readonly Alteration[] {
  // The old text of a test that may change says nothing.
  const textOf = (path: string): string | null => (release(path) ? sides.candidate : sides.base).text(path);
  const changed = new Set(changedCode(sides).map(({ path }) => path));
  const tests = sides.base.paths.filter(
    (path) => sides.classes.of(path).isTest && isRunBy(before, path) && textOf(path) !== null,
  );
  const direct = tests.filter((path) => importsOf(path, sides.base).some((to) => changed.has(to)));
  const found = (direct.length > 0 ? direct : tests).slice(0, 20).map((path) => make(path, textOf(path) ?? "", 2));
  return [...found.flatMap((list) => list.slice(0, 1)), ...found.flatMap((list) => list.slice(1))];
}

/** Numbers in calls of functions that the change touched, in old tests that import them. */
function changedInputs({ sides, release }: Case, seen: Seen): readonly Alteration[] {
  const changed = changedCode(sides).filter(({ isNew, kind }) => !isNew && kind !== "deleted");
  return changed.flatMap(({ path }) => {
    const before = new Set(definedNames(path, null, sides.base.text(path)));
    const names = definedNames(path, sides.base.text(path), sides.candidate.text(path)).filter((name) =>
      before.has(name),
    );
    const tests = sides.base.paths.filter(
      (other) =>
        sides.classes.of(other).isTest &&
        isRunBy(seen, other) &&
        !release(other) &&
        importsOf(other, sides.base).includes(path),
    );
    return tests.flatMap((test) => inputsAltered(test, sides.base.text(test) ?? "", names, 1)).slice(0, 1);
  });
}

async function isRed(
  c: Case,
  check: CheckSpec,
  tree: TreeId,
  { path, text }: Alteration,
  {
    before,
    votes,
    run,
  }: { readonly before: Seen; readonly votes: (key: string) => boolean; readonly run: "K" | "base" },
): Promise<boolean> {
  const laid = await c.workspace.compose(tree, [{ path, content: text }]);
  const only = c.rooms.selects(check) ? { only: [path] } : {};
  const seen = await look(c, check, { run, tree: laid, judge: "old", part: "canary", ...only });
  if (seen.how === "cut") return false;
  if (before.tests === null) return !isGreen(seen);
  // A test that was already red shows nothing.
  return lost(before, seen).some((key) => votes(key) && before.tests?.get(key)?.file === path);
}
