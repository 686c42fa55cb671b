// What the runs of triggers have cost in the last 24 hours, and what a run may still cost.
import { usd } from "../../core/ledger.ts";
import type { Engine } from "../../engines/engine.ts";
import { readIfPossible } from "../../engines/watch.ts";
import type { Story } from "../../report/story.ts";
import { money } from "../../report/words/words.ts";
import type { Firing } from "./firing.ts";

export const dayMs = 24 * 3_600_000;

/** What its runs have cost, and what a run that is not over may still cost. */
type Taken = { readonly spent: number; readonly kept: number };
const nothing: Taken = { spent: 0, kept: 0 };

/**
 * What a firing takes from the budgets: what its runs, follow-ups included, have cost where any of it can lie within the last
 * 24 hours, and what a run that is not over may still cost, by the limits that it has now. If they cannot be read, or are
 * about to begin, what they are allowed. A firing whose run was not begun takes nothing, whatever prevented it.
 */
function takenBy({ begunAt, costUsd, costUsdMax }: Firing, stories: readonly Story[], now: number): Taken {
  const last = stories.at(-1);
  if (begunAt === null && last === undefined) return nothing;
  const isRecent = Math.max(begunAt ?? 0, ...stories.map(({ chronicle }) => chronicle.lastAt)) > now - dayMs;
  if (last === undefined) {
    if (!isRecent) return nothing;
    return costUsd === null ? { spent: 0, kept: costUsdMax ?? 0 } : { spent: costUsd, kept: 0 };
  }
  const spent = stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
  return { spent: isRecent ? spent : 0, kept: openOf(last) };
}

function openOf({ run }: Story): number {
  const { costUsdMax } = run.contract.limits;
  const isOver = run.now.is === "stopped" && run.now.outcome.kind !== "followup";
  return isOver || costUsdMax === null ? 0 : Math.max(0, costUsdMax - run.spent.costUsd);
}

/** The cost of all runs of a firing. Null: not begun, or they cannot be read. */
export async function costOf(engine: Engine, firing: Firing): Promise<number | null> {
  const stories = await storiesOf(engine, firing);
  return stories.length === 0 ? firing.costUsd : stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
}

/** Oldest first. */
export const storiesOf = async (engine: Engine, firing: Firing): Promise<readonly Story[]> =>
  (await storiesSince(engine, firing.run)).get(firing.id) ?? [];

/** By the firings that they belong to, oldest first. Ids begin with their time, so that older runs need not be read. */
export async function storiesSince(engine: Engine, since: string): Promise<ReadonlyMap<string, readonly Story[]>> {
  const names = (await engine.runs()).filter((run) => run >= since).reverse();
  const stories = await Promise.all(names.map((run) => readIfPossible(engine, run)));
  const found = new Map<string, Story[]>();
  for (const story of stories.filter((each) => each !== null)) {
    const { task } = story.chronicle;
    found.set(task, [...(found.get(task) ?? []), story]);
  }
  return found;
}

type Budgets = { readonly ofTrigger: number | null; readonly ofAll: number | null };

/** What is left of the tighter of the two budgets, and what has used it up. */
export type Left = Taken & { readonly usd: number; readonly budget: number };

/** Null: there is no budget. */
export async function leftOf(
  engine: Engine,
  firing: Firing,
  others: Iterable<Firing>,
  { ofTrigger, ofAll }: Budgets,
  now: number,
): Promise<Left | null> {
  if (ofTrigger === null && ofAll === null) return null;
  const here = [...others].filter(({ root, id }) => root === firing.root && id !== firing.id);
  const runs = here.map(({ run }) => run).sort();
  const stories = await storiesSince(engine, runs[0] ?? firing.run);
  const taken = here.map((other) => ({ ...takenBy(other, stories.get(other.id) ?? [], now), by: other.trigger }));
  const own = leftIn(
    ofTrigger,
    taken.filter(({ by }) => by === firing.trigger),
  );
  const all = leftIn(ofAll, taken);
  return own === null || (all !== null && all.usd < own.usd) ? all : own;
}

function leftIn(budget: number | null, taken: readonly Taken[]): Left | null {
  if (budget === null) return null;
  const spent = usd(taken.reduce((sum, each) => sum + each.spent, 0));
  const kept = usd(taken.reduce((sum, each) => sum + each.kept, 0));
  return { spent, kept, budget, usd: usd(budget - spent - kept) };
}

/** Why nothing is left. */
export function usedUp({ spent, kept, budget }: Left): string {
  const waits = kept > 0 ? `, and ${money(kept)} is kept for runs that are not over (loop inbox)` : "";
  return `The budget of ${money(budget)} for 24 hours is used up: ${money(spent)} is spent${waits}.`;
}
