// What becomes of a feature after an attempt: complete, tried again, or shelved for a person.

import { breakerTripped } from "./breakers.ts";
import { atGate } from "./gates.ts";
import type { CommitId, FeatureId } from "./ids.ts";
import type { Candidate, Cause, InboxItem, Phase, Progress, Run, Work } from "./run.ts";
import { featureOf, progressOf } from "./select.ts";
import { rest } from "./stop.ts";
import { tallyOf, withProgress } from "./tally.ts";

export function update(run: Run, id: FeatureId, change: Partial<Progress>): Run {
  return { ...run, progress: withProgress(run.progress, id, { ...progressOf(run, id), ...change }) };
}

/** An attempt did not count. The same root cause twice, or too many tries, is a matter for a person. */
export function failAttempt(run: Run, work: Work, cause: Cause): Run {
  const before = progressOf(run, work.feature);
  const failed = update(run, work.feature, { lastCause: cause });
  if (cause.kind === "must-not") return shelve(failed, work, cause, "A must-not became true.");
  if (before.lastCause?.key === cause.key) return shelve(failed, work, cause, "The same root cause twice.");
  if (work.attempt > run.contract.limits.reworkMax) {
    return shelve(failed, work, cause, `Not done after ${work.attempt} attempts.`);
  }
  if (startsOver(work, cause)) return { ...failed, now: { is: "undoing", work, cause, after: { do: "rework" } } };
  return rework(failed, work.feature);
}

/** Unfinished work is built upon once. Work that cannot be trusted, or that failed again, is set aside first. */
function startsOver(work: Work, cause: Cause): boolean {
  const spoiled: Cause["kind"][] = ["tampering", "misdeed", "scope", "secret", "rejected"];
  return work.attempt > 1 || spoiled.includes(cause.kind);
}

function shelve(run: Run, work: Work, cause: Cause, why: string): Run {
  const item: InboxItem = {
    kind: "failed",
    feature: work.feature,
    text: `${why} ${cause.text}`,
    supposition: null,
    next: "Read the reason, mend the feature's description or criteria, then: loop continue",
  };
  return setAside(run, work, cause, item);
}

/** The work is undone, and the feature waits for a person with this item. */
export function setAside(run: Run, work: Work, cause: Cause, item: InboxItem): Run {
  return { ...run, now: { is: "undoing", work, cause, after: { do: "shelve", item } } };
}

export function afterRollback(run: Run, now: Extract<Phase, { is: "undoing" }>): Run {
  const { feature } = now.work;
  if (now.after.do === "rework") return rework(update(run, feature, { base: null, builtBy: null }), feature);
  const shelved = update(run, feature, { status: "blocked", base: null, builtBy: null });
  const filed = { ...shelved, inbox: [...shelved.inbox, now.after.item] };
  if (now.cause.kind !== "must-not") return endIteration(filed, feature);
  return rest(filed, { kind: "breaker", breaker: "must-not", why: now.cause.text }, { is: "between" });
}

function rework(run: Run, feature: FeatureId): Run {
  return endIteration(update(run, feature, { status: "needs-rework" }), feature);
}

export function complete(run: Run, work: Work, candidate: Candidate, commit: CommitId): Run {
  const { criteria } = featureOf(run.contract, work.feature);
  const done = update(run, work.feature, {
    status: "complete",
    commit,
    proof: candidate.proof,
    grade: candidate.grade,
    base: null,
    builtBy: null,
    criteriaMet: criteria.map((_, index) => index),
  });
  const head = { tree: candidate.tree, commit };
  return endIteration({ ...done, head, spent: { ...done.spent, commits: done.spent.commits + 1 } }, work.feature);
}

/** The end of a pass over one feature: the breakers look, then the gate. */
function endIteration(run: Run, feature: FeatureId): Run {
  const met = tallyOf(run.progress).criteriaMet;
  const stuck = met > run.streaks.met ? 0 : run.streaks.stuck + 1;
  // The most that were ever met: losing a criterion and meeting it again is not progress.
  const ended = { ...run, streaks: { ...run.streaks, met: Math.max(met, run.streaks.met), stuck } };
  const tripped = breakerTripped(ended);
  if (tripped !== null) return rest(ended, tripped, { is: "between" });
  return atGate(ended, "G2", { why: `${said(ended, feature)} Go on?`, onward: { is: "between" }, feature });
}

function said(run: Run, feature: FeatureId): string {
  const { status, lastCause } = progressOf(run, feature);
  if (status === "complete") return `Iteration ${run.spent.iterations}: ${feature} is proved and committed.`;
  const why = lastCause?.text.split("\n", 1)[0] ?? "";
  const where = status === "blocked" ? "is in the inbox" : "is to be done again";
  return `Iteration ${run.spent.iterations}: ${feature} ${where}: ${why}`;
}
