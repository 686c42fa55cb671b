// What the core knows about a proof: what was run, what is missing, and what only a person can decide.

/**
 * The runs of a proof. A: the old tests on the new product. U: the same, with ambiguous files taken from the candidate.
 * B: the candidate as it is. C: the new tests on the old product. D: parts of the change reverted. K: a canary. E:
 * altered numbers. F: the old tests against a hollowed-out judge. H: tests written from the contract alone.
 */
export type RunName = "A" | "U" | "B" | "C" | "D" | "K" | "E" | "F" | "H";

/** How run A notes that tests which may change, or would have to, are in the version that the change left. */
export const withAllowed = "with the rewritten tests in place of the old ones";

/** One line of a proof for people: `A: green`, `D: 4 of 5 noticed`. */
export type RunShown = {
  readonly run: RunName;
  readonly check: string;
  /** In words. */
  readonly how: string;
  /** The same for programs; omitted if it did not end in one of these ways. */
  readonly outcome?: CheckOutcome;
  /** How many of how many: tests that pass (B), new tests that fail without the change (C), reverted changes that were noticed (D). */
  readonly seen?: Share;
};
/** How a check ended on one tree. Flaky: red, and then green on the same tree. */
export type CheckOutcome = "green" | "red" | "flaky";
export type Share = { readonly count: number; readonly of: number };

/** Protected tests that the change itself rewrote, and the files that contain them; `tests` by file and name. */
export type Contradiction = { readonly files: readonly string[]; readonly tests: readonly string[] };

/** A person's decision about held work, and who made it. */
export type Decided = { readonly how: "accept" | "allow"; readonly by: string };
