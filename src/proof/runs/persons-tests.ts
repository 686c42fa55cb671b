// Run A again, without the tests that earlier features of the run have added: the person's own tests must pass alone.
// A test that an agent wrote is an old test for the next feature. It may patch, pin or rewrite what older tests see.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { isGreen, type Seen } from "../seen.ts";
import { moves, sameButImports } from "../source/index.ts";
import { type UnderOldJudge, underOldJudge } from "./old-judge.ts";

/** Protected files of the base that did not come from a person. */
export async function addedByAgents({ order, sides, workspace, release }: Case): Promise<readonly string[]> {
  if (order.person === undefined || order.person === order.base) return [];
  const { base, candidate, classes, changes } = sides;
  // Tests that may change may use helpers from an earlier feature.
  const needed = new Set(changes.filter(({ path }) => release(path)).flatMap(({ path }) => importsOf(path, candidate)));
  const before = new Set(await workspace.list(order.person));
  // Only tests and their helpers: the product may need a file that no rule knows.
  const isTests = (path: string): boolean => {
    const { kind, isTest, rule } = classes.of(path);
    return kind === "judge" && (isTest || rule === "test-name" || rule === "test-helper" || rule === "configuration");
  };
  const added = base.paths.filter((path) => !before.has(path) && isTests(path) && !needed.has(path));
  if (added.length === 0) return [];
  const gone = [...before].filter((path) => !base.has(path));
  const texts = await workspace.readAll(order.person, gone, bytesMax);
  const was = (path: string): string => texts.get(path)?.toString("utf8") ?? "";
  const moved = moves(
    gone.map((path) => ({ path, text: was(path) })),
    added.map((path) => ({ path, text: base.text(path) ?? "" })),
  );
  const same = moved.filter(({ from, to }) => sameButImports(was(from), base.text(to) ?? ""));
  const kept = new Set(same.map(({ to }) => to));
  return added.filter((path) => !kept.has(path));
}

const bytesMax = 1 << 20;

/** `tree` is run A's. Null: there is nothing to leave out. */
export async function personsTests(c: Case, tree: TreeId): Promise<UnderOldJudge | null> {
  const added = await addedByAgents(c);
  if (added.length === 0) return null;
  const without = (of: TreeId): Promise<TreeId> =>
    c.workspace.compose(
      of,
      added.map((path) => ({ path, content: null })),
    );
  const base = new Map<string, Seen>();
  const bare = await without(c.sides.base.id);
  for (const check of c.checks)
    base.set(
      check.name,
      await look(c, check, { run: "base", tree: bare, judge: "old", part: "person", altered: false }),
    );
  // A check that depends on the agents' additions, or has yet to turn green, says nothing without them.
  const checks = c.checks.filter(({ name }) => {
    const seen = base.get(name);
    return seen !== undefined && isGreen(seen);
  });
  if (c.cut.aborted || checks.length === 0) return null;
  return underOldJudge({ ...c, checks }, base, await without(tree), "A", "person", bare);
}
