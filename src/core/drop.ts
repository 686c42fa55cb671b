// A replaced request takes its open features along: the work on the one in hand is taken out of the folder first.
import { settledAt, workInFolder } from "./cancel.ts";
import { replacement } from "./cause.ts";
import type { FeatureId } from "./ids.ts";
import { entriesOf, progresses, progressIn } from "./progresses.ts";
import type { Phase, Run, Work } from "./run.ts";
import { startSession } from "./stop.ts";
import { isFinished } from "./tally.ts";

/** What is complete by now stays. A run that rests stays at rest, and continues with the folder's restoration. */
export function dropFeatures(before: Run, features: readonly FeatureId[]): Run {
  const run = { ...before, asked: null };
  const open = features.filter((id) => isOpen(run, id));
  if (open.length === 0) return run;
  const phase = run.now.is === "resting" ? run.now.resume : run.now;
  const found = workInFolder(run, phase);
  const inHand = found !== null && open.includes(found.feature) ? found : null;
  const dropped = without(
    run,
    open.filter((id) => id !== inHand?.feature),
  );
  const spent = inHand === null ? run.spent : settledAt(run, phase);
  const now: Phase = inHand === null ? unmarked(phase, open) : undoing(inHand);
  return { ...dropped, spent, now: run.now.is === "resting" ? { ...run.now, resume: now } : now };
}

/** The folder is as it was before the feature, or someone else's commit is in the way and it is a checkout of that. */
export function afterDropping(run: Run, { feature, base }: Work): Run {
  const free: Run = { ...without(run, [feature]), left: base.tree, now: { is: "between" } };
  if (!run.contract.stages.includes("plan")) return free;
  return startSession(free, { role: "planner", work: null, candidate: null, pair: { round: 1, findings: [] } });
}

const undoing = (work: Work): Phase => ({ is: "undoing", work, cause: replacement, after: { do: "drop" } });

/** A feature that is only about to begin has changed nothing yet. */
const unmarked = (phase: Phase, open: readonly FeatureId[]): Phase =>
  phase.is === "marking" && open.includes(phase.feature) ? { is: "between" } : phase;

function isOpen({ progress }: Run, id: FeatureId): boolean {
  const of = progressIn(progress, id);
  return of !== undefined && !isFinished(of);
}

function without(run: Run, features: readonly FeatureId[]): Run {
  const gone = new Set(features);
  const held = features.filter((id) => (progressIn(run.progress, id)?.held ?? null) !== null);
  return {
    ...run,
    contract: { ...run.contract, features: run.contract.features.filter(({ id }) => !gone.has(id)) },
    progress: progresses(entriesOf(run.progress).filter(([id]) => !gone.has(id))),
    inbox: run.inbox.filter(({ feature }) => feature === null || !gone.has(feature)),
    released: [...new Set([...run.released, ...held])],
  };
}
