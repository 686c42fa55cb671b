// The pairs that are about the whole: a plan before the first feature, an audit after the last one. Each is a producer and
// a verifier in sessions of their own, and goes round only so often before a person is asked.
import { blockingGaps, settleAudit } from "./audit.ts";
import { doneWords, notDone } from "./done.ts";
import { Bug } from "./errors.ts";
import type { Finding, Reply } from "./event.ts";
import { atGate, holdAt } from "./gates.ts";
import { progresses, progressIn } from "./progresses.ts";
import { type InSession, type Pair, type Phase, progressAsRead, type Run } from "./run.ts";
import { allDone, unfinished } from "./select.ts";
import { file, rest, startSession } from "./stop.ts";

const firstRound: Pair = { round: 1, findings: [] };
const whole = { work: null, candidate: null } as const;
const building: Phase = { is: "between" };
const success: Phase = { is: "filing", outcome: { kind: "success" } };

/** The workspace was looked at, and nothing is built yet. */
export function afterLooking(run: Run): Run {
  const unplanned = run.contract.stages.includes("plan") && allDone(run);
  return unplanned ? startSession(run, { role: "planner", ...whole, pair: firstRound }) : beforeBuilding(run);
}

/** What could not be taken back is argued against first; then a person agrees to it, where the contract wants that. */
function beforeBuilding(run: Run): Run {
  if (run.contract.intake?.reversibility === "1") return startSession(run, { role: "skeptic", ...whole });
  return atGate(run, "G1", { why: agreeTo(run), onward: building });
}

const agreeTo = (run: Run): string => {
  const open = unfinished(run).length;
  return `${open} ${open === 1 ? "feature is" : "features are"} to be built, and nothing has been built yet.`;
};

export function afterPlanner(run: Run, now: InSession, reply: Reply): Run {
  if (reply.kind === "made") return notPlanned(run, now, reply);
  if (reply.kind !== "planned") throw new Bug(`a planner does not reply ${reply.kind}`);
  const { features } = reply;
  const progress = progresses(features.map((f) => [f.id, progressIn(run.progress, f.id) ?? progressAsRead(f)]));
  const planned = { ...run, contract: { ...run.contract, features }, progress };
  return startSession(planned, { ...now, role: "plan-verifier" });
}

/** It asks, or cannot: without a plan nothing else can go on meanwhile. */
function notPlanned(run: Run, now: InSession, reply: Extract<Reply, { kind: "made" }>): Run {
  if (reply.status !== "question") {
    const said = reply.status === "blocked" ? reply.summary : "it named no feature";
    const why = `The planner could not make a plan: ${said}`;
    return rest(run, { kind: "needs-person", why, next: "Say more: loop continue --intent append …" }, now);
  }
  const { question, supposition } = reply;
  const answers = run.decisions.filter(({ feature, source }) => feature === null && source === "supposition").length;
  if (run.contract.fullAutoAnswers && supposition !== "" && answers < suppositionsMax) {
    const decision = { feature: null, question, answer: supposition, source: "supposition" } as const;
    return startSession({ ...run, decisions: [...run.decisions, decision] }, now);
  }
  const next = 'loop answer "…"';
  const item = { kind: "question", feature: null, text: question, supposition, next } as const;
  const asking = { ...run, inbox: [...run.inbox, item] };
  return rest(asking, { kind: "needs-person", why: `A question waits: ${question}`, next }, now);
}

/** An agent that answers itself again and again is not getting anywhere. */
export const suppositionsMax = 3;

export function afterPlanReview(run: Run, now: InSession, reply: Reply): Run {
  const { isClean, round, findings } = reviewed(now, reply);
  if (isClean) return beforeBuilding(run);
  if (round < run.contract.limits.roundsMax)
    return startSession(run, { role: "planner", ...whole, pair: { round: round + 1, findings } });
  const why = `The verifier of the plan still objects after ${times(round)}:\n${listed(findings)}`;
  return holdAt(run, "G1", { why, onward: building });
}

export function afterSkeptic(run: Run, now: InSession, reply: Reply): Run {
  const { isClean, findings } = reviewed(now, reply);
  if (isClean) return atGate(run, "G1", { why: agreeTo(run), onward: building });
  const why = `This would be hard to take back, and there is something against it:\n${listed(findings)}`;
  return holdAt(run, "G1", { why, onward: building });
}

/** The checks were green at the end: is it all that was asked for? */
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
  const why = `The auditor and its verifier do not agree after ${times(round)}:\n${listed(findings)}`;
  return beforeDone(run, why);
}

/** Done is only what was done: each feature proved or reviewed, and at least one by this run. */
function beforeDone(run: Run, dispute?: string): Run {
  const lacking = notDone(run);
  if (lacking !== null) return lacking;
  if (dispute !== undefined) return holdAt(run, "G3", { why: dispute, onward: success });
  return run.contract.gates.includes("G3")
    ? atGate(run, "G3", { why: `${doneWords(run)}, and every check is green. Is it done?`, onward: success })
    : file(run, { kind: "success" });
}

/** A pass with a blocking finding is no pass. */
function reviewed(now: InSession, reply: Reply): { isClean: boolean; round: number; findings: readonly Finding[] } {
  if (reply.kind !== "reviewed") throw new Bug(`a ${now.role} does not reply ${reply.kind}`);
  const { findings, pass, summary } = reply;
  const against = findings.length > 0 || pass ? findings : [{ id: "1", blocking: true, text: summary }];
  return { isClean: pass && !against.some(({ blocking }) => blocking), round: now.pair?.round ?? 1, findings: against };
}

const times = (round: number): string => (round === 1 ? "1 round" : `${round} rounds`);

const listed = (findings: readonly Finding[]): string =>
  findings
    .filter(({ blocking }) => blocking)
    .map(({ id, text }) => `${id}. ${text}`)
    .join("\n");
