// Stopping and resting. A run that rests knows what it would do next; a stopped run does nothing more.

import type { TreeId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { capReached, sessionCaps } from "./ledger.ts";
import type { Limits } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import { progressIn, withProgress } from "./progresses.ts";
import { type InSession, noStreaks, type Phase, type Run, startedOver, type Work } from "./run.ts";

export function stop(run: Run, outcome: Outcome): Run {
  return { ...run, asked: null, left: null, now: { is: "stopped", outcome } };
}

/** While the run rests, a person may work in the folder, and their changes count. */
export function rest(run: Run, outcome: Outcome, resume: Phase): Run {
  return { ...run, asked: null, left: null, now: { is: "resting", outcome, resume } };
}

/** The run has gone as far as it can by itself: its records are written and committed before it says so. */
export function file(run: Run, outcome: Outcome): Run {
  return { ...run, now: { is: "filing", outcome } };
}

/** The only entrance to a paid session: nothing is spent on any other path. */
export function startSession(run: Run, session: Omit<InSession, "is" | "ticket">): Run {
  const phase: InSession = { is: "in-session", ...session, ticket: null };
  const over = capReached(run, sessionCaps);
  return over === null ? { ...run, now: phase } : rest(run, over, phase);
}

/** The only entrance to a proof. A proof that has begun is finished: each of its checks has its own time limit. */
export function startProof(run: Run, work: Work, candidate: TreeId): Run {
  const phase: Phase = { is: "proving", work, candidate };
  const over = capReached(run, ["check-minutes"]);
  return over === null ? { ...run, now: phase } : rest(run, over, phase);
}

/** Resumes a phase, through its entrance if it has one. */
export function resume(run: Run, phase: Phase): Run {
  if (phase.is === "in-session" && phase.ticket === null) return startSession(run, phase);
  if (phase.is === "in-session") return { ...run, now: { ...phase, ticket: atWork(phase.ticket) } };
  return phase.is === "proving" ? startProof(run, phase.work, phase.candidate) : { ...run, now: phase };
}

/** What it had used by a pause is no longer all. */
function atWork(ticket: InSession["ticket"]): InSession["ticket"] {
  if (ticket === null) return null;
  const { used: _, ...begun } = ticket;
  return begun;
}

/** A person resumed the run, perhaps with different limits, and with a retry of shelved features if they ask for it. */
export function goOn(run: Run, limits: Partial<Limits>, retry: boolean): Run {
  const contract = { ...run.contract, limits: { ...run.contract.limits, ...limits } };
  // The process was interrupted during a pause, so the pause is dropped. Nothing else is withdrawn.
  if (run.now.is !== "resting") return { ...run, contract, asked: run.asked?.for === "pause" ? null : run.asked };
  const { outcome, resume: phase } = run.now;
  // Only an answer passes a gate.
  if (outcome.kind === "needs-person" && outcome.gate !== undefined) return { ...run, contract, asked: null };
  const streaks = outcome.kind === "breaker" || outcome.kind === "needs-person" ? noStreaks : run.streaks;
  const going = { ...run, contract, streaks: { ...streaks, met: run.streaks.met }, asked: null };
  return resume(retry ? retryShelved(going) : going, phase);
}

/** Usage limits belong to an agent: with a different one, there is nothing to wait for. */
export function unlimited(run: Run): Run {
  const free = { ...run, limitedUntil: { maker: 0, checker: 0 }, windows: {} };
  return run.now.is === "waiting" ? resume(free, run.now.resume) : free;
}

/** Blocked features start over; questions and held work keep waiting for a person. */
function retryShelved(run: Run): Run {
  const isKept = ({ kind, feature }: InboxItem): boolean =>
    kind === "question" || (feature !== null && (progressIn(run.progress, feature)?.held ?? null) !== null);
  const kept = new Set(run.inbox.filter(isKept).map(({ feature }) => feature));
  let { progress } = run;
  for (const { feature } of run.inbox) {
    const blocked = feature === null ? undefined : progressIn(progress, feature);
    if (feature === null || blocked?.status !== "blocked" || kept.has(feature)) continue;
    progress = withProgress(progress, feature, startedOver(blocked));
  }
  return { ...run, progress, inbox: run.inbox.filter(isKept) };
}
