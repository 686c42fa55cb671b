// What happens to a feature after an attempt: complete, tried again, or shelved for a person.

import { breakerTripped } from "./breakers.ts";
import type { Cause } from "./cause.ts";
import type { Contract } from "./contract.ts";
import { atGate } from "./gates.ts";
import type { CommitId, FeatureId } from "./ids.ts";
import type { InboxItem, TriedEnough } from "./inbox.ts";
import type { Became, Need } from "./need.ts";
import { withProgress } from "./progresses.ts";
import { withReleased } from "./reopen.ts";
import type { AfterUndoing, Candidate, Progress, Run, Work } from "./run.ts";
import { allDone, featureOf, progressOf } from "./select.ts";
import { rest, resume } from "./stop.ts";
import { tallyOf } from "./tally.ts";

/** Stands for the person where a feature was reviewed by none. */
export const byChecker = "the checker";

export function update(run: Run, id: FeatureId, change: Partial<Progress>): Run {
  return { ...run, progress: withProgress(run.progress, id, { ...progressOf(run, id), ...change }) };
}

/** An attempt failed. The same root cause twice, or too many attempts, needs a person. */
export function failAttempt(run: Run, work: Work, cause: Cause): Run {
  const failed = update(run, work.feature, { lastCause: cause });
  if (cause.kind === "must-not") return shelve(failed, work, cause, { is: "must-not" });
  const over = triedEnough(run, work, cause);
  if (over !== null) return shelve(failed, work, cause, over);
  if (startsOver(work, cause)) return { ...failed, now: { is: "undoing", work, cause, after: { do: "rework" } } };
  return rework(failed, work.feature);
}

/** Why there is no further attempt; null if there is one. */
export function triedEnough(run: Run, work: Work, cause: Cause): TriedEnough | null {
  // Before its first attempt there is none that could repeat: the feature is new, or a person had it started over.
  const lastCause = work.attempt === 1 ? null : progressOf(run, work.feature).lastCause;
  // A tester that is blocked has found a fault in the code, which the builder is told.
  if (cause.kind === "blocked" && work.stage === "implement") return { is: "blocked" };
  // A session without a reply says nothing about the feature: the breaker for errors counts it.
  if (cause.kind !== "session" && lastCause?.key === cause.key) return { is: "same-cause" };
  if (isRegression(lastCause) && isRegression(cause)) return { is: "regression" };
  if (lastCause?.kind === "scope" && cause.kind === "scope") return { is: "scope" };
  return work.attempt > run.contract.limits.reworkMax ? { is: "attempts", attempts: work.attempt } : null;
}

const isRegression = (cause: Cause | null): boolean => cause?.frame?.is === "regression";

/**
 * Unfinished work is built upon once. Work that cannot be trusted, or that failed again, is rolled back first; work
 * that only lacks a proof is always built upon.
 */
function startsOver(work: Work, cause: Cause): boolean {
  const spoiled: Cause["kind"][] = ["tampering", "misdeed", "scope", "secret", "rejected"];
  return cause.kind !== "unproved" && (work.attempt > 1 || spoiled.includes(cause.kind));
}

function shelve(run: Run, work: Work, cause: Cause, over: TriedEnough): Run {
  return setAside(run, work, cause, { kind: "failed", feature: work.feature, over, cause });
}

/** The work is rolled back, and the feature waits for a person with this inbox item. */
export function setAside(run: Run, work: Work, cause: Cause, item: InboxItem): Run {
  return { ...run, now: { is: "undoing", work, cause, after: { do: "shelve", item } } };
}

export function afterRollback(
  before: Run,
  work: Work,
  cause: Cause,
  after: Exclude<AfterUndoing, { do: "cancel" | "drop" }>,
): Run {
  const { feature } = work;
  const run = { ...before, left: work.base.tree };
  if (after.do === "rework") return rework(update(run, feature, { base: null, builtBy: null }), feature);
  if (after.do === "hold") return { ...run, now: { is: "holding", work, held: after.held, item: after.item } };
  const shelved = update(run, feature, { status: "blocked", base: null, builtBy: null });
  const filed = { ...shelved, inbox: [...shelved.inbox, after.item] };
  if (cause.kind !== "must-not") return endIteration(filed, feature);
  return rest(filed, { kind: "breaker", breaker: "must-not", cause }, { is: "between" });
}

function rework(run: Run, feature: FeatureId): Run {
  return endIteration(update(run, feature, { status: "needs-rework" }), feature);
}

export function complete(run: Run, work: Work, candidate: Candidate, commit: CommitId): Run {
  const { feature } = work;
  const { criteria } = featureOf(run.contract, feature);
  const { held } = progressOf(run, feature);
  const done = update(run, feature, {
    status: "complete",
    commit,
    proof: candidate.proof,
    grade: candidate.grade,
    base: null,
    builtBy: null,
    held: null,
    reviewedBy: candidate.grade === "reviewed" ? (work.decided?.by ?? byChecker) : null,
    criteriaMet: criteria.map((_, index) => index),
  });
  const { tree } = candidate;
  const counted = { ...done, head: { tree, commit }, left: tree, spent: withCommit(done.spent) };
  return endIteration(held === null ? counted : { ...counted, released: withReleased(run, feature) }, feature);
}

const withCommit = (spent: Run["spent"]): Run["spent"] => ({ ...spent, commits: spent.commits + 1 });

/** The end of a pass over one feature: first the breakers, then the gate. */
export function endIteration(run: Run, feature: FeatureId): Run {
  const met = tallyOf(run.progress).criteriaMet;
  const stuck = met > run.streaks.met ? 0 : stuckAfter(run, feature);
  // The maximum ever met: losing a criterion and meeting it again is not progress.
  const ended = { ...run, streaks: { ...run.streaks, met: Math.max(met, run.streaks.met), stuck } };
  const tripped = breakerTripped(ended, feature);
  if (tripped !== null) return rest(ended, tripped, { is: "between" });
  // After the last iteration, the question whether the whole is done is the same one, unless an audit comes between.
  if (asksOnce(ended.contract) && allDone(ended)) return resume(ended, { is: "between" });
  const need: Need = { about: "iteration", iteration: run.spent.iterations, feature, ...became(ended, feature) };
  return atGate(ended, "G2", { need, onward: { is: "between" }, feature });
}

/** The count of iterations without a further criterion, after another one. */
function stuckAfter(run: Run, feature: FeatureId): number {
  const { held, status, attempts } = progressOf(run, feature);
  const { stuck } = run.streaks;
  // Held work is as far as the run can take a feature, so it does not count as being stuck.
  if (held !== null) return 0;
  if (isSetAside(run, feature)) return stuck;
  // One that is escalated counts once, however often it was tried: it says nothing about the features after it. Five in
  // a row do: then the agent or the workspace is the reason.
  return status === "blocked" ? Math.max(0, stuck + 1 - attempts) + 1 : stuck + 1;
}

/** It waits for a person from its first look on: that says nothing about the features that can be built. */
const isSetAside = ({ inbox }: Run, feature: FeatureId): boolean =>
  inbox.some(
    (item) =>
      item.feature === feature && (item.kind === "question" || (item.kind === "failed" && item.over.is === "blocked")),
  );

const asksOnce = ({ gates, stages }: Contract): boolean => gates.includes("G3") && !stages.includes("audit");

function became(run: Run, feature: FeatureId): Became {
  const { status, lastCause, grade, reviewedBy } = progressOf(run, feature);
  if (status !== "complete") return { became: status === "blocked" ? "shelved" : "rework", cause: lastCause };
  return grade === "reviewed" ? { became: "reviewed", by: reviewedBy } : { became: "proved" };
}
