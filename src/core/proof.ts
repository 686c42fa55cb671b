// What the core knows of a proof: what was run, what is missing, and what only a person can decide.

/**
 * The runs of a proof. A: the old tests over the new product. U: the same, with files that could be either taken from the
 * candidate. B: the candidate as it is. C: the new tests over the old product. D: parts of the change taken back. K: a
 * canary. E: altered numbers. F: the old tests against a hollowed-out judge. H: tests written from the contract alone.
 */
export type RunName = "A" | "U" | "B" | "C" | "D" | "K" | "E" | "F" | "H";

/** How run A says that it has tests which may change, or would have to, as the change left them. */
export const withAllowed = "with the rewritten tests in place of the old ones";

/** One line of a proof for people: `A: green`, `D: 4 of 5 noticed`. */
export type RunShown = {
  readonly run: RunName;
  readonly check: string;
  /** In words. */
  readonly how: string;
  /** The same for programs; left out: it did not end in one of these ways. */
  readonly outcome?: CheckOutcome;
  /** How many of how many: new tests that fail without the change (C), taken-back changes that were noticed (D). */
  readonly seen?: Share;
};
/** How a check ended on one tree. Flaky: red, and then green on the same tree. */
export type CheckOutcome = "green" | "red" | "flaky";
export type Share = { readonly count: number; readonly of: number };

/** Protected tests that the change itself rewrote, and the files that they are in; `tests` by file and name. */
export type Contradiction = { readonly files: readonly string[]; readonly tests: readonly string[] };

/** What a person said about work that waited for them, and who it was. */
export type Decided = { readonly how: "accept" | "allow"; readonly by: string };
