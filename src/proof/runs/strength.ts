// Run D: takes back a piece of the change, or empties an added body. A test must notice.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { isGreen, lost, type Seen } from "../seen.ts";
import { changedCode, type Move } from "../sides.ts";
import { fairly, type Mutant, mutants } from "../source/index.ts";
import { twoAtOnce } from "../turns.ts";
import { isAlike } from "./alike.ts";

export type Tried = {
  readonly what: string;
  readonly noticed: boolean;
  readonly path: string;
  readonly kind: Mutant["kind"];
};
export type Strength = {
  readonly tried: readonly Tried[];
  readonly noticed: number;
  /** Old lines that were only written in another way: nothing tells them apart, so no test can notice. Not in `tried`. */
  readonly alike?: readonly string[];
};

export const mutantsTried = { quick: 0, standard: 4, deep: 12 } as const;
/** More for a change of many files, so that adding well-tested ones does not pay. */
const perChangeMax = { quick: 0, standard: 16, deep: 40 } as const;
/** For still more files, one piece each, so that none is left out. */
export const mutantsMax = { quick: 0, standard: 48, deep: 80 } as const;

/** The tests of the candidate, over the candidate with one mutant. */
export async function strengthOf(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  only: readonly string[] | null,
): Promise<Strength> {
  const all = mutantsOf(c, c.sides.moved);
  const tried = await twoAtOnce(all, (mutant, at) => tryOne(c, tree, mutant, asItIs, only, at + 1));
  const alike = new Set<Tried>();
  for (const [at, one] of tried.entries()) {
    const mutant = all[at];
    if (one.noticed || one.kind !== "line" || mutant === undefined || c.cut.aborted) continue;
    if (await isAlike(c, tree, await withMutant(c, tree, mutant), mutant)) alike.add(one);
  }
  return { ...strength(tried.filter((one) => !alike.has(one))), alike: [...alike].map(({ what }) => what) };
}

/** A function or an old line is tried with the new tests, and then with all: an old test may cover it. */
async function tryOne(
  c: Case,
  tree: TreeId,
  mutant: Mutant,
  asItIs: ReadonlyMap<string, Seen>,
  only: readonly string[] | null,
  number: number,
): Promise<Tried> {
  const { what, path, kind } = mutant;
  const mutated = await withMutant(c, tree, mutant);
  const byNew = await isNoticed(c, mutated, asItIs, only, { run: "D", part: `${number}` });
  const isOver = byNew || kind === "hunk" || only === null || c.cut.aborted;
  const noticed = isOver ? byNew : await isNoticed(c, mutated, asItIs, null, { run: "D", part: `${number}-all` });
  return { what, path, kind, noticed };
}

/** The old tests, over the new product with one mutant: the measure for a change that keeps behaviour. */
export async function oldStrengthOf(c: Case, tree: TreeId, underOld: ReadonlyMap<string, Seen>): Promise<Strength> {
  // A moved file counts as new here: its content has to be noticed in its new place.
  const changed = mutantsOf(c, []).filter(({ kind }) => kind === "body");
  const tried = await twoAtOnce(changed, async (mutant, at) => {
    const mutated = await withMutant(c, tree, mutant);
    const noticing = { run: "D", judge: "old", part: `${at + 1}` } as const;
    const { what, path, kind } = mutant;
    return { what, path, kind, noticed: await isNoticed(c, mutated, underOld, null, noticing) };
  });
  return strength(tried);
}

const strength = (tried: readonly Tried[]): Strength => ({ tried, noticed: tried.filter((one) => one.noticed).length });

/** Chosen from the two trees alone, so that a later proof tries the same ones. Every file gets its turn. */
function mutantsOf({ sides, order }: Case, moves: readonly Move[]): readonly Mutant[] {
  const { depth } = order.contract.proof;
  const perFileMax = mutantsTried[depth];
  const moved = new Map(moves.map(({ from, to }) => [to, from]));
  // A change of documents that comes with a test is taken back like code.
  const code = changedCode(sides);
  const pieces = code.length > 0 ? code : sides.changes.filter(({ side }) => side === "product");
  const countOf = (way: string, text: string | null): number => (text ?? "").split(way).length - 1;
  const isElsewhere = (way: string): boolean => {
    const texts = pieces.map(({ path }) => [sides.base.text(path), sides.candidate.text(path)] as const);
    const [was, is] = [0, 1].map((side) => texts.reduce((sum, text) => sum + countOf(way, text[side] ?? null), 0));
    return (is ?? 0) >= (was ?? 0);
  };
  const perFile = pieces
    .filter(({ kind }) => kind !== "deleted")
    .map(({ path }) => mutants(path, sides.base.text(moved.get(path) ?? path), sides.candidate.text(path), perFileMax))
    .map((list) => list.filter(({ leaves }) => leaves === undefined || !isElsewhere(leaves)));
  const wanted = Math.min(perChangeMax[depth], Math.max(2 * perFileMax, 3 * perFile.length));
  const max = Math.min(mutantsMax[depth], Math.max(wanted, perFile.length));
  const found = fairly(perFile, max);
  if (found.length > 0) return found;
  // The change has no separate pieces: each file is taken back whole.
  return pieces
    .filter(({ path }) => !moved.has(path))
    .slice(0, max)
    .map(({ path }) => ({ path, what: `${path} taken back`, text: sides.base.text(path), kind: "hunk" }));
}

const withMutant = ({ workspace }: Case, tree: TreeId, { path, text }: Mutant): Promise<TreeId> =>
  workspace.compose(tree, [{ path, content: text }]);

type Noticing = { readonly run: "D" | "E" | "F"; readonly part: string; readonly judge?: "old" | "new" };

/** Any check that passed on the candidate and fails here; a run that hits its time limit is red. */
export async function isNoticed(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  only: readonly string[] | null,
  { run, part, judge = "new" }: Noticing,
): Promise<boolean> {
  for (const check of c.checks) {
    const now = asItIs.get(check.name);
    if (now === undefined) continue;
    const selected = only !== null && c.rooms.selects(check) ? { only } : {};
    const seen = await look(c, check, { run, tree, judge, part, ...selected });
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
