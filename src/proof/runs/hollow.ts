// Run F: bodies that the old judge notices when they are emptied must be noticed by the new judge, too.
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import type { Seen } from "../seen.ts";
import { changedJudge, type Sides } from "../sides.ts";
import { bodies, emptied, hasInnerTests, splice, withoutInnerTests } from "../source/index.ts";
import { underOldJudge } from "./old-judge.ts";
import { everyTestVotes, isNoticed } from "./strength.ts";

export type Hollow = {
  /** Bodies that the old judge notices. */
  readonly noticed: readonly string[];
  /** Those of them that the new judge does not. */
  readonly missed: readonly string[];
};

const perDepth = { quick: 3, standard: 3, deep: 8 } as const;
const triesMax = 8;

/** Whether the change touches what later work will be judged by: protected files, or new ones that could steer a runner. */
export const isJudgeTouched = (sides: Sides): boolean =>
  changedJudge(sides).length > 0 ||
  sides.changes.some(({ isNew, side, path }) => isNew && (side === "other" || steers(side, path)));

const steers = (side: string, path: string): boolean =>
  side === "test" && !/[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+\.py$|_test\.[^/]+$/.test(path);

export async function hollow(
  c: Case,
  trees: { readonly old: TreeId; readonly asItIs: TreeId },
  /** Not the base: a check that was red there would notice nothing. */
  underOld: ReadonlyMap<string, Seen>,
  asItIs: ReadonlyMap<string, Seen>,
): Promise<Hollow> {
  const max = perDepth[c.order.contract.proof.depth];
  const noticed: string[] = [];
  const missed: string[] = [];
  for (const [at, { path, what, old, now }] of candidates(c.sides).slice(0, triesMax).entries()) {
    if (noticed.length >= max || c.cut.aborted) break;
    const part = `hollow-${at + 1}`;
    const under = await c.workspace.compose(trees.old, [{ path, content: old }]);
    const { broken } = await underOldJudge(everyTestVotes(c), underOld, under, "D", part);
    if (broken.length === 0) continue;
    noticed.push(what);
    const laid = await c.workspace.compose(trees.asItIs, [{ path, content: now }]);
    if (!(await isNoticed(c, laid, asItIs, null, part, "F"))) missed.push(what);
  }
  return { noticed, missed };
}

/** The file with one body emptied, with the tests inside it as each judge has them. */
type Emptied = { readonly path: string; readonly what: string; readonly old: string; readonly now: string };

/** Bodies of product files that the changed judge files use come first; one of each file before a second of any. */
function candidates(sides: Sides): readonly Emptied[] {
  const { candidate, classes, changes, base } = sides;
  const judged = new Set(
    changedJudge(sides).flatMap(({ path }) => [...importsOf(path, base), ...importsOf(path, candidate)]),
  );
  const sided = new Map(changes.map((change) => [change.path, change.side]));
  const isProduct = (path: string): boolean =>
    (sided.get(path) ?? (base.has(path) ? classes.of(path).kind : "other")) === "product";
  const files = candidate.paths.filter((path) => isProduct(path) && candidate.text(path) !== null);
  const sorted = [...files.filter((path) => judged.has(path)), ...files.filter((path) => !judged.has(path))];
  const perFile = sorted.slice(0, 40).map((path) => emptiedBodies(path, candidate.text(path) ?? "", base.text(path)));
  return [0, 1, 2, 3].flatMap((at) => perFile.flatMap((list) => list.slice(at, at + 1)));
}

function emptiedBodies(path: string, text: string, before: string | null): Emptied[] {
  const inner = hasInnerTests(path, text) || (before !== null && hasInnerTests(path, before));
  const code = inner ? withoutInnerTests(path, text) : text;
  return bodies(path, code).flatMap((body): Emptied[] => {
    const without = emptied(path, code, body);
    if (without === null) return [];
    const what = `${path}:${body.line} ${body.name}()`;
    if (!inner) return [{ path, what, old: without, now: without }];
    return [
      { path, what, old: before === null ? without : splice(path, without, before), now: splice(path, without, text) },
    ];
  });
}
