// What the runs of triggers have cost in the last 24 hours, and what a run may still cost.
import type { Engine } from "../../engines/engine.ts";
import { readIfPossible } from "../../engines/watch.ts";
import type { Firing } from "./firing.ts";

export const dayMs = 24 * 3_600_000;

/** The cost of all runs of a firing, follow-ups included. If they cannot be read, what they were allowed. */
export async function costOf(engine: Engine, firing: Firing): Promise<number> {
  const stories = await storiesOf(engine, firing);
  if (stories.length === 0) return firing.costUsd ?? firing.costUsdMax ?? 0;
  return stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
}

/** Oldest first. Ids begin with their time, so that older runs need not be read. */
export async function storiesOf(engine: Engine, firing: Firing) {
  const names = (await engine.runs()).filter((run) => run >= firing.run).reverse();
  const stories = await Promise.all(names.map((run) => readIfPossible(engine, run)));
  return stories.filter((story) => story !== null).filter(({ chronicle }) => chronicle.task === firing.id);
}

type Budgets = { readonly ofTrigger: number | null; readonly ofAll: number | null };

/** What is left of the two budgets; null: there is none. */
export async function leftOf(
  engine: Engine,
  firing: Firing,
  others: Iterable<Firing>,
  { ofTrigger, ofAll }: Budgets,
  now: number,
): Promise<number | null> {
  if (ofTrigger === null && ofAll === null) return null;
  let [own, all] = [0, 0];
  for (const other of others) {
    if (other.root !== firing.root || other.id === firing.id) continue;
    if (other.begunAt === null || other.begunAt <= now - dayMs) continue;
    const cost = await costOf(engine, other);
    all += cost;
    if (other.trigger === firing.trigger) own += cost;
  }
  const left = [ofTrigger === null ? null : ofTrigger - own, ofAll === null ? null : ofAll - all];
  return Math.min(...left.filter((each) => each !== null));
}
