// What follows a session, depending on its role and how it ended.
import { failAttempt, setAside, update } from "./attempt.ts";
import { errorBreaker, sameFileEditsMax } from "./breakers.ts";
import { assumedKey, type Cause } from "./cause.ts";
import { Bug, unreachable } from "./errors.ts";
import type { JudgedCriterion, Reply, ResultEvent } from "./event.ts";
import { type AfterFailure, failureRule } from "./failure.ts";
import { afterExam } from "./first-role.ts";
import { holdWork } from "./held.ts";
import { capReached, charge, settle } from "./ledger.ts";
import { limited } from "./limited.ts";
import { afterAuditor, afterAuditReview, afterPlanner, afterPlanReview, afterSkeptic } from "./pairs.ts";
import { pauseForRefused } from "./refused.ts";
import type { AfterCollecting, Candidate, InSession, Progress, Run, Side, Ticket, Work } from "./run.ts";
import { featureOf, progressOf } from "./select.ts";
import { rest, startSession } from "./stop.ts";
import { mayAnswerItself } from "./suppositions.ts";
import { isAssumed, isShown, withoutRequired } from "./verification.ts";
import { normal } from "./words.ts";

type SessionEnded = Extract<ResultEvent, { type: "session-ended" }> & { readonly at: number };

export function afterSession(run: Run, now: InSession, event: SessionEnded): Run {
  return pauseForRefused(whatFollows(run, now, event), event.refused ?? []);
}

function whatFollows(run: Run, now: InSession, event: SessionEnded): Run {
  const { ticket, work } = now;
  if (ticket === null || ticket.session !== event.session)
    throw new Bug(`no effect waits for session ${event.session}`);
  const again: InSession = { ...now, ticket: null };
  // Release the session's reservation first, so that later decisions see the real budget.
  const windows = event.window === undefined ? run.windows : { ...run.windows, [ticket.by]: event.window };
  const spent: Run = { ...run, spent: settle(run.spent, ticket, event.usage), windows, now: again };
  const paid = work === null ? spent : update(spent, work.feature, costOf(run, now, work, ticket, event));
  if (event.ending.how === "failed") {
    const after = failureRule(paid, event.ending.failure, event.at);
    if (event.ending.failure.class !== "limited") return afterFailure(paid, again, after);
    return afterLimit(paid, again, after, ticket.by, event.at);
  }
  const replied = { ...paid, streaks: { ...paid.streaks, error: { key: "", times: 0 }, failures: 0, waits: 0 } };
  return afterReply(replied, again, event.ending.reply, event.editsMax);
}

/** What a session adds to the progress of its feature. */
function costOf(run: Run, { role }: InSession, work: Work, ticket: Ticket, event: SessionEnded): Partial<Progress> {
  const { session, by } = ticket;
  const costUsd = progressOf(run, work.feature).costUsd + charge(ticket, event.usage).costUsd;
  if (role !== "builder") return { costUsd };
  if (event.ending.how === "replied") return { costUsd, builtBy: { session, by } };
  // A usage limit does not invalidate the conversation, so it resumes once the limit is over.
  return { costUsd, builtBy: event.ending.failure.class === "limited" ? { session, by, isCut: true } : null };
}

function afterReply(run: Run, now: InSession, reply: Reply, editsMax: SessionEnded["editsMax"]): Run {
  const { role, work, candidate } = now;
  switch (role) {
    case "builder":
    case "tester":
      return collect(
        run,
        needed(work, role),
        editsMax !== null && editsMax.times >= sameFileEditsMax
          ? { do: "rest", outcome: { kind: "breaker", breaker: "same-file-edited", ...editsMax } }
          : afterMaking(reply),
      );
    case "evaluator":
    case "test-verifier":
      return afterVerdict(run, needed(work, role), needed(candidate, role), reply);
    case "designer":
      return afterDesign(run, needed(work, role), reply);
    case "examiner":
      return afterExaminer(run, needed(work, role));
    case "planner":
      return afterPlanner(run, now, reply);
    case "plan-verifier":
      return afterPlanReview(run, now, reply);
    case "skeptic":
      return afterSkeptic(run, now, reply);
    case "auditor":
      return afterAuditor(run, now, reply);
    case "audit-verifier":
      return afterAuditReview(run, now, reply);
    default:
      return unreachable(role);
  }
}

function afterMaking(reply: Reply): AfterCollecting {
  if (reply.kind !== "made") throw new Bug(`a maker does not reply ${reply.kind}`);
  if (reply.status === "done") return { do: "prove" };
  if (reply.status === "question") return { do: "ask", question: reply.question, supposition: reply.supposition };
  if (reply.status === "needs-permission") return { do: "permit", tests: reply.tests, reason: reply.reason };
  return { do: "fail", cause: { kind: "blocked", key: `blocked:${normal(reply.summary)}`, text: reply.summary } };
}

/** A pass counts only when every criterion was shown to be met, in the way that it asks for; never by assumption. */
function afterVerdict(run: Run, work: Work, candidate: Candidate, reply: Reply): Run {
  if (reply.kind !== "judged") throw new Bug(`a verifier does not reply ${reply.kind}`);
  const { criteria } = featureOf(run.contract, work.feature);
  const met = reply.criteria
    .filter((c) => c.met && isShown(criteria[c.criterion] ?? "", c.verification))
    .map((c) => c.criterion);
  const unmet = unmetCriteria(criteria, met, reply.criteria);
  const judged = update(run, work.feature, { criteriaMet: met });
  const [broken] = reply.broken ?? [];
  if (broken !== undefined) {
    const frame = { is: "must-not", broken } as const;
    return failAttempt(judged, work, {
      kind: "must-not",
      key: `must-not:${normal(broken)}`,
      text: reply.summary,
      frame,
    });
  }
  const assumed = assumedOf(criteria);
  const isOnlyAssumed = met.length + assumed.length === criteria.length && assumed.length > 0;
  // No attempt can change it: a person looks, or asks for another way.
  if (isOnlyAssumed && (reply.pass || reply.criteria.some((one) => !one.met && assumed.includes(one.criterion))))
    return holdAssumed(
      judged,
      work,
      candidate,
      assumed.map((index) => criteria[index] ?? ""),
    );
  if (!reply.pass || unmet.length > 0)
    // The summary of a pass is praise, and no reason.
    return failAttempt(judged, work, verdictCause(reply.rootCause, reply.pass ? "" : reply.summary, unmet));
  if (work.stage === "implement" && run.contract.stages.includes("test")) {
    return startSession(judged, { role: "tester", work: { ...work, stage: "test" }, candidate: null });
  }
  return { ...judged, now: { is: "committing", work, candidate } };
}

const assumedOf = (criteria: readonly string[]): number[] =>
  criteria.flatMap((text, index) => (isAssumed(text) ? [index] : []));

function unmetCriteria(
  criteria: readonly string[],
  met: readonly number[],
  judged: readonly JudgedCriterion[],
): string[] {
  return criteria.flatMap((text, index) => {
    if (met.includes(index)) return [];
    const seen = judged.find((one) => one.criterion === index);
    return [seen?.met === true ? `${text} (it was shown by ${seen.verification})` : text];
  });
}

/** Only an assumption is left: a person has to confirm it, or ask for another proof. */
function holdAssumed(run: Run, work: Work, { tree, proof }: Candidate, criteria: readonly string[]): Run {
  const missing = criteria.map(
    (text) => `${withoutRequired(text)}: it is to be verified by assumption, which shows nothing.`,
  );
  const cause: Cause = { kind: "unproved", key: assumedKey, text: missing.join("\n"), frame: { is: "unproved" } };
  const held = { tree, base: work.base, proof, why: "unproved", missing, tests: [], decided: null } as const;
  return holdWork(run, work, held, cause);
}

function verdictCause(rootCause: string, summary: string, unmet: readonly string[]): Cause {
  const key = `verdict:${normal(rootCause || unmet.join(" "))}`;
  const root = rootCause.trim();
  return {
    kind: "verdict",
    key,
    text: summary,
    frame: { is: "verdict", unmet, ...(root === "" ? {} : { rootCause: root }) },
  };
}

/** A maker's work is always collected first: the repository must be consistent before anything else happens. */
function collect(run: Run, work: Work, then: AfterCollecting): Run {
  return { ...run, now: { is: "collecting", work, after: then } };
}

function afterFailure(run: Run, now: InSession, { rule, streaks }: AfterFailure): Run {
  const counted = { ...run, streaks };
  const over = capReached(counted, ["minutes", "tokens"]);
  const tripped = errorBreaker(streaks);
  const then: AfterCollecting =
    over !== null ? { do: "rest", outcome: over } : tripped !== null ? { do: "rest", outcome: tripped } : rule;
  if (now.work !== null && (now.role === "builder" || now.role === "tester")) return collect(counted, now.work, then);
  return afterCollected(counted, now, then);
}

/** Records the agent's limit; the session waits for it, or the other agent takes over. */
function afterLimit(run: Run, now: InSession, { rule, streaks }: AfterFailure, by: Side, at: number): Run {
  if (rule.do !== "retry" || rule.at === null) throw new Bug("a usage limit has a time to wait until");
  const { run: noted, waitUntil } = limited(run, by, rule.at, at);
  return afterFailure(noted, now, { rule: { ...rule, at: waitUntil }, streaks });
}

/** What follows a session that changed nothing, or whose changes have been collected. */
export function afterCollected(run: Run, again: InSession, then: AfterCollecting): Run {
  switch (then.do) {
    case "retry":
      if (then.at === null) return startSession(run, again);
      return { ...run, now: { is: "waiting", until: then.at, because: then.because, resume: again } };
    case "rest":
      return rest(run, then.outcome, again);
    case "fail":
      // A failed verifier says nothing about the work, so it runs again until a breaker trips.
      if (again.work === null || (again.role !== "builder" && again.role !== "tester")) return startSession(run, again);
      return failAttempt(run, again.work, then.cause);
    case "ask":
      return ask(run, needed(again.work, again.role), then.question, then.supposition);
    case "prove":
    case "permit":
      throw new Bug(`${then.do} follows collecting only`);
    default:
      return unreachable(then);
  }
}

/** The question goes to the inbox with its best supposition while work on other features continues. */
function ask(run: Run, work: Work, question: string, supposition: string): Run {
  if (mayAnswerItself(run, work.feature, { question, supposition })) {
    const decision = { feature: work.feature, question, answer: supposition, source: "supposition" } as const;
    return startSession(
      { ...run, decisions: [...run.decisions, decision] },
      { role: work.stage === "test" ? "tester" : "builder", work, candidate: null },
    );
  }
  const cause: Cause = { kind: "blocked", key: `question:${normal(question)}`, text: question };
  return setAside(run, work, cause, { kind: "question", feature: work.feature, question, supposition });
}

/** The examiner's tests are in the vault; the feature can be built now. */
function afterExaminer(run: Run, work: Work): Run {
  const examined = update(run, work.feature, { examined: true });
  return startSession(examined, { role: afterExam(examined, work.feature), work, candidate: null });
}

/** Without a design, the builder starts anyway; a question must be answered before anything is built. */
function afterDesign(run: Run, work: Work, reply: Reply): Run {
  if (reply.kind === "made" && reply.status === "question") return ask(run, work, reply.question, reply.supposition);
  return startSession(run, { role: "builder", work, candidate: null });
}

function needed<T>(value: T | null, role: string): T {
  if (value === null) throw new Bug(`a ${role} works on something`);
  return value;
}
