// What each event means for the run. Each legal transition is one line; anything else from our own hands is a bug.
import { afterCollected, afterSession } from "./after-session.ts";
import { afterRollback, complete, failAttempt, update } from "./attempt.ts";
import { Bug } from "./errors.ts";
import {
  type Answering,
  isSignalType,
  type ResultEvent,
  type RunEvent,
  type SignalEvent,
  type Stamp,
} from "./event.ts";
import { firstRole } from "./first-role.ts";
import { approved, rejected } from "./gates.ts";
import {
  accepted,
  afterHeld,
  afterTakingUp,
  allowed,
  asksPermission,
  contradicted,
  keepHeld,
  nextDecided,
  refusedAgain,
  takeUp,
  turnedDown,
  unproved,
} from "./held.ts";
import { beginIteration } from "./iteration.ts";
import { reservation, settle } from "./ledger.ts";
import { whoWorks } from "./limited.ts";
import { next } from "./next.ts";
import type { Outcome } from "./outcome.ts";
import { afterGreen, afterLooking } from "./pairs.ts";
import { halt } from "./refused.ts";
import type { AfterCollecting, Cause, Head, InSession, Mark, Phase, Run, Side, Ticket, Work } from "./run.ts";
import { amended, answered } from "./said.ts";
import { progressOf } from "./select.ts";
import { noUsage } from "./session.ts";
import { file, goOn, rest, resume, startProof, startSession, stop, unlimited } from "./stop.ts";

type Stamped<E> = E & Stamp;
type Answer = ResultEvent & Answering;

export function apply(run: Run, event: RunEvent): Run {
  if (isSignal(event)) return onSignal(run, event);
  // It came twice, or after the run had gone another way: engines deliver at least once.
  if (event.key !== undefined && event.key !== next(run)?.key) return run;
  const after = onResult(timed(run, event.tookMs), event);
  const answered = isAnswered(run, event) ? { ...after, turn: run.turn + 1 } : after;
  return run.asked === null ? answered : honour(answered, run.asked);
}

/** An effect that was cut, refused by the machine, or that ended too early is asked for again, under the same key. */
function isAnswered({ now }: Run, event: Stamped<Answer>): boolean {
  if (event.type === "woke") return now.is === "waiting" && event.at >= now.until;
  return event.type !== "cut" && event.type !== "refused";
}

/** Time counts while the loop works, not while it waits. */
function timed(run: Run, tookMs: number): Run {
  const { spent, now } = run;
  if (now.is === "waiting" || now.is === "resting" || now.is === "stopped") return run;
  const ms = Math.max(0, Math.round(tookMs));
  const isChecking = now.is === "opening" || now.is === "proving" || now.is === "closing";
  return {
    ...run,
    spent: { ...spent, ...(isChecking ? { checkMs: spent.checkMs + ms } : { activeMs: spent.activeMs + ms }) },
  };
}

function onResult(run: Run, event: Stamped<Answer>): Run {
  const { now } = run;
  if (event.type === "cut") return onCut(run, event.usage);
  if (event.type === "refused" && now.is !== "stopped" && now.is !== "resting") return refused(run, event, now);
  if (now.is === "opening" && event.type === "prepared") return afterOpening(run, event.mark);
  if (now.is === "between" && event.type === "released" && run.released.length > 0)
    return { ...run, released: run.released.filter((id) => !event.features.includes(id)) };
  if (now.is === "between" && event.type === "observed") return beginIteration(run, event.features);
  if (now.is === "marking" && event.type === "checkpointed") return afterMarking(run, now.feature, event.mark);
  if (now.is === "in-session" && now.ticket === null && event.type === "session-reserved") {
    const by = whoWorks(run, now.role, event.at);
    const ticket = { session: event.session, reservedUsd: reservation(run), by, ...resumable(run, now, by) };
    return { ...run, spent: { ...run.spent, sessions: run.spent.sessions + 1 }, now: { ...now, ticket } };
  }
  if (now.is === "in-session" && event.type === "session-ended") return afterSession(run, now, event);
  if (now.is === "collecting" && event.type === "collected") {
    const collected = afterCollecting(run, now, event);
    return now.halt === undefined ? collected : halt(collected, now.halt);
  }
  if (now.is === "proving" && event.type === "proved") return afterProof(run, now, event);
  if (now.is === "committing" && event.type === "committed")
    return complete(run, now.work, now.candidate, event.commit);
  if (now.is === "committing" && event.type === "head-moved") return headMoved(run, now.work, event.why);
  if (now.is === "undoing" && event.type === "rolled-back") return afterRollback(run, now);
  if (now.is === "undoing" && event.type === "head-moved") return movedWhileUndoing(run, now, event.why);
  if (now.is === "marking" && event.type === "head-moved") return movedWhileMarking(run, now.feature, event.why);
  if (now.is === "holding" && event.type === "held") return afterHeld(run, now);
  if (now.is === "taking-up" && event.type === "taken-up") return afterTakingUp(run, now, event);
  if (now.is === "closing" && event.type === "closed") return afterClosing(run, event.red);
  if (now.is === "filing" && event.type === "filed") return afterFiling(run, now.outcome);
  if (now.is === "waiting" && event.type === "woke") return event.at >= now.until ? resume(run, now.resume) : run;
  throw new Bug(`a run that is ${now.is} cannot take ${event.type}`);
}

const isSignal = (event: RunEvent): event is Stamped<SignalEvent> => isSignalType(event.type);

function onSignal(run: Run, event: Stamped<SignalEvent>): Run {
  const { now } = run;
  if (now.is === "stopped") return run;
  if (event.type === "pause-requested") {
    if (now.is === "resting" || run.asked?.for === "cancel") return run;
    return { ...run, asked: { for: "pause", by: event.by } };
  }
  if (event.type === "cancel-requested") {
    return now.is === "resting" ? cancelled(run, now.resume) : { ...run, asked: { for: "cancel" } };
  }
  if (event.type === "continued") return goOn(event.crew === "new" ? unlimited(run) : run, event.limits, event.retry);
  if (event.type === "answered") return answered(run, event);
  if (event.type === "approved") return approved(run, event);
  if (event.type === "rejected") return rejected(run, event);
  if (event.type === "accepted") return accepted(run, event);
  if (event.type === "allowed") return allowed(run, event);
  if (event.type === "turned-down") return turnedDown(run, event);
  if (event.type === "amended") return amended(run, event);
  return run;
}

/** What was asked for while an effect was in flight is done as soon as the effect has let go. */
function honour(run: Run, asked: NonNullable<Run["asked"]>): Run {
  const { now } = run;
  if (now.is === "stopped") return run;
  if (asked.for === "cancel") return cancelled(run, now.is === "resting" ? now.resume : now);
  return now.is === "resting" ? run : rest(run, { kind: "paused", by: asked.by }, now);
}

/** A session that was cut short keeps its ticket, so that going on resumes it and nothing is paid twice. */
function onCut(run: Run, usage: Extract<ResultEvent, { type: "cut" }>["usage"]): Run {
  const { now } = run;
  // With nobody asking any more (a pause that was taken back in the meantime) the effect is simply ordered again.
  if (run.asked?.for !== "cancel" || now.is !== "in-session" || now.ticket === null) return run;
  const spent = settle(run.spent, now.ticket, usage ?? { ...noUsage, costUsd: null });
  return { ...run, spent, now: { ...now, ticket: null } };
}

/** Cancelled means cancelled; what an unfinished session had set aside is charged. */
function cancelled(run: Run, phase: Phase): Run {
  const ticket = phase.is === "in-session" ? phase.ticket : null;
  const spent = ticket === null ? run.spent : settle(run.spent, ticket, { ...noUsage, costUsd: null });
  return stop({ ...run, spent }, { kind: "cancelled" });
}

function refused(run: Run, event: Extract<ResultEvent, { type: "refused" }>, phase: Phase): Run {
  return rest(run, { kind: "refused", code: event.code, why: event.why, next: event.next }, phase);
}

function afterOpening(opened: Run, mark: Mark): Run {
  return afterLooking({ ...opened, origin: mark, head: headAt(mark), left: mark.tree });
}

const headAt = (mark: Mark): Head => ({ tree: mark.headTree ?? mark.tree, commit: mark.head });

function afterMarking(run: Run, feature: Work["feature"], mark: Mark): Run {
  const { held, attempts, base: began } = progressOf(run, feature);
  // A person may commit between features. What the run leaves behind at the end is then compared with that.
  const head = run.head?.commit === mark.head ? run.head : headAt(mark);
  if (held !== null && held.decided !== null) return takeUp({ ...run, head }, feature, mark, held, held.decided);
  const base = began ?? mark;
  if (base.head !== mark.head)
    return movedWhileMarking(run, feature, "A commit was made between two attempts at one feature.");
  const attempt = attempts + 1;
  const work: Work = { feature, iteration: run.spent.iterations, attempt, stage: "implement", mark, base };
  const marked = { ...update(run, feature, { attempts: attempt, base }), head };
  return startSession(marked, { role: firstRole(run, feature), work, candidate: null });
}

/** A builder goes on in its own conversation when its work is built upon. A judge always begins a fresh one. */
function resumable(run: Run, { role, work }: InSession, by: Side): Pick<Ticket, "resumes"> {
  const last = role === "builder" && work !== null ? progressOf(run, work.feature).builtBy : null;
  return last != null && last.by === by ? { resumes: last.session } : {};
}

function afterCollecting(
  run: Run,
  now: Extract<Phase, { is: "collecting" }>,
  event: Extract<ResultEvent, { type: "collected" }>,
): Run {
  const { work, after: then } = now;
  if (event.moved !== null) return headMoved(run, work, event.moved);
  const seen = { ...countUnchanged(run, then, event.changed), left: event.candidate };
  const grave = event.violations.find((violation) => violation.grave);
  if (grave !== undefined) {
    return failAttempt(seen, work, { kind: "misdeed", key: `misdeed:${grave.kind}`, text: grave.what });
  }
  if (then.do === "permit") return asksPermission(seen, work, event.candidate, then.tests, then.reason);
  if (then.do !== "prove") {
    const role = work.stage === "test" ? "tester" : "builder";
    return afterCollected(seen, { is: "in-session", role, work, candidate: null, ticket: null }, then);
  }
  // A session that died may have done the work: what counts is what there is, and not who reported it.
  if ((event.changedInAll ?? event.changed) === 0) {
    const text = "The agent said it was done, and nothing had changed.";
    return failAttempt(seen, work, { kind: "nothing-changed", key: "nothing-changed", text });
  }
  return startProof(seen, work, event.candidate);
}

/** An iteration is looked at once, when its attempt is decided: a session that is only tried again says nothing yet. */
function countUnchanged(run: Run, then: AfterCollecting, changed: number): Run {
  if (then.do === "retry" || then.do === "rest") return run;
  const unchanged = changed === 0 ? run.streaks.unchanged + 1 : 0;
  return { ...run, streaks: { ...run.streaks, unchanged } };
}

function afterProof(
  run: Run,
  { work, candidate }: Extract<Phase, { is: "proving" }>,
  event: Extract<ResultEvent, { type: "proved" }>,
): Run {
  if (event.candidate !== candidate) throw new Bug(`the proof is of ${event.candidate}, the candidate is ${candidate}`);
  const { proof, grade, missing, contradiction = null } = event;
  const cause = refusal(event, run.contract.proof.allow === "never" || work.decided !== undefined);
  if (work.decided !== undefined) {
    if (cause !== null) return refusedAgain(run, work, work.decided, cause);
    return { ...run, now: { is: "committing", work, candidate: { tree: candidate, proof, grade: "reviewed" } } };
  }
  if (cause !== null) return failAttempt(run, work, cause);
  // A checker may let tests change. What else only a person can decide about is not the checker's.
  if (contradiction !== null && (run.contract.proof.allow === "person" || (missing ?? []).length > 0))
    return contradicted(run, work, { tree: candidate, proof, missing: missing ?? [] }, contradiction);
  // Earlier versions did not say what is missing, and let a verdict decide over weak evidence.
  if (contradiction === null && grade === "weak" && missing !== undefined)
    return unproved(run, work, candidate, proof, missing);
  const proved =
    contradiction === null
      ? { tree: candidate, proof, grade }
      : { tree: candidate, proof, grade: "reviewed" as const, contradiction };
  return startSession(run, { role: work.stage === "test" ? "test-verifier" : "evaluator", work, candidate: proved });
}

/** Why the candidate is refused, the gravest reason first; null: nothing is against it. */
function refusal({ failures, contradiction }: Extract<ResultEvent, { type: "proved" }>, strict: boolean): Cause | null {
  const [worst] = [...failures].sort((a, b) => gravity(b.kind) - gravity(a.kind));
  if (worst !== undefined) return { ...worst, text: failures.map(({ text }) => text).join("\n") };
  if (contradiction == null || !strict) return null;
  const tests = contradiction.tests.join(", ");
  return { kind: "tampering", key: `contradiction:${tests}`, text: `Protected tests were rewritten: ${tests}` };
}

const gravest = ["must-not", "misdeed", "secret", "tampering", "scope"];
const gravity = (kind: string): number => (gravest.includes(kind) ? gravest.length - gravest.indexOf(kind) : 0);

/** A commit that is not the loop's. The folder is clean by now; the feature begins again from what is there then. */
function headMoved(run: Run, work: Work, why: string): Run {
  const isDecided = work.decided !== undefined;
  const attempts = isDecided ? work.attempt : work.attempt - 1;
  // What a person decided stays decided: it is taken up again, and no builder begins on it.
  const status = isDecided ? "blocked" : "needs-rework";
  const free = update(run, work.feature, { status, base: null, builtBy: null, attempts });
  return rest(free, movedOutcome(why), { is: "between" });
}

const movedOutcome = (why: string): Outcome => ({
  kind: "refused",
  code: "head-moved",
  why,
  next: "Look at the new commit; when the tree is as you want it: loop continue",
});

/** What was to be kept is kept all the same: it is a tree of the vault's, and needs no folder. */
function movedWhileUndoing(run: Run, now: Extract<Phase, { is: "undoing" }>, why: string): Run {
  const { work, after } = now;
  const { held } = progressOf(run, work.feature);
  if (after.do === "shelve" && held !== null) return keepHeld(run, work.feature, held, after.item, movedOutcome(why));
  if (after.do !== "hold") return headMoved(run, work, why);
  return { ...run, now: { is: "holding", work, held: after.held, item: after.item, halt: movedOutcome(why) } };
}

function movedWhileMarking(run: Run, feature: Work["feature"], why: string): Run {
  const free = update(run, feature, { status: "needs-rework", base: null, builtBy: null });
  return rest(free, movedOutcome(why), { is: "between" });
}

/** Both must hold: every feature is done, and the loop itself saw the checks green at the end. */
function afterClosing(closed: Run, red: readonly string[]): Run {
  const run = { ...closed, inbox: closed.inbox.filter((item) => item.kind !== "check-red") };
  if (red.length > 0) {
    const items = red.map((name) => ({
      kind: "check-red" as const,
      feature: null,
      text: `Every feature is complete, and the check ${name} is still red.`,
      supposition: null,
      next: "Add a feature for what is missing, then: loop continue",
    }));
    return file({ ...run, inbox: [...run.inbox, ...items] }, { kind: "inbox", features: [] });
  }
  return afterGreen(run);
}

/** Success is final, and so is handing on to a follow-up; anything else that was filed can be continued. */
function afterFiling(run: Run, outcome: Outcome): Run {
  if (outcome.kind === "success" || outcome.kind === "followup") return stop(run, outcome);
  // A person decided about held work while the records were written.
  if (nextDecided(run) !== null) return { ...run, now: { is: "between" } };
  return rest(run, outcome, { is: "between" });
}
