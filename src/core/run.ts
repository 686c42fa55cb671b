// The state of a run: its journal, applied. Plain data, so that it can be stored, shown and compared.
import type { Cause } from "./cause.ts";
import type { Contract, Feature, FeatureStatus, GateName } from "./contract.ts";
import type { Finding, Gap } from "./event.ts";
import type { CheckpointId, CommitId, FeatureId, SessionId, TreeId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import type { Gate, Outcome, PauseReason } from "./outcome.ts";
import { type Progresses, progresses } from "./progresses.ts";
import type { Contradiction, Decided } from "./proof.ts";
import type { Usage, UsedWindow } from "./session.ts";

/**
 * Increment when the shape of `Run` or the meaning of `apply` changes: the journal is then replayed instead of using
 * older snapshots.
 */
export const stateVersion = 18;

/** The state of a run: the fold of its events. */
export type Run = {
  readonly contract: Contract;
  /** The workspace as the run found it; null until it was inspected. */
  readonly origin: Mark | null;
  /** The last commit that the run knows of, and its tree. */
  readonly head: Head | null;
  readonly progress: Progresses;
  readonly spent: Spend;
  readonly streaks: Streaks;
  readonly inbox: readonly InboxItem[];
  readonly decisions: readonly Decision[];
  /** The gaps that the audit found, and a request for only those. */
  readonly audit: Audit | null;
  /** Until when each agent is rate limited; 0: it is not. */
  readonly limitedUntil: Readonly<Record<Side, number>>;
  /** The window of each agent's subscription, as its last session reported it. */
  readonly windows: Readonly<Partial<Record<Side, UsedWindow>>>;
  /** A person's pending pause, cancel or replacement of features; takes effect once the effect in flight has ended. */
  readonly asked: Asked | null;
  /** Features whose held work is no longer needed: the branches that show it to people are deleted. */
  readonly released: readonly FeatureId[];
  /** The last showing of each gate: the next one has another number. */
  readonly shown: Readonly<Partial<Record<GateName, Gate>>>;
  /**
   * The folder's content, without the loop's own files, when the loop last looked. Null: a person may have worked in it
   * since, so its current content counts.
   */
  readonly left: TreeId | null;
  readonly now: Phase;
  /** How many effects were answered: distinguishes one effect from the next. */
  readonly turn: number;
};

/** What a run does now, and all that this phase needs. */
export type Phase =
  | { readonly is: "opening" }
  | { readonly is: "between" }
  | { readonly is: "marking"; readonly feature: FeatureId }
  | InSession
  /** `halt`: once the work is collected, the run rests for this reason; `after` follows when it is resumed. */
  | { readonly is: "collecting"; readonly work: Work; readonly after: AfterCollecting; readonly halt?: Outcome }
  | { readonly is: "proving"; readonly work: Work; readonly candidate: TreeId }
  | { readonly is: "committing"; readonly work: Work; readonly candidate: Candidate }
  | { readonly is: "undoing"; readonly work: Work; readonly cause: Cause; readonly after: AfterUndoing }
  /** `halt`: once the work is kept, the run rests for this reason. */
  | {
      readonly is: "holding";
      readonly work: Work;
      readonly held: Held;
      readonly item: InboxItem;
      readonly halt?: Outcome;
    }
  | { readonly is: "taking-up"; readonly work: Work; readonly held: Held }
  | { readonly is: "closing" }
  | { readonly is: "filing"; readonly outcome: Outcome }
  | { readonly is: "waiting"; readonly until: number; readonly because: string; readonly resume: Phase }
  | { readonly is: "resting"; readonly outcome: Outcome; readonly resume: Phase }
  | { readonly is: "stopped"; readonly outcome: Outcome };

/** One session is due or in progress. Nothing may be spent on it before it has a ticket. */
export type InSession = {
  readonly is: "in-session";
  readonly role: Role;
  readonly work: Work | null;
  readonly candidate: Candidate | null;
  readonly ticket: Ticket | null;
  /** The state of a producer and its verifier; only for pairs that work on the whole run. */
  readonly pair?: Pair;
};

/** The round, from 1, and the verifier's findings in the previous round. */
export type Pair = { readonly round: number; readonly findings: readonly Finding[] };

/** The role of a session. A producer makes something; its verifier, always another session, judges it. */
export type Role =
  | "planner"
  | "plan-verifier"
  | "designer"
  | "builder"
  | "evaluator"
  | "tester"
  | "test-verifier"
  | "auditor"
  | "audit-verifier"
  /** Argues against work that is hard to undo, before it begins. */
  | "skeptic"
  /** Writes tests from the contract alone; the builder does not see them. */
  | "examiner";

/** The right to one session, with what is reserved for it. */
export type Ticket = {
  readonly session: SessionId;
  readonly reservedUsd: number;
  /** Null: tokens have no limit. */
  readonly reservedTokens: number | null;
  readonly by: Side;
  /** The session whose conversation it may resume: the same agent's, on work that still exists. */
  readonly resumes?: SessionId;
  /** What it had used when a pause cut it short, until it is resumed. */
  readonly used?: Usage;
};

/** Which of the two agents fills a role: makers make, checkers judge. */
export type Side = "maker" | "checker";
/** The side that fills a role. */
export const sideOf = (role: Role): Side =>
  role === "evaluator" || role.endsWith("-verifier") || role === "auditor" || role === "skeptic" || role === "examiner"
    ? "checker"
    : "maker";

/** One pass over one feature. */
export type Work = {
  readonly feature: FeatureId;
  readonly iteration: number;
  /** 1 for the first attempt at a feature. */
  readonly attempt: number;
  readonly stage: "implement" | "test";
  /** The state before this attempt. */
  readonly mark: Mark;
  /** The target of a roll-back: the state before the feature's first attempt. */
  readonly base: Mark;
  /** A person decided about it: it needs no session and no verdict. */
  readonly decided?: Decided;
};
/** A state of the workspace: its checkpoint, its tree, and the commit that it is based on. */
export type Mark = {
  readonly checkpoint: CheckpointId;
  readonly tree: TreeId;
  readonly head: CommitId | null;
  /** Of a run's origin: what a person left, where commits of earlier runs came after it. */
  readonly person?: TreeId;
  /** The tree of `head`, if known; it differs from `tree` by a person's uncommitted changes. */
  readonly headTree?: TreeId;
};

/** The last known commit, and its tree. */
export type Head = { readonly tree: TreeId; readonly commit: CommitId | null };

/** Work that the runtime has proved. */
export type Candidate = {
  readonly tree: TreeId;
  readonly proof: string;
  readonly grade: Grade;
  /** Protected tests that it rewrote: the checker decides whether the feature needs that. */
  readonly contradiction?: Contradiction;
};
/**
 * strong: proved by the loop's own runs, with a verdict. reviewed: a verdict or a person. weak: neither, so it is not
 * done.
 */
export type Grade = "strong" | "reviewed" | "weak";

/** A candidate that waits for a person. The vault has its tree, and a branch shows it to people. */
export type Held = {
  readonly tree: TreeId;
  /** The state that its change applies to. */
  readonly base: Mark;
  readonly proof: string | null;
  readonly why: HeldWhy;
  /** What is missing, or why it asks: one sentence each. */
  readonly missing: readonly string[];
  /** Protected tests that it rewrote, or asks to change. */
  readonly tests: readonly string[];
  /** The files involved in a contradiction: those of the tests, or those that the tests compare with. */
  readonly files?: readonly string[];
  /** The branch that shows it; null: there is none. Omitted until it is held, and by earlier versions. */
  readonly branch?: string | null;
  /** A person's decision, carried out when it is the feature's turn. */
  readonly decided: Decided | null;
};
/**
 * unproved: out of attempts. contradiction: it rewrote protected tests. permission: its builder asks to change them.
 */
export type HeldWhy = "unproved" | "contradiction" | "permission";

/** What follows once the work of a session is collected. */
export type AfterCollecting =
  | { readonly do: "prove" }
  | { readonly do: "fail"; readonly cause: Cause }
  | { readonly do: "ask"; readonly question: string; readonly supposition: string }
  | { readonly do: "permit"; readonly tests: readonly string[]; readonly reason: string }
  | { readonly do: "retry"; readonly at: number | null; readonly because: string }
  | { readonly do: "rest"; readonly outcome: Outcome };

/** What follows once a failed attempt is rolled back. */
export type AfterUndoing =
  | { readonly do: "rework" }
  | { readonly do: "shelve"; readonly item: InboxItem }
  | { readonly do: "hold"; readonly held: Held; readonly item: InboxItem }
  /** The run is over once the folder is restored. */
  | { readonly do: "cancel" }
  /** The request was replaced: the feature is no longer part of the run once the folder is restored. */
  | { readonly do: "drop" };

/** Where one feature stands in this run. */
export type Progress = {
  readonly status: FeatureStatus;
  readonly attempts: number;
  readonly lastCause: Cause | null;
  readonly base: Mark | null;
  readonly commit: CommitId | null;
  readonly proof: string | null;
  readonly grade: Grade | null;
  readonly criteriaMet: readonly number[];
  readonly costUsd: number;
  /** The builder's last session, for as long as its work can be built upon. */
  readonly builtBy?: BuiltBy | null;
  /** Work on the feature that waits for a person. */
  readonly held: Held | null;
  /** Protected tests that a person lets it change, in addition to those in its contract. */
  readonly allowed: readonly string[];
  /** Tests were written from the contract alone, or cannot be. */
  readonly examined?: true;
  /** Who reviewed it, if its grade is reviewed: a person, or "the checker". */
  readonly reviewedBy: string | null;
};

/** `isCut`: a usage limit interrupted the session, and it can be resumed. */
export type BuiltBy = { readonly session: SessionId; readonly by: Side; readonly isCut?: true };

/** What a run has used so far. */
export type Spend = {
  readonly costUsd: number;
  /** Some of the cost is an unconfirmed reservation: shown as `~`. */
  readonly estimated: boolean;
  readonly tokens: number;
  readonly sessions: number;
  readonly iterations: number;
  readonly commits: number;
  /** Time of sessions and of the loop itself. */
  readonly activeMs: number;
  /** Time of checks, which is not part of `activeMs`. */
  readonly checkMs: number;
};

/** Consecutive occurrences, for the breakers. */
export type Streaks = {
  /** Iterations in which no further criterion was met, and how many had been met before that. */
  readonly stuck: number;
  readonly met: number;
  /** Iterations in which nothing changed. */
  readonly unchanged: number;
  /** Sessions without a reply: the same error, any error, and waits for a server or a limit. */
  readonly error: { readonly key: string; readonly times: number };
  readonly failures: number;
  readonly waits: number;
};
/** Nothing has repeated yet. */
export const noStreaks: Streaks = {
  stuck: 0,
  met: 0,
  unchanged: 0,
  error: { key: "", times: 0 },
  failures: 0,
  waits: 0,
};

/** The result of the final audit: its gaps, and a request for only those. */
export type Audit = { readonly gaps: readonly Gap[]; readonly revised: string };
/** A question of an agent, and how it was answered. */
export type Decision = {
  readonly feature: FeatureId | null;
  readonly question: string;
  readonly answer: string;
  readonly source: "person" | "supposition";
};

/** What takes effect once the effect in flight has ended. */
export type Asked =
  | { readonly for: "pause"; readonly by: PauseReason }
  | { readonly for: "cancel"; readonly undo?: true }
  /** The request was replaced, and these features with it. */
  | { readonly for: "drop"; readonly features: readonly FeatureId[] };

const untouched = { attempts: 0, lastCause: null, base: null, commit: null, proof: null, grade: null } as const;
const undecided = { held: null, allowed: [], reviewedBy: null } as const;

/** The progress of a feature that this run has not worked on. */
export function newProgress(status: FeatureStatus): Progress {
  return { ...untouched, ...undecided, status, criteriaMet: [], costUsd: 0 };
}

/** It gets all of its attempts back. The last reason is what the builder is told, and counts against none of them. */
export function startedOver(progress: Progress, change: Partial<Progress> = {}): Progress {
  return { ...progress, status: "needs-rework", attempts: 0, ...change };
}

/** A feature that an earlier run left half done starts over: its work was rolled back or set aside. */
export function progressAsRead({ status }: Feature): Progress {
  return newProgress(status === "in-progress" ? "not-started" : status);
}

/** A run before its first event. */
export function begin(contract: Contract): Run {
  return {
    contract,
    origin: null,
    head: null,
    progress: progresses(contract.features.map((f) => [f.id, progressAsRead(f)])),
    spent: {
      costUsd: 0,
      estimated: contract.isEstimate === true,
      tokens: 0,
      sessions: 0,
      iterations: 0,
      commits: 0,
      activeMs: 0,
      checkMs: 0,
    },
    streaks: noStreaks,
    inbox: [],
    decisions: [],
    audit: null,
    limitedUntil: { maker: 0, checker: 0 },
    windows: {},
    asked: null,
    released: [],
    shown: {},
    left: null,
    now: { is: "opening" },
    turn: 0,
  };
}
