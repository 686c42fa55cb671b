// The lines to search for secrets, and the hits. A hit never contains the secret itself.

/** A line that a change adds; `line` counts from 1. */
export type AddedLine = { readonly path: string; readonly line: number; readonly text: string };

export type SecretHit = {
  readonly path: string;
  readonly line: number;
  /** For people: "GitHub token". */
  readonly what: string;
  /** A provider's own format refuses the change; a value that only looks random is a question for a person. */
  readonly sure: boolean;
  /** The part that may be shown: its public prefix and its length. */
  readonly masked: string;
};

export type SecretOptions = {
  /** Tests contain keys made for them, so a private key there is a question. */
  readonly isTest: (path: string) => boolean;
  /** Lockfiles are made of hashes. */
  readonly isLockfile: (path: string) => boolean;
};
