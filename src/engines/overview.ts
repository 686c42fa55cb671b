// A run of an engine as people are shown it.
import { UserError } from "../core/errors.ts";
import { isFinished } from "../core/tally.ts";
import { type Beside, type Overview, overview } from "../report/overview.ts";
import { proofFiles, readProofs } from "../report/proof-view.ts";
import type { Story } from "../report/story.ts";
import { nothingUndone, type Undone } from "../report/taken-back.ts";
import { outcomeOf } from "../report/words/words.ts";
import type { Worktree } from "../report/worktree.ts";
import { othersState } from "../runtime/records/paths.ts";
import type { Engine } from "./engine.ts";
import { habitIn } from "./habit.ts";
import { openUse } from "./open-use.ts";
import { stepOf } from "./step.ts";
import { readIfPossible } from "./watch.ts";

/** Everything, with the proofs of its commits and how often the same was asked for. */
export async function overviewOf(engine: Engine, run: string): Promise<Overview> {
  const { story, isDriven, file, worktree, isPlain = false } = await engine.read(run);
  const names = proofFiles(story.chronicle);
  const texts = new Map(await Promise.all(names.map(async (name) => [name, await file(name)] as const)));
  const proofs = readProofs(story.chronicle, { read: (name) => texts.get(name) ?? null });
  const [habit, step] = [await habitIn(engine, story), await stepOf(file, story.run)];
  const followedBy = await followerOf(engine, story);
  const open = await openUse(file, story.run);
  return overview(story, {
    isDriven,
    proofs,
    habit,
    step,
    open,
    followedBy,
    isPlain,
    undone: await undoneIn(engine, story),
    ...atWorktree(worktree),
  });
}

/** The history is not read for a run without a feature that is done. */
export const undoneIn = async (engine: Engine, { run }: Story): Promise<Undone> =>
  run.spent.commits === 0 && !run.progress.all.some(isFinished) ? nothingUndone : engine.undone();

/** The run that was begun for what the audit of this one found; null: none. Others are not read unless it handed on. */
export async function followerOf(engine: Engine, { run, chronicle }: Story): Promise<string | null> {
  if (outcomeOf(run)?.kind !== "followup") return null;
  const later = (await engine.runs()).filter((name) => name > chronicle.run).reverse();
  for (const name of later) {
    const story = await readIfPossible(engine, name);
    if (story?.run.contract.followUp.of === chronicle.run) return name;
  }
  return null;
}

/** Another loop's .loop/state.json was there when the run began: this run writes none. */
export const leavesState = async (engine: Engine, run: string): Promise<boolean> =>
  (await (await engine.read(run)).file(othersState)) !== null;

/** A run that can no longer be read, and why. */
export type Unreadable = { readonly run: string; readonly unreadable: string };

/** Every run that is kept, newest first, without reading its proofs. */
export async function overviewsOf(engine: Engine): Promise<readonly (Overview | Unreadable)[]> {
  return Promise.all((await engine.runs()).map((run) => briefOverviewOf(engine, run)));
}

export const isReadable = (run: Overview | Unreadable): run is Overview => !("unreadable" in run);

async function briefOverviewOf(engine: Engine, run: string): Promise<Overview | Unreadable> {
  try {
    const { story, isDriven, worktree, file, isPlain = false } = await engine.read(run);
    const [open, undone] = [await openUse(file, story.run), await undoneIn(engine, story)];
    return overview(story, { isDriven, open, undone, isPlain, ...atWorktree(worktree) });
  } catch (error) {
    if (error instanceof UserError) return { run, unreadable: error.why };
    throw error;
  }
}

export const atWorktree = (worktree: Worktree | undefined): Pick<Beside, "worktree"> =>
  worktree === undefined ? {} : { worktree };
