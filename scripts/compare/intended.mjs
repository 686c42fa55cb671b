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
];
