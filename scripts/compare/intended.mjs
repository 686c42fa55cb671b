// Intended differences from the last build before runs became objects with verbs: their name, the fact that they are in, and
// why. `scenario`: only there. `lines`: only lines like these, so that any other difference of the fact is still found.
// Emptied with every release.

/** @typedef {{ name: string, scenario?: string, fact: string, lines?: RegExp, reason: string }} Intended */

/** @type {readonly Intended[]} */
export const intended = [
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
    name: "own-records-are-not-set-aside",
    fact: "set-aside",
    lines: /docs\/(?:PROGRESS|loop-budget|loop-run-log)\.md, changed while the loop was at work/,
    reason:
      "Records that the loop itself wrote since the checkpoint are rewritten, and no longer kept as a person's change.",
  },
];
