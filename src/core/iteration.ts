// The start of an iteration: stop first, then select.
import { update } from "./attempt.ts";
import type { Feature } from "./contract.ts";
import { beginTakingUp, nextDecided } from "./held.ts";
import type { FeatureId } from "./ids.ts";
import type { InboxItem, Obstacle } from "./inbox.ts";
import { capReached, iterationCaps } from "./ledger.ts";
import type { Need } from "./need.ts";
import { progresses, progressIn } from "./progresses.ts";
import { progressAsRead, type Run, startedOver } from "./run.ts";
import { allDone, featureOf, isDone, select, unfinished } from "./select.ts";
import { file, rest } from "./stop.ts";

export function beginIteration(before: Run, features: readonly Feature[] | null): Run {
  const run = features === null ? before : withFeatures(before, features);
  if (allDone(run)) return { ...run, now: { is: "closing" } };
  const decided = nextDecided(run);
  if (decided !== null) return beginTakingUp(run, decided);
  const feature = select(run);
  if (feature === null) return nothingToDo(run);
  const over = capReached(run, iterationCaps);
  if (over !== null) return rest(run, over, { is: "between" });
  // The feature is being worked on again, so its inbox items are obsolete.
  const inbox = run.inbox.filter(
    (item) => item.feature !== feature.id && !(item.feature === null && item.kind === "blocked"),
  );
  const counted = { ...run, inbox, spent: { ...run.spent, iterations: run.spent.iterations + 1 } };
  return { ...update(counted, feature.id, { status: "in-progress" }), now: { is: "marking", feature: feature.id } };
}

/** Everything left needs a person: questions first, since they are the quickest to answer. */
function nothingToDo(before: Run): Run {
  const run = { ...before, inbox: [...before.inbox, ...unspoken(before)] };
  const questions = run.inbox.filter((item) => item.kind === "question");
  const [first] = questions;
  if (first === undefined) return file(run, { kind: "inbox", features: unfinished(run) });
  const { feature, question } = first;
  const need: Need = { about: "question", feature, question, waiting: questions.length };
  return rest(run, { kind: "needs-person", need }, { is: "between" });
}

/** Unfinished features without an inbox item: blocked in their file, or waiting for a dependency. */
function unspoken(run: Run): InboxItem[] {
  const spoken = new Set(run.inbox.map(({ feature }) => feature));
  return unfinished(run)
    .filter((id) => !spoken.has(id))
    .map((id) => {
      const missing = featureOf(run.contract, id).dependencies.filter((other) => !isDone(run, other));
      const progress = progressIn(run.progress, id);
      const needs = missing.length > 0 && (progress?.status !== "blocked" || progress.held !== null);
      const by: Obstacle = needs ? { is: "dependencies", missing } : { is: "blocked-before" };
      return { kind: "blocked", feature: id, by };
    });
}

/**
 * A person edited the work queue. Features not yet begun follow the file; the others stay as agreed. A shelved feature
 * with other words starts over.
 */
export function withFeatures(run: Run, edited: readonly Feature[]): Run {
  const before = new Map(run.contract.features.map((f) => [f.id, f]));
  const begun = run.contract.features.filter((f) => isBegun(run, f.id));
  const begunIds = new Set(begun.map((f) => f.id));
  const features = [...begun, ...edited.filter((f) => !begunIds.has(f.id))];
  const again = new Set(features.filter((f) => isReworded(run, before.get(f.id), f)).map((f) => f.id));
  const progress = progresses(
    features.map((f) => {
      const was = progressIn(run.progress, f.id) ?? progressAsRead(f);
      return [f.id, again.has(f.id) ? startedOver(was, { lastCause: null }) : was];
    }),
  );
  const kept = new Set(features.map((f) => f.id).filter((id) => !again.has(id)));
  const inbox = run.inbox.filter(({ feature }) => feature === null || kept.has(feature));
  return { ...run, contract: { ...run.contract, features }, progress, inbox };
}

const isReworded = (run: Run, before: Feature | undefined, after: Feature): boolean =>
  before !== undefined &&
  progressIn(run.progress, after.id)?.status === "blocked" &&
  wordsOf(before) !== wordsOf(after);

/** Everything that a person writes about a feature, whatever the order of its keys. */
const wordsOf = ({ status: _, ...feature }: Feature): string =>
  JSON.stringify(Object.entries(feature).sort(([one], [other]) => (one < other ? -1 : 1)));

export function isBegun(run: Run, id: FeatureId): boolean {
  const progress = progressIn(run.progress, id);
  if (progress === undefined) return false;
  const { attempts, base, commit, status, held } = progress;
  // A rejection resets its attempts, but not its work in the tree, in a commit or on hold.
  if (base !== null || commit !== null || held !== null || status === "complete") return true;
  // The work of a shelved feature was taken out, and a person may correct its words.
  return attempts > 0 && status !== "blocked";
}
