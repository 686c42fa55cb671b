// A run that was paused or interrupted comes before a new one: it holds the folder, and part of it is paid for. One that
// waits for an answer comes before another run over the same queue.
import { progressIn } from "../core/progresses.ts";
import type { Spend } from "../core/run.ts";
import { standingOf } from "../report/state.ts";
import type { Story } from "../report/story.ts";
import { unprovedInFolder, unprovedVerb } from "../report/words/left.ts";
import { cost, featureCount } from "../report/words/words.ts";
import type { Engine } from "./engine.ts";
import { overviewOf } from "./overview.ts";
import { readingIfPossible } from "./watch.ts";

/** `isApart`: it works in a worktree, so that another run can begin meanwhile. */
export type Resumable = {
  readonly run: string;
  readonly says: string;
  readonly next: string;
  readonly isApart: boolean;
};

/** The latest run if it should be resumed or cancelled first; null: nothing is in the way. */
export async function resumableRun(engine: Engine, hasRequest: boolean): Promise<Resumable | null> {
  const [run] = await engine.runs();
  if (run === undefined) return null;
  // One that can no longer be read cannot be resumed either.
  const reading = await readingIfPossible(engine, run);
  if (reading === null || reading.isDriven) return null;
  const { story, worktree } = reading;
  const where = worktree === undefined ? "the folder" : "its worktree";
  // With the session in hand.
  const { spent } = await overviewOf(engine, run);
  const says = (is: string): string => saysOf(story, is, where, spent);
  const isApart = worktree !== undefined;
  if (isCutShort(story)) return { run, says: says("can be resumed"), next: "Resume it: loop continue", isApart };
  // With a request, the person wants something else first.
  return hasRequest || !waitsForAnswer(story)
    ? null
    : { run, says: says("waits for you"), next: `Answer it: ${standingOf(story.run, false).next}`, isApart };
}

function waitsForAnswer({ run: { now } }: Story): boolean {
  if (now.is !== "resting" || now.outcome.kind !== "needs-person") return false;
  return now.outcome.gate !== undefined || now.outcome.need.about === "question";
}

function isCutShort(story: Story): boolean {
  const { state, outcome } = standingOf(story.run, false);
  if (state === "over") return false;
  return state !== "waits-for-you" || outcome?.kind === "cap" || unprovedInFolder(story).length > 0;
}

function saysOf(story: Story, is: string, where: string, spent: Spend): string {
  const { run, chronicle } = story;
  const { done, total } = featureCount(run);
  const features = unprovedInFolder(story);
  const names = features.map((id) => `${id}, attempt ${progressIn(run.progress, id)?.attempts ?? 1}`);
  const work =
    names.length === 0 ? "" : ` Its unproved work (${names.join("; ")}) ${unprovedVerb(story, features)} in ${where}.`;
  const { why } = standingOf(run, false);
  return `Run ${chronicle.run} ${is}. ${why} ${done} of ${total} done, ${cost(spent)}.${work}`;
}
