// Why an attempt failed: its kind, a key to recognize it by, and the findings.
import type { FailedSession } from "./session.ts";
import { normal } from "./words.ts";

/** Two causes with one `key` are the same root cause. */
export type Cause = {
  readonly kind: CauseKind;
  readonly key: string;
  /** The findings, in the words of the prover, a verifier, a person or the agent itself. */
  readonly text: string;
  /** What the loop adds to that. */
  readonly frame?: Frame;
};
/** The key where all that is missing is to be assumed. */
export const assumedKey = "assumed";

export type CauseKind =
  | "nothing-changed"
  | "session"
  | "check-red"
  | "flaky"
  | "tampering"
  | "scope"
  | "secret"
  | "must-not"
  | "misdeed"
  | "verdict"
  | "blocked"
  | "rejected"
  /** Something keeps the proof from being strong. */
  | "unproved"
  /** It needs to change a protected test. */
  | "permission"
  /** A person accepted the work, but it no longer fits the current code. */
  | "conflict"
  /** The run ends before the work is proved. */
  | "cancelled"
  /** The request was replaced before the work was proved. */
  | "replaced";

export type Frame =
  | { readonly is: "session"; readonly failure: FailedSession }
  | { readonly is: "nothing-changed" | "rejected" | "unproved" | "cancelled" | "replaced" }
  | { readonly is: "must-not"; readonly broken: string }
  /** `rootCause`: in the verifier's own words; omitted if it gave none. */
  | { readonly is: "verdict"; readonly unmet: readonly string[]; readonly rootCause?: string }
  /** Tests that passed before the change and do not pass over it. */
  | { readonly is: "regression"; readonly tests: readonly string[] }
  /** `isAgainst`: the contract allows no one to change them. */
  | { readonly is: "rewrote"; readonly tests: readonly string[]; readonly isAgainst: boolean }
  | { readonly is: "asks" | "refused"; readonly tests: readonly string[] }
  | { readonly is: "allowed"; readonly tests: readonly string[]; readonly by: string }
  | { readonly is: "conflict"; readonly files: readonly string[]; readonly by: string | null };

/** A person rejected the work, with a reason. `tests`: the tests that it asked to change. */
export const rejection = (reason: string, tests: readonly string[] | null = null): Cause => ({
  kind: "rejected",
  key: `rejected:${normal(reason)}`,
  text: reason,
  frame: tests === null ? { is: "rejected" } : { is: "refused", tests },
});

/** A person gave the run up. */
export const cancellation: Cause = { kind: "cancelled", key: "cancelled", text: "", frame: { is: "cancelled" } };

/** A person asked for something else instead. */
export const replacement: Cause = { kind: "replaced", key: "replaced", text: "", frame: { is: "replaced" } };
