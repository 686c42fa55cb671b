// What the core knows about a session: what it used, how it ended, why it failed.

/**
 * Tokens and money. `costUsd` null: the agent did not report it and the price is unknown; the ledger charges the
 * reservation.
 */
export type Usage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costUsd: number | null;
  /** The cost is an estimate, by the gateway's own count or by the dearest price that is known. */
  isEstimate?: true;
  /** If the cost is not known: the most that it can be, by the session's time. Events of earlier versions have none. */
  atMostUsd?: number;
};
/** A session that used nothing. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };

/** Why a session ended without a usable reply. Each class has its rule in `failure.ts`. */
export type Failure = {
  class: FailureClass;
  text: string;
  retryAt: number | null;
  /** Read from the output of any program, which may have meant something else. */
  isGuess?: true;
};
/** The classes of failures; `core/failure.ts` decides what each leads to. */
export type FailureClass =
  | "transient" // server errors, overload, lost connection: back off and try again
  | "limited" // a usage limit with (retryAt) or without a stated end: wait
  | "authentication" // not logged in: ask
  | "billing" // out of credit: ask
  | "context-full" // hand over to a fresh session
  | "refused" // the model will not do it: this feature fails, others continue
  | "misconfigured" // bad flag, unknown model: ask
  | "crashed" // the process died or said something went wrong
  | "timed-out" // the wall clock ran out
  | "out-of-tokens" // what is left of the run's tokens is less than it needs: the run rests at its cap
  | "silent" // no output, or no progress, for too long
  | "no-result"; // it ended without a usable reply
/** Failures that only a person can fix. */
export type AskingFailure = "authentication" | "billing" | "misconfigured";
const failedSessions = ["refused", "crashed", "timed-out", "silent", "no-result"] as const;
/** Failures that count against the attempt. */
export type FailedSession = (typeof failedSessions)[number];
/** Whether a word is the name of such a failure. */
export const isFailedSession = (word: string): word is FailedSession => failedSessions.some((each) => each === word);

/** A forbidden action that a session attempted: it was refused, and nothing happened. */
export type RefusedAction = {
  readonly command: string;
  readonly why: string;
  /** A habit rather than a danger: recorded, but no reason to interrupt a person. */
  readonly mild?: boolean;
};

/** The fullest window of a subscription, such as its 5 hours. `until`: when it ends; null: not known. */
export type UsedWindow = { readonly name: string; readonly percent: number; readonly until: number | null };
