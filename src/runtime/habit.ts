// How often a similar request was made in this workspace, and completed.

import { isQueueRequest } from "../formats/queue/queue-request.ts";
import type { Story } from "../report/story.ts";
import { outcomeOf } from "../report/words/words.ts";
import { alike, patternHint } from "./request-words.ts";

export type Habit = { readonly nth: number; readonly hint: string | null };

/** Only successful runs count: asking again after a failure is not a habit. */
export const countsForHabit = ({ run }: Story): boolean =>
  outcomeOf(run)?.kind === "success" && !isQueueRequest(run.contract.request);

/** `earlier`: the stories of the runs before this one. */
export function habitOf(story: Story, earlier: readonly Story[]): Habit {
  if (!countsForHabit(story)) return { nth: 1, hint: null };
  const done = earlier.filter(countsForHabit).map(requestOf);
  const nth = 1 + alike(done, requestOf(story));
  return { nth, hint: patternHint(nth, story.chronicle.run) };
}

const requestOf = ({ run }: Story): string => run.contract.request.slice(0, 500);
