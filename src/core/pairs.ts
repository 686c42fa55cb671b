// The pairs for the whole run: a plan before the first feature, an audit after the last one. Each is a producer and a
// verifier in separate sessions, with a limited number of rounds before a person is asked.
import { blockingGaps, settleAudit } from "./audit.ts";
import { isHardToUndo } from "./contract.ts";
import { doneCounts, notDone } from "./done.ts";
import { Bug } from "./errors.ts";
import type { Finding, Reply } from "./event.ts";
import { atGate, holdAt } from "./gates.ts";
import type { Need } from "./need.ts";
import { progresses, progressIn } from "./progresses.ts";
import { type InSession, type Pair, type Phase, progressAsRead, type Run } from "./run.ts";
import { allDone, unfinished } from "./select.ts";
import { file, rest, startSession } from "./stop.ts";
import { mayAnswerItself } from "./suppositions.ts";

const firstRound: Pair = { round: 1, findings: [] };
const whole = { work: null, candidate: null } as const;
const building: Phase = { is: "between" };
const success: Phase = { is: "filing", outcome: { kind: "success" } };

/** The workspace has been inspected, and nothing is built yet. */
export function afterLooking(run: Run): Run {
  const unplanned = run.contract.stages.includes("plan") && allDone(run);
  return unplanned ? startSession(run, { role: "planner", ...whole, pair: firstRound }) : beforeBuilding(run);
}

/** Work that is hard to undo is argued against first; then a person approves it, if the contract has that gate. */
function beforeBuilding(run: Run): Run {
  if (isHardToUndo(run.contract, unfinished(run))) return startSession(run, { role: "skeptic", ...whole });
  return atGate(run, "G1", { need: agreeTo(run), onward: building });
}

const agreeTo = (run: Run): Need => ({ about: "contract", open: unfinished(run).length });

export function afterPlanner(run: Run, now: InSession, reply: Reply): Run {
  if (reply.kind === "made") return notPlanned(run, now, reply);
  if (reply.kind !== "planned") throw new Bug(`a planner does not reply ${reply.kind}`);
  const { features } = reply;
  const progress = progresses(features.map((f) => [f.id, progressIn(run.progress, f.id) ?? progressAsRead(f)]));
  const planned = { ...run, contract: { ...run.contract, features }, progress };
  return startSession(planned, { ...now, role: "plan-verifier" });
}

/** The planner asks, or cannot plan: without a plan nothing else can proceed. */
function notPlanned(run: Run, now: InSession, reply: Extract<Reply, { kind: "made" }>): Run {
  if (reply.status !== "question") {
    const said = reply.status === "blocked" ? reply.summary : null;
    return rest(run, { kind: "needs-person", need: { about: "no-plan", said } }, now);
  }
  const { question, supposition } = reply;
  if (mayAnswerItself(run, null, { question, supposition })) {
    const decision = { feature: null, question, answer: supposition, source: "supposition" } as const;
    return startSession({ ...run, decisions: [...run.decisions, decision] }, now);
  }
  const item = { kind: "question", feature: null, question, supposition } as const;
  const need: Need = { about: "question", feature: null, question, waiting: 1 };
  return rest({ ...run, inbox: [...run.inbox, item] }, { kind: "needs-person", need }, now);
}

export function afterPlanReview(run: Run, now: InSession, reply: Reply): Run {
  const { isClean, round, findings } = reviewed(now, reply);
  if (isClean) return beforeBuilding(run);
  if (round < run.contract.limits.roundsMax)
    return startSession(run, { role: "planner", ...whole, pair: { round: round + 1, findings } });
  const need: Need = { about: "plan-disputed", rounds: round, against: blocking(findings) };
  return holdAt(run, "G1", { need, onward: building });
}

export function afterSkeptic(run: Run, now: InSession, reply: Reply): Run {
  const { isClean, findings } = reviewed(now, reply);
  if (isClean) return atGate(run, "G1", { need: agreeTo(run), onward: building });
  return holdAt(run, "G1", { need: { about: "hard-to-undo", against: blocking(findings) }, onward: building });
}

/** The checks were green at the end: is every requirement met? */
export function afterGreen(run: Run): Run {
  if (!run.contract.stages.includes("audit")) return beforeDone(run);
  return startSession(run, { role: "auditor", ...whole, pair: firstRound });
}

export function afterAuditor(run: Run, now: InSession, reply: Reply): Run {
  if (reply.kind !== "audited") throw new Bug(`an auditor does not reply ${reply.kind}`);
  const audit = { gaps: reply.gaps, revised: reply.revised };
  return startSession({ ...run, audit }, { ...now, role: "audit-verifier" });
}

export function afterAuditReview(run: Run, now: InSession, reply: Reply): Run {
  const { isClean, round, findings } = reviewed(now, reply);
  if (isClean) {
    const { audit } = run;
    return audit !== null && blockingGaps(audit).length > 0 ? settleAudit(run, audit) : beforeDone(run);
  }
  if (round < run.contract.limits.roundsMax)
    return startSession(run, { role: "auditor", ...whole, pair: { round: round + 1, findings } });
  return beforeDone(run, { about: "audit-disputed", rounds: round, against: blocking(findings) });
}

/** Done requires that each feature is proved or reviewed, and that this run finished at least one. */
function beforeDone(run: Run, dispute?: Need): Run {
  const lacking = notDone(run);
  if (lacking !== null) return lacking;
  if (dispute !== undefined) return holdAt(run, "G3", { need: dispute, onward: success });
  return run.contract.gates.includes("G3")
    ? atGate(run, "G3", { need: { about: "done", ...doneCounts(run) }, onward: success })
    : file(run, { kind: "success" });
}

/** A pass with a blocking finding does not count as a pass. */
function reviewed(now: InSession, reply: Reply): { isClean: boolean; round: number; findings: readonly Finding[] } {
  if (reply.kind !== "reviewed") throw new Bug(`a ${now.role} does not reply ${reply.kind}`);
  const { findings, pass, summary } = reply;
  const against = findings.length > 0 || pass ? findings : [{ id: "1", blocking: true, text: summary }];
  return {
    isClean: pass && !against.some((finding) => finding.blocking),
    round: now.pair?.round ?? 1,
    findings: against,
  };
}

const blocking = (findings: readonly Finding[]): readonly Finding[] => findings.filter((finding) => finding.blocking);
