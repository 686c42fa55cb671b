// How often this was asked for before: reads the earlier runs only if it matters.
import { UserError } from "../core/errors.ts";
import { countsForHabit, type Habit, habitOf } from "../runtime/habit.ts";
import type { Story } from "../runtime/story.ts";
import type { Engine } from "./engine.ts";

/** Older runs are too long ago to matter. */
const runsMax = 50;

export async function habitIn(engine: Engine, story: Story): Promise<Habit> {
  if (!countsForHabit(story)) return habitOf(story, []);
  const earlier = (await engine.runs()).filter((name) => name < story.chronicle.run).slice(0, runsMax);
  const stories = await Promise.all(earlier.map((name) => readable(engine, name)));
  return habitOf(
    story,
    stories.flatMap((each) => each ?? []),
  );
}

/** Null: an earlier run that can no longer be read. */
async function readable(engine: Engine, run: string): Promise<Story | null> {
  try {
    return (await engine.read(run)).story;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
