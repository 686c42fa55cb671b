// Commits in a worktree that have not landed: whose they are, and what a person is told about them.
import { Bug } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { InboxWords } from "../report/words/inbox-words.ts";
import { endSentence, outcomeOf, rejections } from "../report/words/words.ts";
import { landingLeft, landingText } from "../report/worktree.ts";
import type { Engine, Landed, Reading } from "./engine.ts";
import { findRun, readIfPossible, readingIfPossible } from "./watch.ts";

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

/**
 * What a person should know before they land it; null: nothing. `rejected`: why they rejected the result of an earlier run in
 * its worktree, which this one was to put right.
 */
export type Caution = { readonly why: string; readonly rejected: readonly string[] };

export async function cautionOf(engine: Engine, { story: { run }, worktree }: Reading): Promise<Caution | null> {
  const outcome = outcomeOf(run);
  if (worktree?.isAhead !== true || outcome === null || outcome.kind === "success") return null;
  const rejected = [...rejections(run.audit)];
  for (let { of } = run.contract.followUp; of !== null; ) {
    const before = await readIfPossible(engine, of);
    rejected.unshift(...rejections(before?.run.audit ?? null));
    of = before?.run.contract.followUp.of ?? null;
  }
  return { why: endSentence(run, outcome), rejected };
}

/** For a pull request they are where they should be. */
export function waitsToLand({ story: { run }, worktree }: Reading): InboxWords[] {
  const next = landingLeft(worktree, run.now);
  if (next === null || worktree === undefined || worktree.landsBy === "pull-request") return [];
  return [
    {
      about: "run",
      kind: "landing",
      what: landingText({ ...worktree, left: null }),
      rootCause: worktree.left ?? whyNotLanded(run),
      supposition: null,
      next,
    },
  ];
}

const whyNotLanded = (run: Run): string =>
  run.now.is === "stopped" && run.now.outcome.kind !== "success"
    ? endSentence(run, run.now.outcome)
    : "It was not landed when the run ended.";
