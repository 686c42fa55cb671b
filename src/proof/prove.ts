// Proves one candidate: the runs in order, cheapest refusal first, and their findings.
import { type Case, inReleasedFile, onBase, openCase, type Tools } from "./case.ts";
import { Findings } from "./findings/findings.ts";
import { leavesCodeAlone } from "./findings/kinds.ts";
import type { Proved, ProveOrder } from "./prover.ts";
import { refusals } from "./rules/index.ts";
import { rewrittenJudge } from "./rules/rewritten.ts";
import { calledByTurned, everything, meantBy } from "./runs/answers/meant.ts";
import { asTheyStand, roomsAhead } from "./runs/as-it-is.ts";
import { type Canary, canary } from "./runs/canary.ts";
import { otherAnswers, silentFiles } from "./runs/differs.ts";
import { redElsewhere } from "./runs/elsewhere.ts";
import { brokenExamples, contradictedExamples } from "./runs/examples.ts";
import { expectationsBite } from "./runs/expectations.ts";
import { helpedByTests } from "./runs/helpers.ts";
import { hiddenTests } from "./runs/hidden.ts";
import { hollow, isJudgeTouched } from "./runs/hollow.ts";
import { inputsMatter } from "./runs/inputs.ts";
import { readersOfText } from "./runs/neutral.ts";
import { underOldJudge } from "./runs/old-judge.ts";
import { personsTests } from "./runs/persons-tests.ts";
import { compareRuns } from "./runs/programs.ts";
import { redTheSecondTime } from "./runs/second-time.ts";
import { compareAnswers } from "./runs/side-by-side.ts";
import { oldStrengthOf, strengthOf } from "./runs/strength.ts";
import { witnesses } from "./runs/witness.ts";
import type { Seen } from "./seen.ts";
import { asItIs, changedCode, changedJudge, oldJudge, oldJudgeEither, oldProduct } from "./sides.ts";
import { together } from "./turns.ts";

export async function proveCandidate(order: ProveOrder, tools: Tools, cut: AbortSignal): Promise<Proved> {
  const c = await openCase(order, tools, cut);
  const found = new Findings(c);
  const { failures, questions } = await refusals(c);
  found.add({ failures, missing: questions });
  // A change that breaks a rule is refused before a single check is paid for.
  try {
    if (failures.length === 0) await gather(c, found);
  } finally {
    await c.rooms.close();
  }
  return found.result();
}

async function gather(c: Case, found: Findings): Promise<void> {
  const base = await onBase(c);
  if (c.cut.aborted) return;
  const trees = {
    A: await oldJudge(c.sides, c.release, c.workspace),
    B: await asItIs(c.sides, c.workspace),
  };
  found.trees(trees);
  const ahead = roomsAhead(c, trees.B, base);
  const a = await underOldJudge(c, base, trees.A, "A");
  await ahead;
  found.underOldJudge("A", a);
  found.writesExpectations(base, a);
  if (c.cut.aborted) return;
  // Red under the old judge, and the judge was not touched: nothing could explain it.
  if (a.broken.length > 0 && changedJudge(c.sides).length === 0) return;
  // Anything broken here is already reported by the old judge, or explained by the tests that the change rewrote.
  if (a.broken.length === 0) await withoutAgents(c, found, trees.A);
  if (c.cut.aborted || found.isRefused) return;
  const b = await asTheyStand(c, trees.B, base, a.seen);
  found.asItIs(b, a);
  if (c.cut.aborted || b.red.length > 0 || b.flaky.length > 0 || b.rewritten.length > 0) return;
  if (c.order.decided === undefined) await asPeopleRunIt(c, found, base, trees, a.seen, b.seen);
  if (a.broken.length > 0 || b.missing.length > 0) await contradicted(c, found, base, trees, b.seen);
  else {
    await rest(c, found, base, trees, a.seen, b.seen);
    if (c.order.decided === undefined) found.rewrites(rewrittenJudge(c));
  }
}

/** A second time in the same folder, and as it would run elsewhere. */
async function asPeopleRunIt(c: Case, found: Findings, base: Seens, trees: Trees, a: Seens, b: Seens): Promise<void> {
  const seen = [
    { run: "A", tree: trees.A, seen: a },
    { run: "B", tree: trees.B, seen: b },
  ] as const;
  found.secondTime(await redTheSecondTime(c, base, seen));
  if (c.order.contract.proof.depth !== "quick") found.elsewhere(await redElsewhere(c, trees.B, b, base));
}

async function withoutAgents(c: Case, found: Findings, A: Trees["A"]): Promise<void> {
  const alone = await personsTests(c, A);
  if (alone !== null) found.personsTests(alone);
}

type Trees = { readonly A: Awaited<ReturnType<typeof oldJudge>>; readonly B: Awaited<ReturnType<typeof asItIs>> };
type Seens = ReadonlyMap<string, Seen>;

/**
 * Old tests fail over the new product, or are missing from the candidate. When the change rewrote exactly those, and
 * all else holds with them allowed, no machine can tell a changed requirement from a cheat: a person must decide.
 */
async function contradicted(c: Case, found: Findings, base: Seens, trees: Trees, b: Seens): Promise<void> {
  const rewritten = found.rewrittenTests();
  if (rewritten === null || c.order.decided !== undefined || c.order.contract.proof.allow === "never") return;
  const files = new Set(rewritten.files);
  const allowed: Case = {
    ...c,
    release: (path) => files.has(path) || c.release(path),
    isReleased: (key) =>
      rewritten.tests.includes(key) || inReleasedFile(key, (path) => files.has(path)) || c.isReleased(key),
    keepsCount: (path) => !files.has(path) && c.keepsCount(path),
  };
  const A = await oldJudge(allowed.sides, allowed.release, c.workspace);
  const again = new Findings(allowed);
  const a = await underOldJudge(allowed, base, A, "A", "allowed");
  again.underOldJudge("A", a);
  if (a.broken.length > 0 || c.cut.aborted) return;
  await withoutAgents(allowed, again, A);
  await rest(allowed, again, base, { ...trees, A }, a.seen, b);
  found.contradicts(again, rewritten);
}

/** Everything after A and B: does the old judge hold either way, do the tests test the change, do they still bite? */
async function rest(c: Case, found: Findings, base: Seens, trees: Trees, a: Seens, b: Seens): Promise<void> {
  const { depth } = c.order.contract.proof;
  if (c.sides.changes.some(({ either }) => either)) {
    const U = await oldJudgeEither(c.sides, c.release, c.workspace);
    found.trees({ U });
    found.underOldJudge("U", await underOldJudge(c, base, U, "U"));
  }
  found.helped(await helpedByTests(c, trees.A, base));
  // A person has decided: what remains to be shown is that nothing old broke.
  if (c.order.decided !== undefined || found.isRefused || c.cut.aborted) return;
  if (found.kind === "docs" || found.kind === "judge") return;
  // A review is enough for what was built. Whether the tests still bite also matters to later features.
  if (c.feature.enough === "review") return stillBites(c, found, base, trees, a, b);
  found.examples(await contradictedExamples(c, trees.B), await brokenExamples(c, trees.B));
  const C = await oldProduct(c.sides, c.workspace);
  const isKept = found.kind === "keep";
  const seen = isKept && !c.sides.changes.some(({ isTest }) => isTest) ? null : await witnesses(c, C, base, b);
  const bites = async (): Promise<Canary | null> =>
    depth !== "quick" && changedCode(c.sides).length > 0 ? canary(c, trees.A, base, a) : null;
  // What a refactoring adds counts as a change when its tests show it.
  let bitten: Canary | null;
  if (seen === null || (isKept && seen.tests.length === 0))
    [bitten] = await together([bites(), asKept(c, found, trees, a)]);
  else {
    found.trees({ C });
    found.witnesses(seen);
    if (c.cut.aborted || (seen.tests.length === 0 && seen.checks.length === 0)) return;
    [bitten] = await together([bites(), depth === "quick" ? null : asChange(c, found, base, trees, a, b, seen)]);
  }
  const { hidden } = c.order;
  if (hidden !== undefined && !c.cut.aborted) found.hidden(await hiddenTests(c, trees.B, hidden));
  if (bitten !== null) found.canary(bitten);
  await stillBites(c, found, base, trees, a, b);
}

/** Run F, where protected files were changed. */
async function stillBites(c: Case, found: Findings, base: Seens, trees: Trees, a: Seens, b: Seens): Promise<void> {
  if (!isJudgeTouched(c.sides) || c.cut.aborted) return;
  // Where files or tests of the judge are released, run A no longer shows the old judge: the base does.
  const isReleased = changedJudge(c.sides).some(
    ({ path }) => c.release(path) || c.releasedTests.some((test) => test.startsWith(`${path} > `)),
  );
  const old = isReleased
    ? { tree: c.order.base, product: c.sides.base, seen: base }
    : { tree: trees.A, product: c.sides.candidate, seen: a };
  found.hollow(await hollow(c, old, { tree: trees.B, seen: b }));
}

/** The old tests cover what was rearranged, and it answers as before. */
async function asKept(c: Case, found: Findings, trees: Trees, a: Seens): Promise<void> {
  if (c.order.contract.proof.depth === "quick") return;
  const strength = await oldStrengthOf(c, trees.A, a);
  // Comments, types and removed code have no function that could be emptied, and the remaining code was not touched.
  if (strength.tried.length > 0 || !leavesCodeAlone(c)) found.oldStrength(strength);
  const files = changedCode(c.sides).map(({ path }) => path);
  const { changed } = await compareAnswers(c, trees.A, everything);
  const otherwise = changed.length > 0 ? changed : await compareRuns(c, trees.A, everything);
  found.otherAnswers(otherwise.length > 0 ? otherwise : await otherAnswers(c, trees.A, a, files));
}

/** The new tests call what was built, notice when a piece is missing, and expect answers that depend on the input. */
async function asChange(
  c: Case,
  found: Findings,
  base: Seens,
  trees: Trees,
  a: Seens,
  b: Seens,
  seen: Awaited<ReturnType<typeof witnesses>>,
): Promise<void> {
  const meant = meantBy(c.feature);
  const turned = calledByTurned(c, base, a);
  const stays = {
    changes: (name: string): boolean => meant.changes(name) || turned.has(name),
    keeps: meant.keeps,
    isShown: true,
  };
  const [readers, expectations, strength, { changed, unsteady }, runs] = await together([
    readersOfText(c, trees.B, b, seen),
    expectationsBite(c, trees.B, base, b),
    strengthOf(c, trees.B, b, seen.files),
    compareAnswers(c, trees.A, stays),
    compareRuns(c, trees.A, stays),
  ]);
  found.readersOfText(readers);
  found.expectations(expectations);
  found.strength(strength);
  found.unsteady(unsteady);
  const otherwise = [...changed, ...runs];
  found.otherAnswers(otherwise.length > 0 ? otherwise : await otherAnswers(c, trees.A, a, silentFiles(strength)));
  // Tests that notice nothing would notice no other input either.
  if (!found.isWeak) found.inputs(await inputsMatter(c, trees.B, b));
}
