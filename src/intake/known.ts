// What the workspace adds to the words of a request: existing checks, features, criteria, a scope.

export type Known = {
  /** The checks that would run, and the file that names them. */
  readonly checks?: readonly KnownCheck[];
  /** Open features of the work queue, and the total of their acceptance criteria. */
  readonly features?: { readonly from: string; readonly open: number; readonly criteria: number };
  /** Names from the request that exist here, and where. */
  readonly names?: readonly KnownName[];
  /** The content of SHAPE.md. */
  readonly shape?: { readonly from: string; readonly criteria: number; readonly mustNots: number };
  /** The scope from the settings. */
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
export type KnownName = { readonly name: string; readonly from: string };
