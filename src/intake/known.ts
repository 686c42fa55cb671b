// What the workspace itself says about a request, beside its words: a check that is there, features, criteria, a scope.

export type Known = {
  /** Checks that would be run, and the file that names them. */
  readonly checks?: readonly KnownCheck[];
  /** Open features of the work queue, and the acceptance criteria they have between them. */
  readonly features?: { readonly from: string; readonly open: number; readonly criteria: number };
  /** What SHAPE.md holds. */
  readonly shape?: { readonly from: string; readonly criteria: number; readonly mustNots: number };
  /** The scope that the settings give. */
  readonly scope?: {
    readonly from: string;
    readonly mayTouch: readonly string[];
    readonly mustNots: readonly string[];
  };
};
export type KnownCheck = {
  readonly name: string;
  readonly run: string;
  readonly must: "stay-green" | "turn-green";
  readonly from: string;
};
