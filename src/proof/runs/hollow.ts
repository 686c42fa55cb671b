// Run F: the new judge must also notice the emptied bodies that the old judge notices.
import type { TreeId } from "../../core/ids.ts";
import type { LaidFile } from "../../workspace/workspace.ts";
import type { Case } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import type { Seen } from "../seen.ts";
import { changedJudge, type Sides } from "../sides.ts";
import { bodies, emptied, hasInnerTests, splice, withoutInnerTests } from "../source/index.ts";
import type { LoadedTree } from "../trees.ts";
import { isNoticed } from "./strength.ts";

export type Hollow = {
  /** Bodies that the old judge notices. */
  readonly noticed: readonly string[];
  /** Those that the new judge does not notice. */
  readonly missed: readonly string[];
};

const perDepth = { quick: 3, standard: 3, deep: 8 } as const;
const triesMax = 8;

/** Whether the change touches what later work is judged by: protected files, or new ones that could steer a runner. */
export const isJudgeTouched = (sides: Sides): boolean =>
  changedJudge(sides).length > 0 ||
  sides.changes.some(({ isNew, side, path }) => isNew && (side === "other" || steers(side, path)));

const steers = (side: string, path: string): boolean =>
  side === "test" && !/[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+\.py$|_test\.[^/]+$/.test(path);

/** A product under a judge, and the results of its checks. */
export type Judged = { readonly tree: TreeId; readonly seen: ReadonlyMap<string, Seen> };

export async function hollow(c: Case, old: Judged & { product: LoadedTree }, now: Judged): Promise<Hollow> {
  const max = perDepth[c.order.contract.proof.depth];
  const noticed: string[] = [];
  const missed: string[] = [];
  for (const [at, body] of candidates(c.sides, old.product).slice(0, triesMax).entries()) {
    if (noticed.length >= max || c.cut.aborted) break;
    const part = `hollow-${at + 1}`;
    const before = await c.workspace.compose(old.tree, [body.old]);
    if (!(await isNoticed(c, before, old.seen, null, { run: "D", part, judge: "old" }))) continue;
    noticed.push(body.what);
    const after = await c.workspace.compose(now.tree, [body.now]);
    if (!(await isNoticed(c, after, now.seen, null, { run: "F", part }))) missed.push(body.what);
  }
  return { noticed, missed };
}

/** One body emptied, in the file as each judge has it, with its own inner tests. */
type Emptied = { readonly what: string; readonly old: LaidFile; readonly now: LaidFile };

/** Bodies of product files that the changed judge files use come first; one of each file before a second of any. */
function candidates(sides: Sides, product: LoadedTree): readonly Emptied[] {
  const { candidate, classes, changes, base } = sides;
  const judged = new Set(
    changedJudge(sides).flatMap(({ path }) => [...importsOf(path, base), ...importsOf(path, candidate)]),
  );
  const sided = new Map(changes.map((change) => [change.path, change.side]));
  const isProduct = (path: string): boolean =>
    (sided.get(path) ?? (base.has(path) ? classes.of(path).kind : "other")) === "product";
  const files = candidate.paths.filter((path) => isProduct(path) && candidate.text(path) !== null);
  const sorted = [...files.filter((path) => judged.has(path)), ...files.filter((path) => !judged.has(path))];
  const perFile = sorted.slice(0, 40).map((path) => emptiedBodies(sides, product, path));
  return [0, 1, 2, 3].flatMap((at) => perFile.flatMap((list) => list.slice(at, at + 1)));
}

/** Bodies that the old product also has: under the same name, or identical under another. */
function emptiedBodies({ base, candidate, moved }: Sides, product: LoadedTree, path: string): Emptied[] {
  const from = product === candidate ? path : (moved.find(({ to }) => to === path)?.from ?? path);
  const before = emptiedIn(from, product.text(from) ?? "", base.text(from));
  return emptiedIn(path, candidate.text(path) ?? "", candidate.text(path)).flatMap(
    ({ key, name, line, inside, content }) => {
      const old = before.find((one) => one.key === key) ?? before.find((one) => one.inside === inside);
      if (old === undefined) return [];
      const what = `${path}:${line} ${name}()`;
      return [{ what, old: { path: from, content: old.content }, now: { path, content } }];
    },
  );
}

type EmptiedText = {
  readonly key: string;
  readonly name: string;
  readonly line: number;
  readonly inside: string;
  readonly content: string;
};

/** The text with each of its bodies emptied, and its inner tests taken from `tests`. */
function emptiedIn(path: string, text: string, tests: string | null): EmptiedText[] {
  const inner = hasInnerTests(path, text) || (tests !== null && hasInnerTests(path, tests));
  const code = inner ? withoutInnerTests(path, text) : text;
  const copies = new Map<string, number>();
  return bodies(path, code).flatMap((body): EmptiedText[] => {
    const { name, line } = body;
    // Methods of several classes may share a name: their order distinguishes them.
    const copy = (copies.get(name) ?? 0) + 1;
    copies.set(name, copy);
    const without = emptied(path, code, body);
    if (without === null) return [];
    const content = inner && tests !== null ? splice(path, without, tests) : without;
    return [{ key: `${name} ${copy}`, name, line, inside: code.slice(body.from, body.to), content }];
  });
}
