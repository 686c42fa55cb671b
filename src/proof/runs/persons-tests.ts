// Run A once more, without the tests that earlier features of the run have added: what a person left must pass by itself.
// A test that an agent wrote is an old test for the next feature. It may patch, pin or rewrite what the older ones look at.
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import { look } from "../case.ts";
import type { Seen } from "../seen.ts";
import { moves, sameButImports } from "../source/index.ts";
import { type UnderOldJudge, underOldJudge } from "./old-judge.ts";

/** Protected files of the base that no person has left there. */
export async function addedByAgents({ order, sides, workspace }: Case): Promise<readonly string[]> {
  if (order.person === undefined || order.person === order.base) return [];
  const { base, classes } = sides;
  const before = new Set(await workspace.list(order.person));
  const added = base.paths.filter((path) => !before.has(path) && classes.of(path).kind === "judge");
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

/** `tree` is that of run A. Null: there is nothing to leave out. */
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
    base.set(check.name, await look(c, check, { run: "base", tree: bare, judge: "old", part: "person" }));
  if (c.cut.aborted) return null;
  return underOldJudge(c, base, await without(tree), "A", "person", bare);
}
