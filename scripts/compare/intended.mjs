// Intended differences from the last build before runs became objects with verbs: their name, the fact that they are in, and
// why. `scenario`: only there. `lines`: only lines like these, so that any other difference of the fact is still found.
// Two differences are no rows: a newer build is given `--trust` and `place: here` (place.mjs), because an older one neither asks
// nor has worktrees. Emptied with every release.

/** @typedef {{ name: string, scenario?: string, fact: string, lines?: RegExp, reason: string }} Intended */

/** A repository that has neither contract nor queue. */
const drafted = [
  "plain/request",
  "gates/planned-audited-followed-up",
  "gates/plan-rejected",
  "gates/every-gate-of-a-plan",
  "gates/planner-and-verifier-disagree",
  "gates/planner-asks",
  "gates/request-approved",
  "gates/request-appended",
  "gates/request-replaced",
  "gates/request-after-request",
];

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
    lines: /^ {2}(?:request: |stopped, \d of \d done$)/,
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
  {
    name: "own-records-are-not-counted-as-set-aside",
    fact: "set-aside",
    lines:
      /^\d files: F001: (?:test failed and then passed|test \(sh hang\.sh\) fails|It is not proved: No new test fails|Not without the test|The agent said it was done, and nothing had changed|The name is wrong|There is no such library)/,
    reason:
      "The same in the number of files that a failed attempt leaves in quarantine; without any there is no entry.",
  },
  ...["agents/no-reply", "agents/crashes-only"].flatMap((scenario) => [
    {
      name: "a-session-without-a-reply-says-where-it-belongs",
      scenario,
      fact: "set-aside",
      lines: /^\d files: F001: The session ended without a reply that counts\. It left no reply/,
      reason:
        "The reason names the file that takes the reply; and the loop's own records are not counted, as in other attempts.",
    },
    ...[
      "exits",
      "commits",
      "outcome",
      "features",
      "inbox",
      "iterations",
      "sessions",
      "spent",
      "workspace",
      "records",
    ].map((fact) => ({
      name: "a-crashing-agent-trips-its-own-breaker",
      scenario,
      fact,
      reason:
        "A session without a reply says nothing about the feature: the third in a row stops the run, with the work as it is, instead of the second blocking the feature.",
    })),
  ]),
  ...drafted.flatMap((scenario) =>
    [
      { fact: "commits", lines: /^<commit \d+> |^ {2}(?:by |text: |Loop-Run: |Loop-Records: |tree |[AM] docs\/)/ },
      { fact: "features", lines: /, commit <commit \d+>$/ },
      { fact: "workspace", lines: /^status (?:\?\? docs\/|!! \.loop\/records\/$)/ },
      { fact: "records" },
    ].map((row) => ({
      name: "a-request-leaves-no-records-in-the-repository",
      scenario,
      ...row,
      reason:
        "Without a contract or a queue in docs, the records of a request are below .loop, which git ignores. No commit has them.",
    })),
  ),
  {
    name: "a-subject-has-the-whole-request",
    scenario: "plain/request-beside-a-queue",
    fact: "commits",
    lines: /^<commit \d+> feat\(F002\): /,
    reason: "The subject of a commit is not cut within a sentence.",
  },
  {
    name: "looking-before-the-first-run-is-no-mistake",
    scenario: "plain/nothing-yet",
    fact: "exits",
    lines: /^(?:status|inbox) → (?:0|64)$/,
    reason: "`loop status` and `loop inbox` say that there was no run yet, and exit with 0.",
  },
  ...["cuts/cancelled", "cuts/cancelled-while-paused", "cuts/cancelled-after-a-kill"].flatMap((scenario) =>
    [
      ...["features", "iterations", "workspace", "set-aside"],
      // There another run can begin afterwards, which uncommitted work prevented before.
      ...(scenario === "cuts/cancelled" ? ["exits", "commits", "outcome", "sessions", "spent", "records"] : []),
    ].map((fact) => ({
      name: "cancelling-takes-unproved-work-out",
      scenario,
      fact,
      reason: "`loop cancel` takes unproved work out of the folder and keeps it in quarantine, unless --keep is given.",
    })),
  ),
  ...["exits", "outcome", "inbox"].map((fact) => ({
    name: "an-open-request-asks-before-done",
    scenario: "gates/request-approved",
    fact,
    reason: "Where no level is given, a request that leaves something open also waits for a person before it is done.",
  })),
  ...["exits", "outcome"].map((fact) => ({
    name: "a-session-that-asks-is-not-one-without-changes",
    scenario: "held/permission-refused",
    fact,
    reason: "Asking for permission no longer counts as an iteration without changes, so the breaker does not trip.",
  })),
  ...["lies/blocked-dependency", "held/contradiction-rejected", "held/permission-refused"].flatMap((scenario) =>
    [
      { fact: "exits", lines: /^reject F001 --reason .+ → [47]$/ },
      { fact: "commits", lines: /^ {2}Loop-Iteration: [23]$/ },
      { fact: "outcome", lines: /^<run 1>: (?:breaker, breaker nothing-changed|inbox)$/ },
      {
        fact: "features",
        lines: /^<run 1> F001 .+: (?:blocked|needs-rework), grade null, [123] attempts, commit none$/,
      },
      { fact: "inbox", lines: /^<run 1> failed F001$/ },
      {
        fact: "iterations",
        lines:
          /^ {2}[123]: F00[13] attempt [12]: (?:rework|shelved|complete)$|^ {4}(?:changed 0, grade null, held as null, cause blocked|violations none, (?:not )?rolled back|builder: blocked, \$0\.01, 1100 tokens)$/,
      },
      { fact: "sessions", lines: /^builder F001 attempt 2$/ },
      { fact: "records", lines: /docs\/FEATURES\.json\b/ },
      { fact: "spent", lines: /^<run 1>: \$0\.0[234], \d+ tokens, \d sessions, \d iterations, [01] commits$/ },
    ].map((row) => ({
      name: "a-blocked-builder-is-not-called-again",
      scenario,
      ...row,
      reason:
        "What a builder reports as blocking it goes to the inbox at once: the obstacle is the same for every attempt, and asking again tripped the breaker for iterations without changes.",
    })),
  ),
  ...["lies/checker-without-evidence", "checks/green-already"].map((scenario) => ({
    name: "a-resting-run-waits-in-the-inbox",
    scenario,
    fact: "inbox",
    lines: /^<run 1> rest run$/,
    reason: "A run that rests without a question to answer is listed in the inbox, with the command that resumes it.",
  })),
  ...[
    "held/unproved-accepted",
    "held/accepted-after-the-same-lines-changed",
    "held/accepted-from-another-terminal",
    "held/contradiction-allowed",
  ].map((scenario) => ({
    name: "a-decision-takes-no-iteration-from-the-agents",
    scenario,
    fact: "spent",
    lines: /^ {2}of at most .+, 1[01] iterations, /,
    reason: "Taking up accepted work is numbered like an iteration, so the cap on iterations moves by one with it.",
  })),
  ...[
    { fact: "exits", lines: /^reject F001 --no-continue → (?:0|64)$/ },
    {
      fact: "commits",
      lines:
        /^<commit 4> chore\(loop\): record run <run 1> \(inbox\)$|^ {2}(?:by Person |Loop-Run: |Loop-Records: yes$|tree |M docs\/)/,
    },
    { fact: "features", lines: /^<run 1> F001 Add f001\(\): blocked, grade null, [23] attempts, commit none$/ },
    {
      fact: "iterations",
      lines:
        /^ {2}4: F001 attempt 1: shelved$|^ {4}(?:changed 1, grade weak, held as loop\/held\/F001, cause unproved|violations none, rolled back|builder: done, \$0\.01, 1100 tokens)$/,
    },
    { fact: "sessions", lines: /^builder F001 attempt 1$/ },
    { fact: "spent", lines: /^<run 1>: \$0\.0[45], \d+ tokens, [45] sessions, [34] iterations, 1 commits$/ },
    { fact: "workspace", lines: /^ref refs\/heads\/loop\/held\/F001: tree [0-9a-f]+$/ },
    { fact: "records", lines: /docs\/FEATURES\.json [0-9a-f]+$/ },
  ].map((row) => ({
    name: "a-rejection-needs-a-reason",
    scenario: "held/unproved-rejected-without-one",
    ...row,
    reason:
      "`loop reject` without a reason is refused with 64: the next attempt works from it, so there was none here.",
  })),
  ...[
    "gates/before-done-rejected",
    "gates/planned-audited-followed-up",
    "gates/planner-and-verifier-disagree",
    "gates/planner-asks",
    "gates/request-after-request",
  ].map((scenario) => ({
    name: "a-run-counts-its-own-features",
    scenario,
    fact: "outcome",
    lines: /^ {2}stopped, \d of \d done$/,
    reason: "A later run counts the features that it works on, without those that runs before it completed.",
  })),
  {
    name: "a-rejection-in-the-persons-words",
    scenario: "gates/before-done-rejected",
    fact: "records",
    lines: /docs\/FEATURES\.json(?: [0-9a-f]+$|: {7,}"(?:description"|This is no longer so|Add f003))/,
    reason:
      "The feature that a rejected result becomes says who rejected it, and its criterion that this is no longer so.",
  },
];
