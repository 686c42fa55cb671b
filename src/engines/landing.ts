// Commits in a worktree that have not landed: whose they are, and what a person is told about them.
import { Bug } from "../core/errors.ts";
import type { InboxWords } from "../report/words/inbox-words.ts";
import { outcomeOf } from "../report/words/words.ts";
import { landingText, landNext } from "../report/worktree.ts";
import type { Engine, Landed, Reading } from "./engine.ts";
import { findRun, readingIfPossible } from "./watch.ts";

/** Older runs are too long ago to be meant without their name. */
const runsMax = 50;

export async function land(engine: Engine, run: string): Promise<Landed> {
  const { landed } = await engine.send(run, { type: "land" });
  if (landed === undefined) throw new Bug(`the engine did not say what became of landing ${run}`);
  return landed;
}

/** The named run, or the latest with commits that have not landed; else the latest, which then says why there is nothing. */
export async function runToLand(engine: Engine, named?: string): Promise<string> {
  if (named !== undefined) return findRun(engine, named);
  for (const run of (await engine.runs()).slice(0, runsMax))
    if ((await readingIfPossible(engine, run))?.worktree?.isAhead === true) return run;
  return findRun(engine);
}

/** A success that has not landed is not where its owner looks for it, and nothing else would remind them of it. */
export function waitsToLand({ story, worktree }: Reading): InboxWords[] {
  if (worktree?.isAhead !== true || worktree.landsBy === "pull-request" || outcomeOf(story.run)?.kind !== "success")
    return [];
  return [
    {
      about: "run",
      kind: "landing",
      what: landingText({ ...worktree, left: null }),
      rootCause: worktree.left ?? "It was not landed when the run ended.",
      supposition: null,
      next: landNext(worktree),
    },
  ];
}
