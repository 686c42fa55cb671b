// How often this was asked for before: reads the earlier runs only if it matters.

import type { Story } from "../report/story.ts";
import { countsForHabit, type Habit, habitOf } from "../runtime/habit.ts";
import type { Engine } from "./engine.ts";
import { readIfPossible } from "./watch.ts";

/** Older runs are too long ago to matter. */
const runsMax = 50;

export async function habitIn(engine: Engine, story: Story): Promise<Habit> {
  if (!countsForHabit(story)) return habitOf(story, []);
  const earlier = (await engine.runs()).filter((name) => name < story.chronicle.run).slice(0, runsMax);
  const stories = await Promise.all(earlier.map((name) => readIfPossible(engine, name)));
  return habitOf(
    story,
    stories.flatMap((each) => each ?? []),
  );
}
