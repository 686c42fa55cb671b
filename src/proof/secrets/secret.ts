// What is looked at for secrets, and what is found. The secret itself is never part of it.

/** A line that a change adds; `line` counts from 1. */
export type AddedLine = { readonly path: string; readonly line: number; readonly text: string };

export type SecretHit = {
  readonly path: string;
  readonly line: number;
  /** For people: "GitHub token". */
  readonly what: string;
  /** A provider's own format refuses the change; what only looks drawn by lot is a question for a person. */
  readonly sure: boolean;
  /** What may be shown of it: its public prefix and its length. */
  readonly masked: string;
};

export type SecretOptions = {
  /** Tests hold keys of their own making, so a private key there is a question. */
  readonly isTest: (path: string) => boolean;
  /** Lockfiles are made of hashes. */
  readonly isLockfile: (path: string) => boolean;
};
