// What a result means in each phase. Every legal transition is one line of the table, and the compiler checks both
// sides: a missing phase, or a result that no phase takes, does not compile.
import { afterCollected, afterSession } from "./after-session.ts";
import { afterRollback, complete, failAttempt, update } from "./attempt.ts";
import { afterCancelling } from "./cancel.ts";
import type { Cause } from "./cause.ts";
import { afterDropping } from "./drop.ts";
import { Bug } from "./errors.ts";
import type { Answering, ResultEvent, Stamp } from "./event.ts";
import { firstRole } from "./first-role.ts";
import {
  afterHeld,
  afterTakingUp,
  asksPermission,
  contradicted,
  keepHeld,
  nextDecided,
  refusedAgain,
  takeUp,
  unproved,
} from "./held.ts";
import { beginIteration } from "./iteration.ts";
import { reservation, tooDear } from "./ledger.ts";
import { whoWorks } from "./limited.ts";
import type { Outcome } from "./outcome.ts";
import { afterGreen, afterLooking } from "./pairs.ts";
import { halt } from "./refused.ts";
import type { AfterCollecting, Head, InSession, Mark, Phase, Run, Side, Ticket, Work } from "./run.ts";
import { progressOf } from "./select.ts";
import { file, rest, resume, startProof, startSession, stop } from "./stop.ts";

type ResultType = ResultEvent["type"];
export type Answer<T extends ResultType = ResultType> = Extract<ResultEvent, { type: T }> & Answering & Stamp;
type In<P extends Phase["is"]> = Extract<Phase, { is: P }>;

/** Which results a phase waits for. */
type Awaited = {
  opening: "prepared";
  between: "released" | "observed";
  marking: "checkpointed" | "head-moved";
  "in-session": "session-reserved" | "session-ended";
  collecting: "collected";
  proving: "proved";
  committing: "committed" | "head-moved";
  undoing: "rolled-back" | "head-moved";
  holding: "held";
  "taking-up": "taken-up";
  closing: "closed";
  filing: "filed";
  waiting: "woke";
  resting: never;
  stopped: never;
};
/** Any effect can be cut, or refused by the machine. */
type Anytime = "cut" | "refused";
type Unplaced = Exclude<ResultType, Awaited[Phase["is"]] | Anytime>;

type Table = {
  readonly [P in Phase["is"]]: {
    readonly [T in Awaited[P]]: (run: Run, now: In<P>, event: Answer<T>) => Run;
  };
};

const table: [Unplaced] extends [never] ? Table : Unplaced = {
  opening: { prepared: (run, _, event) => afterOpening(run, event.mark) },
  between: {
    released: withoutReleased,
    observed: (run, _, event) => beginIteration(run, event.features),
  },
  marking: {
    checkpointed: (run, now, event) => afterMarking(run, now.feature, event.mark),
    "head-moved": (run, now, event) => movedWhileMarking(run, now.feature, event.why),
  },
  "in-session": { "session-reserved": withTicket, "session-ended": afterSession },
  collecting: {
    collected: (run, now, event) => {
      const collected = afterCollecting(run, now, event);
      return now.halt === undefined ? collected : halt(collected, now.halt);
    },
  },
  proving: { proved: afterProof },
  committing: {
    committed: (run, now, event) => complete(run, now.work, now.candidate, event.commit),
    "head-moved": (run, now, event) => headMoved(run, now.work, event.why),
  },
  undoing: {
    "rolled-back": afterUndoing,
    "head-moved": (run, now, event) => movedWhileUndoing(run, now, event.why),
  },
  holding: { held: afterHeld },
  "taking-up": { "taken-up": afterTakingUp },
  closing: { closed: (run, _, event) => afterClosing(run, event.red) },
  filing: { filed: (run, now) => afterFiling(run, now.outcome) },
  waiting: { woke: (run, now, event) => (event.at >= now.until ? resume(run, now.resume) : run) },
  resting: {},
  stopped: {},
};

/** The only cast: it assumes that the row of a phase and an event type takes that phase and that event. */
type Row = Readonly<Partial<Record<ResultType, (run: Run, now: Phase, event: Answer) => Run>>>;

export function afterResult(run: Run, event: Answer): Run {
  const transition = (table[run.now.is] as Row)[event.type];
  if (transition === undefined) throw new Bug(`a run that is ${run.now.is} cannot take ${event.type}`);
  return transition(run, run.now, event);
}

function withoutReleased(run: Run, _: Phase, { features }: Answer<"released">): Run {
  if (run.released.length === 0) throw new Bug("branches were removed, and none was to be");
  return { ...run, released: run.released.filter((id) => !features.includes(id)) };
}

function withTicket(run: Run, now: InSession, event: Answer<"session-reserved">): Run {
  if (now.ticket !== null) throw new Bug("a session that has its ticket was given another");
  const dear = tooDear(run, event.priceUsd);
  if (dear !== null) return rest(run, dear, now);
  const by = whoWorks(run, now.role, event.at);
  const ticket = { session: event.session, ...reservation(run), by, ...resumable(run, now, by) };
  return { ...run, spent: { ...run.spent, sessions: run.spent.sessions + 1 }, now: { ...now, ticket } };
}

function afterOpening(opened: Run, mark: Mark): Run {
  return afterLooking({ ...opened, origin: mark, head: headAt(mark), left: mark.tree });
}

const headAt = (mark: Mark): Head => ({ tree: mark.headTree ?? mark.tree, commit: mark.head });

function afterMarking(run: Run, feature: Work["feature"], mark: Mark): Run {
  const { held, attempts, base: began } = progressOf(run, feature);
  // A person may commit between features. At the end, the run's own changes are compared with that commit.
  const head = run.head?.commit === mark.head ? run.head : headAt(mark);
  if (held !== null && held.decided !== null) return takeUp({ ...run, head }, feature, mark, held, held.decided);
  const base = began ?? mark;
  if (base.head !== mark.head) return movedWhileMarking(run, feature, null);
  const attempt = attempts + 1;
  const work: Work = { feature, iteration: run.spent.iterations, attempt, stage: "implement", mark, base };
  const marked = { ...update(run, feature, { attempts: attempt, base }), head };
  return startSession(marked, { role: firstRole(run, feature), work, candidate: null });
}

/** A builder resumes its own conversation when its work is built upon. A judge always starts a fresh one. */
function resumable(run: Run, { role, work }: InSession, by: Side): Pick<Ticket, "resumes"> {
  const last = role === "builder" && work !== null ? progressOf(run, work.feature).builtBy : null;
  return last != null && last.by === by ? { resumes: last.session } : {};
}

function afterCollecting(run: Run, now: Extract<Phase, { is: "collecting" }>, event: Answer<"collected">): Run {
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
  // A session that died may have done the work: the state of the files counts, not the report.
  if ((event.changedInAll ?? event.changed) === 0) {
    const frame = { is: "nothing-changed" } as const;
    return failAttempt(seen, work, { kind: "nothing-changed", key: "nothing-changed", text: "", frame });
  }
  return startProof(seen, work, event.candidate);
}

/**
 * An iteration counts once, when its attempt is decided: a session that is merely retried says nothing yet, and one
 * that asks, or is blocked, has a reason to change nothing. A session that brought no reply is counted as an error instead.
 */
function countUnchanged(run: Run, then: AfterCollecting, changed: number): Run {
  if (then.do === "retry" || then.do === "rest") return run;
  if (then.do === "fail" && then.cause.kind === "session" && changed === 0) return run;
  const asks = then.do === "ask" || then.do === "permit" || (then.do === "fail" && then.cause.kind === "blocked");
  const unchanged = changed === 0 && !asks ? run.streaks.unchanged + 1 : 0;
  return { ...run, streaks: { ...run.streaks, unchanged } };
}

function afterProof(run: Run, { work, candidate }: Extract<Phase, { is: "proving" }>, event: Answer<"proved">): Run {
  if (event.candidate !== candidate) throw new Bug(`the proof is of ${event.candidate}, the candidate is ${candidate}`);
  const { proof, grade, missing, isForPerson = false, contradiction = null } = event;
  const cause = refusal(event, run.contract.proof.allow === "never" || work.decided !== undefined);
  if (work.decided !== undefined) {
    if (cause !== null) return refusedAgain(run, work, work.decided, cause);
    return { ...run, now: { is: "committing", work, candidate: { tree: candidate, proof, grade: "reviewed" } } };
  }
  if (cause !== null) return failAttempt(run, work, cause);
  // A checker may allow tests to change, but it cannot settle anything else that needs a person.
  if (contradiction !== null && (run.contract.proof.allow === "person" || (missing ?? []).length > 0))
    return contradicted(run, work, { tree: candidate, proof, missing: missing ?? [] }, contradiction);
  // Earlier versions did not record what is missing, and let a verdict override weak evidence.
  if (contradiction === null && grade === "weak" && missing !== undefined)
    return unproved(run, work, candidate, { proof, missing, isForPerson });
  const proved =
    contradiction === null
      ? { tree: candidate, proof, grade }
      : { tree: candidate, proof, grade: "reviewed" as const, contradiction };
  return startSession(run, { role: work.stage === "test" ? "test-verifier" : "evaluator", work, candidate: proved });
}

/** Why the candidate is refused, the most serious reason first; null if nothing is wrong. */
function refusal({ failures, contradiction }: Extract<ResultEvent, { type: "proved" }>, strict: boolean): Cause | null {
  const [worst] = [...failures].sort((a, b) => gravity(b.kind) - gravity(a.kind));
  if (worst !== undefined) return { ...worst, text: failures.map(({ text }) => text).join("\n") };
  if (contradiction == null || !strict) return null;
  const { tests } = contradiction;
  const frame = { is: "rewrote", tests, isAgainst: true } as const;
  return { kind: "tampering", key: `contradiction:${tests.join(", ")}`, text: "", frame };
}

const gravest = ["must-not", "misdeed", "secret", "tampering", "scope"];
const gravity = (kind: string): number => (gravest.includes(kind) ? gravest.length - gravest.indexOf(kind) : 0);

/** A commit that is not the loop's. The folder is clean by now; the feature starts over from the new state. */
function headMoved(run: Run, work: Work, why: string): Run {
  const isDecided = work.decided !== undefined;
  const attempts = isDecided ? work.attempt : work.attempt - 1;
  // A person's decision stays: the work is taken up again, and no builder starts on it.
  const status = isDecided ? "blocked" : "needs-rework";
  const free = update(run, work.feature, { status, base: null, builtBy: null, attempts });
  return rest(free, movedOutcome(why), { is: "between" });
}

const movedOutcome = (why: string | null): Outcome => ({ kind: "head-moved", why });

function afterUndoing(run: Run, { work, cause, after }: Extract<Phase, { is: "undoing" }>): Run {
  if (after.do === "cancel") return afterCancelling(run, work);
  return after.do === "drop" ? afterDropping(run, work) : afterRollback(run, work, cause, after);
}

/** Work to be held is kept anyway: it is a tree in the vault and needs no folder. */
function movedWhileUndoing(run: Run, now: Extract<Phase, { is: "undoing" }>, why: string): Run {
  const { work, after } = now;
  if (after.do === "cancel") return afterCancelling(run, work);
  if (after.do === "drop") {
    const dropped = afterDropping(run, work);
    return rest(dropped, movedOutcome(why), dropped.now);
  }
  const { held } = progressOf(run, work.feature);
  if (after.do === "shelve" && held !== null) return keepHeld(run, work.feature, held, after.item, movedOutcome(why));
  if (after.do !== "hold") return headMoved(run, work, why);
  return { ...run, now: { is: "holding", work, held: after.held, item: after.item, halt: movedOutcome(why) } };
}

function movedWhileMarking(run: Run, feature: Work["feature"], why: string | null): Run {
  const free = update(run, feature, { status: "needs-rework", base: null, builtBy: null });
  return rest(free, movedOutcome(why), { is: "between" });
}

/** Both must hold: every feature is done, and the loop itself saw the checks pass at the end. */
function afterClosing(closed: Run, red: readonly string[]): Run {
  const run = { ...closed, inbox: closed.inbox.filter((item) => item.kind !== "check-red") };
  if (red.length > 0) {
    const items = red.map((check) => ({ kind: "check-red" as const, feature: null, check }));
    return file({ ...run, inbox: [...run.inbox, ...items] }, { kind: "inbox", features: [] });
  }
  return afterGreen(run);
}

/** Success is final, and so is a handover to a follow-up run; any other outcome can be resumed. */
function afterFiling(run: Run, outcome: Outcome): Run {
  if (outcome.kind === "success" || outcome.kind === "followup") return stop(run, outcome);
  // A person decided about held work while the records were being written.
  if (nextDecided(run) !== null) return { ...run, now: { is: "between" } };
  return rest(run, outcome, { is: "between" });
}
