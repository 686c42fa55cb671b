// How long sessions have taken here, by role: what people go by while they wait for one.
import type { Role } from "../core/run.ts";
import type { Story } from "../report/story.ts";
import type { Engine } from "./engine.ts";
import { readIfPossible } from "./watch.ts";

/** Enough for five of the rarer roles. */
const runsMax = 10;
const shownMax = 5;

type Took = { readonly role: Role; readonly ms: number };
export type PastSessions = readonly Took[];

/** Of the runs before this one, oldest first. */
export async function pastSessions(engine: Engine, run: string): Promise<PastSessions> {
  const earlier = (await engine.runs()).filter((name) => name < run).slice(0, runsMax);
  const took: Took[] = [];
  for (const name of earlier.reverse()) {
    const story = await readIfPossible(engine, name);
    if (story !== null) took.push(...sessionsOf(story));
  }
  return took;
}

/** The last sessions of this role that ended by themselves, in milliseconds. */
export const lastOf = (past: PastSessions, story: Story, role: Role): readonly number[] =>
  [...past, ...sessionsOf(story)]
    .filter((session) => session.role === role)
    .map(({ ms }) => ms)
    .slice(-shownMax);

function sessionsOf({ chronicle }: Story): Took[] {
  const all = [...chronicle.whole, ...chronicle.iterations.flatMap(({ sessions }) => sessions)];
  return all
    .filter(({ failed }) => !failed)
    .sort((one, other) => one.endedAt - other.endedAt)
    .map(({ role, ms }) => ({ role, ms }));
}
