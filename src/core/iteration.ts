// The start of an iteration: stop first, then select.
import { update } from "./attempt.ts";
import type { Feature } from "./contract.ts";
import type { FeatureId } from "./ids.ts";
import { capReached, iterationCaps } from "./ledger.ts";
import { progressAsRead, type Run } from "./run.ts";
import { allDone, select, unfinished } from "./select.ts";
import { file, rest } from "./stop.ts";

export function beginIteration(before: Run, features: readonly Feature[] | null): Run {
  const run = features === null ? before : withFeatures(before, features);
  if (allDone(run)) return { ...run, now: { is: "closing" } };
  const feature = select(run);
  if (feature === null) return nothingToDo(run);
  const over = capReached(run, iterationCaps);
  if (over !== null) return rest(run, over, { is: "between" });
  const counted = { ...run, spent: { ...run.spent, iterations: run.spent.iterations + 1 } };
  return { ...update(counted, feature.id, { status: "in-progress" }), now: { is: "marking", feature: feature.id } };
}

/** What is left waits for a person: for an answer first, since that is quickest to give. */
function nothingToDo(run: Run): Run {
  const questions = run.inbox.filter((item) => item.kind === "question");
  const [first] = questions;
  if (first === undefined) return file(run, { kind: "inbox", features: unfinished(run) });
  const why = questions.length === 1 ? `A question waits: ${first.text}` : `${questions.length} questions wait.`;
  return rest(run, { kind: "needs-person", why, next: first.next }, { is: "between" });
}

/** A person edited the work queue. Features not yet begun follow the file; what was begun stays as it was agreed. */
function withFeatures(run: Run, edited: readonly Feature[]): Run {
  const begun = run.contract.features.filter((f) => isBegun(run, f.id));
  const begunIds = new Set(begun.map((f) => f.id));
  const features = [...begun, ...edited.filter((f) => !begunIds.has(f.id))];
  const progress = Object.fromEntries(features.map((f) => [f.id, run.progress[f.id] ?? progressAsRead(f)]));
  return { ...run, contract: { ...run.contract, features }, progress };
}

export function isBegun(run: Run, id: FeatureId): boolean {
  const progress = run.progress[id];
  return progress !== undefined && (progress.attempts > 0 || progress.status === "complete");
}
