// Run D: a piece of the change is taken back, or an added body emptied. A test must notice.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { isGreen, lost, type Seen } from "../seen.ts";
import { changedCode, type Move } from "../sides.ts";
import { fairly, type Mutant, mutants } from "../source/index.ts";
import { underOldJudge } from "./old-judge.ts";

export type Tried = { readonly what: string; readonly noticed: boolean };
export type Strength = { readonly tried: readonly Tried[]; readonly noticed: number };

export const mutantsTried = { quick: 0, standard: 4, deep: 12 } as const;

/** The tests of the candidate, over the candidate with one mutant. */
export async function strengthOf(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  only: readonly string[] | null,
): Promise<Strength> {
  const tried: Tried[] = [];
  for (const [at, mutant] of mutantsOf(c, c.sides.moved).entries()) {
    const mutated = await withMutant(c, tree, mutant);
    tried.push({ what: mutant.what, noticed: await isNoticed(c, mutated, asItIs, only, `${at + 1}`) });
    if (c.cut.aborted) break;
  }
  return strength(tried);
}

/**
 * The old tests, over the new product with one mutant: what a change that keeps behaviour is measured by. Tests that it was
 * allowed to rewrite, a function's new name in them, notice as well.
 */
export async function oldStrengthOf(c: Case, tree: TreeId, underOld: ReadonlyMap<string, Seen>): Promise<Strength> {
  const tried: Tried[] = [];
  // A file that moved counts as new here: what is in it has to be noticed where it is now.
  const changed = mutantsOf(c, []).filter(({ kind }) => kind === "body");
  for (const [at, mutant] of changed.entries()) {
    const mutated = await withMutant(c, tree, mutant);
    const { broken } = await underOldJudge(everyTestVotes(c), underOld, mutated, "D", `${at + 1}`);
    tried.push({ what: mutant.what, noticed: broken.length > 0 });
    if (c.cut.aborted) break;
  }
  return strength(tried);
}

/** What a test passed before the mutant, it can lose by it, whoever wrote it. */
export const everyTestVotes = (c: Case): Case => ({ ...c, isReleased: () => false });

const strength = (tried: readonly Tried[]): Strength => ({ tried, noticed: tried.filter((one) => one.noticed).length });

/** Chosen by the two trees alone, so that a later proof tries the same ones. Every file has its turn. */
function mutantsOf({ sides, order }: Case, moves: readonly Move[]): readonly Mutant[] {
  const max = mutantsTried[order.contract.proof.depth];
  const moved = new Map(moves.map(({ from, to }) => [to, from]));
  // A change of documents that comes with a test is taken back like code.
  const code = changedCode(sides);
  const pieces = code.length > 0 ? code : sides.changes.filter(({ side }) => side === "product");
  const perFile = pieces
    .filter(({ kind }) => kind !== "deleted")
    .map(({ path }) => mutants(path, sides.base.text(moved.get(path) ?? path), sides.candidate.text(path), max));
  const found = fairly(perFile, max);
  if (found.length > 0) return found;
  // Nothing in it is a piece of its own: each file is taken back whole.
  return pieces
    .filter(({ path }) => !moved.has(path))
    .slice(0, max)
    .map(({ path }) => ({ path, what: `${path} taken back`, text: sides.base.text(path), kind: "hunk" }));
}

const withMutant = ({ workspace }: Case, tree: TreeId, { path, text }: Mutant): Promise<TreeId> =>
  workspace.compose(tree, [{ path, content: text }]);

/** Any check that stood on the candidate and does not stand here; a run that is cut off by its time limit is red. */
export async function isNoticed(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  only: readonly string[] | null,
  part: string,
  run: "D" | "E" | "F" = "D",
): Promise<boolean> {
  for (const check of c.checks) {
    const now = asItIs.get(check.name);
    if (now === undefined) continue;
    const selected = only !== null && c.rooms.selects(check) ? { only } : {};
    const seen = await look(c, check, { run, tree, judge: "new", part, ...selected });
    if (seen.how === "cut") return false;
    if (isGreen(now) && !isGreen(seen)) return true;
    const here = lost(now, seen).filter((key) => inFiles(now, key, selected.only));
    if (here.length > 0) return true;
  }
  return false;
}

function inFiles(seen: Seen, key: string, only: readonly string[] | undefined): boolean {
  const file = seen.tests?.get(key)?.file ?? null;
  return only === undefined || (file !== null && only.includes(file));
}
