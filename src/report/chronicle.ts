// The story of a run, iteration by iteration, for the records, the report and the screen. A pure fold, like the run.

import type { Cause } from "../core/cause.ts";
import type {
  BaselineCheck,
  JudgedCriterion,
  Reply,
  RunEvent,
  SessionEnding,
  ShownCheck,
  Violation,
} from "../core/event.ts";
import type { CommitId, FeatureId, SessionId, TreeId } from "../core/ids.ts";
import { charge, tokensOf } from "../core/ledger.ts";
import { progressIn } from "../core/progresses.ts";
import type { Grade, Role, Run } from "../core/run.ts";
import { progressOf } from "../core/select.ts";
import { noTimes, type Times, track } from "./times.ts";
import { count } from "./words/words.ts";

export type Chronicle = {
  readonly task: string;
  readonly run: string;
  readonly version: string;
  /** The hash of the plan that it was begun with. */
  readonly plan: string;
  readonly begunAt: number;
  readonly lastAt: number;
  readonly baseline: readonly BaselineCheck[];
  /** How long it took to inspect the workspace and to run every check once. */
  readonly baselineMs: number;
  readonly iterations: readonly Iteration[];
  /** Sessions about the whole run: plans, audits, and the objections to them. */
  readonly whole: readonly SessionNote[];
  readonly notes: readonly Note[];
  readonly times: Times;
};

export type Iteration = {
  readonly number: number;
  readonly at: number;
  readonly endedAt: number;
  readonly feature: FeatureId;
  readonly attempt: number;
  readonly sessions: readonly SessionNote[];
  /** Files that the feature has changed by now, earlier attempts included. */
  readonly changed: number;
  /** The tree that its last session left, with the work on the feature so far; null: it is rolled back, or none was seen. */
  readonly candidate: TreeId | null;
  /** A session began, and what it left in the folder was not looked at: it was interrupted. */
  readonly unseen: boolean;
  readonly violations: readonly Violation[];
  readonly checks: readonly ShownCheck[];
  readonly grade: Grade | null;
  /** The branch that shows its held work to people. */
  readonly heldAs: string | null;
  readonly cause: Cause | null;
  readonly rolledBack: string | null;
  readonly commit: CommitId | null;
  readonly ending: "open" | "complete" | "rework" | "shelved";
};
export type SessionNote = {
  readonly session: SessionId;
  readonly role: Role;
  readonly endedAt: number;
  readonly how: string;
  readonly failed: boolean;
  readonly says: string;
  /** A verifier's own words for why it did not pass; null: it passed, or gave none. */
  readonly rootCause: string | null;
  /** What an evaluator said of each criterion. */
  readonly judged?: readonly Pick<JudgedCriterion, "criterion" | "met" | "verification">[];
  readonly costUsd: number;
  readonly estimated: boolean;
  readonly tokens: number;
  readonly ms: number;
};
export type Note = { readonly at: number; readonly about: string; readonly text: string };

export const emptyChronicle: Chronicle = {
  task: "",
  run: "",
  version: "",
  plan: "",
  begunAt: 0,
  lastAt: 0,
  baseline: [],
  baselineMs: 0,
  iterations: [],
  whole: [],
  notes: [],
  times: noTimes,
};

const notesMax = 200;

export function tell(chronicle: Chronicle, before: Run, event: RunEvent, after: Run): Chronicle {
  const times = track(chronicle.times, before, event, after);
  const told = opened({ ...chronicle, lastAt: event.at, times }, before, event, after);
  switch (event.type) {
    case "begun":
      return { ...told, ...ofBeginning(event), begunAt: event.at };
    case "noted":
      return {
        ...told,
        notes: [...told.notes, { at: event.at, about: event.about, text: event.text }].slice(-notesMax),
      };
    case "prepared":
      return { ...told, baseline: event.baseline, baselineMs: event.tookMs };
    case "session-ended":
      return withSession(told, before, event, after);
    case "collected":
      return current(
        told,
        (it) => ({
          ...it,
          changed: event.changedInAll ?? event.changed,
          candidate: event.candidate,
          unseen: false,
          violations: [...it.violations, ...event.violations],
        }),
        after,
      );
    case "proved":
      return current(told, (it) => ({ ...it, checks: event.checks, grade: event.grade }), after);
    case "committed":
      return current(told, (it) => ({ ...it, commit: event.commit, grade: gradeOf(before) ?? it.grade }), after);
    case "taken-up":
      return current(told, (it) => ({ ...it, changed: event.changed }), after);
    case "held":
      return current(told, (it) => ({ ...it, heldAs: event.branch }), after);
    case "rolled-back":
      return current(
        told,
        (it) => ({ ...it, unseen: false, candidate: null, rolledBack: event.quarantine ?? "nothing" }),
        after,
      );
    default:
      return current(told, (it) => it, after);
  }
}

const ofBeginning = ({ task, run, version, contract }: Extract<RunEvent, { type: "begun" }>) => ({
  ...{ task, run, version },
  plan: contract,
});

function withSession(
  told: Chronicle,
  before: Run,
  event: Extract<RunEvent, { type: "session-ended" }>,
  after: Run,
): Chronicle {
  const note = sessionNote(before, event);
  if (before.now.is === "in-session" && before.now.work === null) return { ...told, whole: [...told.whole, note] };
  return current(told, (it) => inIteration(it, note, event), after);
}

function opened(chronicle: Chronicle, before: Run, event: RunEvent, after: Run): Chronicle {
  if (before.now.is !== "between" || after.now.is !== "marking") return chronicle;
  const { feature } = after.now;
  const iteration: Iteration = {
    number: after.spent.iterations,
    at: event.at,
    endedAt: event.at,
    feature,
    attempt: attemptOf(after, feature),
    sessions: [],
    changed: 0,
    candidate: null,
    unseen: false,
    violations: [],
    checks: [],
    grade: null,
    heldAs: null,
    cause: null,
    rolledBack: null,
    commit: null,
    ending: "open",
  };
  return { ...chronicle, iterations: [...chronicle.iterations, iteration] };
}

/** Taking up held work is not another attempt. */
function attemptOf(run: Run, feature: FeatureId): number {
  const { attempts, held } = progressOf(run, feature);
  return held?.decided == null ? attempts + 1 : Math.max(1, attempts);
}

/** Committed work has the grade of its commit: a person's decision turns a weak proof into a reviewed one. */
const gradeOf = ({ now }: Run): Grade | null => (now.is === "committing" ? now.candidate.grade : null);

/** Changes the current iteration, and closes it once its feature has been decided. */
function current(chronicle: Chronicle, change: (iteration: Iteration) => Iteration, after: Run): Chronicle {
  const last = chronicle.iterations.at(-1);
  if (last === undefined || last.ending !== "open") return chronicle;
  const progress = progressIn(after.progress, last.feature);
  // The request was replaced, and the feature is no longer part of the run.
  if (progress === undefined) return closed(chronicle, { ...change(last), unseen: false, ending: "shelved" });
  const endings = { complete: "complete", "needs-rework": "rework", blocked: "shelved" } as const;
  const ending = progress.status in endings ? endings[progress.status as keyof typeof endings] : "open";
  const cause =
    ending === "complete" || isOfEarlier(chronicle, last, ending, progress.lastCause) ? null : progress.lastCause;
  const next = change(last);
  const unseen = next.unseen || isAtWork(after, last.feature);
  return closed(chronicle, { ...next, unseen, ending, cause });
}

const closed = (chronicle: Chronicle, last: Iteration): Chronicle => ({
  ...chronicle,
  iterations: [...chronicle.iterations.slice(0, -1), { ...last, endedAt: chronicle.lastAt }],
});

const isAtWork = ({ now }: Run, feature: FeatureId): boolean =>
  now.is === "in-session" && now.work?.feature === feature;

/** Until an attempt is decided, its feature's last cause is the one of the attempt before. */
function isOfEarlier(
  { iterations }: Chronicle,
  last: Iteration,
  ending: Iteration["ending"],
  cause: Cause | null,
): boolean {
  const earlier = iterations.slice(0, -1).findLast(({ feature }) => feature === last.feature);
  return ending === "open" && cause !== null && earlier?.cause?.key === cause.key;
}

function inIteration(it: Iteration, note: SessionNote, event: Extract<RunEvent, { type: "session-ended" }>): Iteration {
  const refused = (event.refused ?? []).map(({ command, why }) => ({
    kind: "refused-destructive",
    what: `The ${note.role} tried: ${command} (refused: ${why})`,
    grave: false,
  }));
  return { ...it, sessions: [...it.sessions, note], violations: [...it.violations, ...refused] };
}

function sessionNote(before: Run, event: Extract<RunEvent, { type: "session-ended" }>): SessionNote {
  const { now } = before;
  const ticket = now.is === "in-session" ? now.ticket : null;
  const paid = ticket === null ? { costUsd: 0, estimated: false } : charge(ticket, event.usage);
  const role = now.is === "in-session" ? now.role : "builder";
  return {
    session: event.session,
    role,
    endedAt: event.at,
    how: howOf(event.ending),
    failed: event.ending.how === "failed",
    says: saysOf(event.ending),
    rootCause: rootCauseOf(event.ending),
    ...judgedIn(event.ending),
    ...paid,
    tokens: tokensOf(event.usage),
    ms: event.tookMs,
  };
}

function howOf(ending: SessionEnding): string {
  if (ending.how === "failed") return ending.failure.class;
  const { reply } = ending;
  if (reply.kind === "made") return reply.status;
  if (reply.kind === "judged" || reply.kind === "reviewed") return reply.pass ? "pass" : "fail";
  if (reply.kind === "planned") return "planned";
  if (reply.kind === "examined") return "done";
  return reply.gaps.some(({ blocking }) => blocking) ? "gaps" : "pass";
}

function madeWords(reply: Extract<Reply, { kind: "made" }>): string {
  if (reply.status === "question") return reply.question;
  return reply.status === "needs-permission" ? `${reply.tests.join(", ")}: ${reply.reason}` : reply.summary;
}

function judgedIn(ending: SessionEnding): Pick<SessionNote, "judged"> {
  if (ending.how === "failed" || ending.reply.kind !== "judged") return {};
  const { criteria } = ending.reply;
  return { judged: criteria.map(({ criterion, met, verification }) => ({ criterion, met, verification })) };
}

function rootCauseOf(ending: SessionEnding): string | null {
  if (ending.how === "failed" || ending.reply.kind !== "judged" || ending.reply.pass) return null;
  return ending.reply.rootCause.trim() || null;
}

function saysOf(ending: SessionEnding): string {
  if (ending.how === "failed") return ending.failure.text;
  const { reply } = ending;
  if (reply.kind === "made") return madeWords(reply);
  if (reply.kind === "judged") return reply.summary;
  if (reply.kind === "planned") return `${count(reply.features.length, "feature")} in the queue`;
  if (reply.kind === "examined") return `${reply.tests} test files from the contract alone`;
  const points = reply.kind === "reviewed" ? reply.findings : reply.gaps;
  return points.length === 0 ? reply.summary : points.map(({ id, text }) => `${id} ${text}`).join("; ");
}
