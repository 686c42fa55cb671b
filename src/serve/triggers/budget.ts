// What the runs of triggers have cost in the last 24 hours, and what a run may still cost.
import type { Engine } from "../../engines/engine.ts";
import { readIfPossible } from "../../engines/watch.ts";
import type { Firing } from "./firing.ts";

export const dayMs = 24 * 3_600_000;

/**
 * What a firing takes from the budgets: what its runs, follow-ups included, have cost where any of it can lie within the
 * last 24 hours, and what a run that rests may still cost when it is answered. If they cannot be read, what they were allowed.
 */
async function takenBy(engine: Engine, firing: Firing, now: number): Promise<number> {
  if (firing.begunAt === null) return 0;
  const stories = await storiesOf(engine, firing);
  const last = stories.at(-1);
  const isRecent = Math.max(firing.begunAt, ...stories.map(({ chronicle }) => chronicle.lastAt)) > now - dayMs;
  if (last === undefined) return isRecent ? (firing.costUsd ?? firing.costUsdMax ?? 0) : 0;
  const spent = stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
  const open = last.run.now.is === "stopped" ? 0 : Math.max(0, (firing.costUsdMax ?? spent) - spent);
  return (isRecent ? spent : 0) + open;
}

/** The cost of all runs of a firing. Null: not begun, or they cannot be read. */
export async function costOf(engine: Engine, firing: Firing): Promise<number | null> {
  const stories = await storiesOf(engine, firing);
  return stories.length === 0 ? firing.costUsd : stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
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
    const cost = await takenBy(engine, other, now);
    all += cost;
    if (other.trigger === firing.trigger) own += cost;
  }
  const left = [ofTrigger === null ? null : ofTrigger - own, ofAll === null ? null : ofAll - all];
  return Math.min(...left.filter((each) => each !== null));
}
