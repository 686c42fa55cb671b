// Intended differences from the last build before runs became objects with verbs: their name, the fact that they are in, and
// why. `scenario`: only there. `lines`: only lines like these, so that any other difference of the fact is still found.
// Two differences are no rows: a newer build is given `--trust` and `place: here` (place.mjs), because an older one neither asks
// nor has worktrees. Emptied with every release.

/** @typedef {{ name: string, scenario?: string, fact: string, lines?: RegExp, reason: string }} Intended */

/** @type {readonly Intended[]} */
export const intended = [
  {
    name: "a-commit-says-what-and-how-proved",
    fact: "commits",
    lines: /^ {2}text: /,
    reason: "The body of a commit has the feature's description and how it was proved.",
  },
  {
    name: "records-in-the-forms-of-the-harness",
    fact: "records",
    lines: /docs\/(?:LOOP|PROGRESS|loop-budget|loop-run-log)\.md\b/,
    reason: "LOOP.md, PROGRESS.md, the budget and the run log have the headings and lines that the harness defines.",
  },
  {
    name: "a-drafted-goal-binds-no-later-run",
    scenario: "plain/request-beside-a-queue",
    fact: "outcome",
    lines: /^ {2}request: /,
    reason:
      "The second run works on the queue: the goal that the first one drafted in LOOP.md was about its own request.",
  },
  {
    name: "an-interrupted-run-is-resumed-first",
    scenario: "cuts/killed-and-begun-again",
    fact: "exits",
    lines: /^run → [16]$/,
    reason:
      "`loop run` after a kill offers to resume that run; where it cannot ask, it exits with 6 and begins no other.",
  },
  {
    name: "files-of-earlier-attempts-count",
    fact: "iterations",
    lines: /^ {4}changed \d+, grade strong, held as null, cause null$/,
    reason: "A commit counts every file that its feature has changed, also those of an attempt whose work was kept.",
  },
  {
    name: "files-of-earlier-attempts-count-in-failures",
    scenario: "lies/checker-always-refuses",
    fact: "iterations",
    lines: /^ {4}changed \d+, grade strong, held as null, cause verdict$/,
    reason: "The same in an attempt that the checker refused.",
  },
  {
    name: "files-of-a-blocked-attempt-count",
    scenario: "lies/blocked-dependency",
    fact: "iterations",
    lines: /^ {4}changed [01], grade null, held as null, cause blocked$/,
    reason: "What a builder has written before it says that it is blocked is counted, as in any other attempt.",
  },
  {
    name: "files-of-earlier-attempts-count-in-shelved-ones",
    fact: "iterations",
    lines: /^ {4}changed \d+, grade weak, held as (?:null|loop\/held\/F001), cause (?:unproved|flaky|check-red)$/,
    reason: "The same in an attempt after which the feature is shelved.",
  },
  {
    name: "held-work-in-plain-words",
    fact: "set-aside",
    lines: /: The change rewrote protected files, and /,
    reason: "The reason says that nothing else speaks against the change in other words.",
  },
  ...["commits", "features", "iterations", "sessions", "spent", "set-aside"].map((fact) => ({
    name: "an-agents-own-branch-is-no-misdeed",
    scenario: "lies/vandal",
    fact,
    reason:
      "An agent may work on another branch: the loop returns to its own, notes it, and the attempt is judged by its work.",
  })),
  {
    name: "own-records-are-not-set-aside",
    fact: "set-aside",
    lines: /docs\/(?:PROGRESS|loop-budget|loop-run-log)\.md, changed while the loop was at work/,
    reason:
      "Records that the loop itself wrote since the checkpoint are rewritten, and no longer kept as a person's change.",
  },
];
