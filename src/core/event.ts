// Facts, in the past tense. A run consists of these, in order.

import type { Cause } from "./cause.ts";
import type { Feature, GateName } from "./contract.ts";
import type { CommitId, EffectKey, FeatureId, RunId, SessionId, TaskId, TreeId } from "./ids.ts";
import type { Limits } from "./limits.ts";
import type { NoteKind } from "./note-kinds.ts";
import type { PauseReason } from "./outcome.ts";
import type { CheckOutcome, Contradiction, RunShown } from "./proof.ts";
import type { Grade, Mark } from "./run.ts";
import type { Failure, RefusedAction, Usage, UsedWindow } from "./session.ts";

/**
 * `at` is wall-clock time, for people; `sinceMs` is measured with a monotonic clock since the previous event, or since
 * the run was opened.
 */
export type RunEvent = Stamp & ((ResultEvent & Answering) | SignalEvent);
/** When an event happened. */
export type Stamp = { readonly at: number; readonly sinceMs: number };

/**
 * Which effect a result answers, and how long it took. Events of earlier versions name no effect and answer the one in
 * flight.
 */
export type Answering = { readonly key?: EffectKey; readonly tookMs: number };

/**
 * The result of an effect. A result for an effect that is not in flight (a duplicate, or late) is recorded and changes
 * nothing; a result of the wrong type for the effect in flight is our bug.
 */
export type ResultEvent =
  | {
      readonly type: "prepared";
      readonly mark: Mark;
      readonly baseline: readonly BaselineCheck[];
      readonly seal: string;
    }
  | { readonly type: "refused"; readonly code: string; readonly why: string; readonly next: string }
  | { readonly type: "observed"; readonly features: readonly Feature[] | null }
  | { readonly type: "checkpointed"; readonly mark: Mark }
  /** `priceUsd`: what the session will cost, where that is known beforehand. */
  | { readonly type: "session-reserved"; readonly session: SessionId; readonly priceUsd?: number }
  | {
      readonly type: "session-ended";
      readonly session: SessionId;
      readonly ending: SessionEnding;
      readonly usage: Usage;
      readonly editsMax: { readonly path: string; readonly times: number } | null;
      /** Forbidden actions that it attempted; omitted if there were none. */
      readonly refused?: readonly RefusedAction[];
      /** Of the agent's subscription; omitted: it did not say. */
      readonly window?: UsedWindow;
    }
  | {
      readonly type: "collected";
      readonly candidate: TreeId;
      /** Files that changed since the session began. */
      readonly changed: number;
      /** Files that changed since before the feature's first attempt; omitted by earlier versions. */
      readonly changedInAll?: number;
      readonly violations: readonly Violation[];
      readonly moved: string | null;
    }
  | {
      readonly type: "proved";
      readonly candidate: TreeId;
      readonly proof: string;
      readonly grade: Grade;
      readonly checks: readonly ShownCheck[];
      readonly failures: readonly Cause[];
      /** What keeps it from being strong. Omitted by earlier versions, which accepted weak proofs. */
      readonly missing?: readonly string[];
      /** No further session could change what is missing. */
      readonly isForPerson?: true;
      readonly contradiction?: Contradiction | null;
    }
  | { readonly type: "committed"; readonly commit: CommitId }
  | { readonly type: "head-moved"; readonly why: string }
  | { readonly type: "rolled-back"; readonly quarantine: string | null }
  /** `branch` shows the work to people; null: it could not be created, and only the vault has the work. */
  | { readonly type: "held"; readonly branch: string | null }
  | { readonly type: "released"; readonly features: readonly FeatureId[] }
  /** Held work was applied to the current folder; if there were conflicts, nothing was changed. */
  | {
      readonly type: "taken-up";
      readonly candidate: TreeId;
      readonly changed: number;
      readonly conflicts: readonly string[];
    }
  | { readonly type: "closed"; readonly red: readonly string[] }
  | { readonly type: "filed"; readonly commit: CommitId | null }
  | { readonly type: "woke" }
  /** A pause or cancel cut the effect in flight short; it can be resumed. */
  | { readonly type: "cut"; readonly usage: Usage | null };

/** What people, timers and triggers send at any time. A late signal is recorded and changes nothing. */
export type SignalEvent =
  | {
      readonly type: "begun";
      readonly task: TaskId;
      readonly run: RunId;
      readonly contract: string;
      readonly version: string;
    }
  | { readonly type: "noted"; readonly about: NoteKind; readonly text: string }
  | { readonly type: "pause-requested"; readonly by: PauseReason }
  /** `undo`: unproved work is taken out of the folder first, and kept in quarantine. */
  | { readonly type: "cancel-requested"; readonly undo?: true }
  | {
      readonly type: "continued";
      readonly limits: Partial<Limits>;
      readonly retry: boolean;
      /** Different agents take over, so the previous agents' usage limits no longer apply. */
      readonly crew?: "new";
    }
  | {
      readonly type: "answered";
      /** Null: the question was about the whole run. */
      readonly feature: FeatureId | null;
      /** The question that was shown: an answer to another one changes nothing. Omitted: the one that is open. */
      readonly question?: string;
      readonly answer: string;
      readonly source: "person" | "supposition";
    }
  /** Bound to what was shown: an answer about a different tree or a gate that was already passed changes nothing. */
  | {
      readonly type: "approved";
      readonly gate: GateName;
      readonly number: number;
      readonly tree: TreeId;
      /** The person does not want to be asked again in this run. */
      readonly always?: true;
    }
  | {
      readonly type: "rejected";
      readonly gate: GateName;
      readonly number: number;
      readonly tree: TreeId;
      readonly reason: string;
    }
  /** Bound to the work that was shown: it does not affect other work on the feature or an earlier decision. */
  | { readonly type: "accepted"; readonly feature: FeatureId; readonly tree: TreeId; readonly by: string }
  | { readonly type: "allowed"; readonly feature: FeatureId; readonly tree: TreeId; readonly by: string }
  /** Without a reason the feature stays blocked: another attempt would have nothing to work from. */
  | {
      readonly type: "turned-down";
      readonly feature: FeatureId;
      readonly tree: TreeId;
      readonly reason: string;
      readonly by: string;
    }
  /** A person changed the request. `text` is what they said, `request` the resulting request. */
  | {
      readonly type: "amended";
      readonly mode: "replace" | "append";
      readonly text: string;
      readonly request: string;
      /** The work queue that follows from it, where no planner makes one. */
      readonly features?: readonly Feature[];
      /** Open features that it replaces, also the one in hand. Earlier versions kept those that were begun. */
      readonly dropped?: readonly FeatureId[];
    };

/** A single list, so that a new signal is known everywhere signals are handled. */
const signalTypes: Readonly<Record<SignalEvent["type"], true>> = {
  begun: true,
  noted: true,
  "pause-requested": true,
  "cancel-requested": true,
  continued: true,
  answered: true,
  approved: true,
  rejected: true,
  accepted: true,
  allowed: true,
  "turned-down": true,
  amended: true,
};
/** Whether an event of this type is a signal, and not the result of an effect. */
export const isSignalType = (type: string): type is SignalEvent["type"] => Object.hasOwn(signalTypes, type);

/** The result of one run of a check, as a proof shows it. */
export type ShownCheck = RunShown | ProvedCheck;
/** As earlier versions wrote it: on the candidate, with the sealed files restored, or on the code as it was before. */
export type ProvedCheck = {
  readonly name: string;
  readonly on: "candidate" | "sealed" | "before";
  readonly how: string;
};

/** The result of a check before any agent has worked. */
export type BaselineCheck = {
  readonly name: string;
  readonly green: boolean;
  /** Omitted by earlier versions. */
  readonly how?: CheckOutcome;
};

/** Something the agent was not allowed to do. It was undone before this was recorded. */
export type Violation = { readonly kind: string; readonly what: string; readonly grave: boolean };
/** The kind of an edit to one of the loop's records: a person may have caused it, so no agent is blamed. */
export const recordEdited = "record-edited";

/** What a session brought: a reply that was parsed, or a failure. */
export type SessionEnding =
  | { readonly how: "replied"; readonly reply: Reply }
  | { readonly how: "failed"; readonly failure: Failure };

/** What an agent replied, by its role. */
export type Reply =
  | { readonly kind: "made"; readonly status: "done"; readonly summary: string }
  | { readonly kind: "made"; readonly status: "blocked"; readonly summary: string }
  | { readonly kind: "made"; readonly status: "question"; readonly question: string; readonly supposition: string }
  /** It cannot be done without changing these protected tests, given by file, or by file and name. */
  | {
      readonly kind: "made";
      readonly status: "needs-permission";
      readonly tests: readonly string[];
      readonly reason: string;
    }
  /** How many test files it wrote from the contract alone; they are in the vault. */
  | { readonly kind: "examined"; readonly tests: number }
  | { readonly kind: "planned"; readonly features: readonly Feature[] }
  | {
      readonly kind: "judged";
      readonly pass: boolean;
      readonly rootCause: string;
      readonly summary: string;
      readonly criteria: readonly JudgedCriterion[];
      /** Must-nots that were violated, of those that only a verifier can judge. */
      readonly broken?: readonly string[];
    }
  /** Objections of a plan verifier, an audit verifier or the skeptic. */
  | {
      readonly kind: "reviewed";
      readonly pass: boolean;
      readonly summary: string;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: "audited"; readonly summary: string; readonly gaps: readonly Gap[]; readonly revised: string };

/** An objection or a gap. Blocking ones keep the run from going on. */
export type Finding = { readonly id: string; readonly blocking: boolean; readonly text: string };
/** A missing requirement. */
export type Gap = Finding & {
  readonly evidence: readonly string[];
  /** What is true once it is closed; omitted if unknown. */
  readonly criterion?: string;
  /** Omitted: the audit found it. */
  readonly by?: "person";
};

/** One criterion by its position in the feature, whether it is met, and how that is known. */
export type JudgedCriterion = {
  readonly criterion: number;
  readonly met: boolean;
  readonly verification: Verification;
  /** The evidence that was named for it, and whether the loop found it. */
  readonly evidence?: readonly string[];
};
/** How a verdict on a criterion is known. */
export type Verification = "execution output" | "observation" | "measurement" | "code review" | "assumption";
