// Every reason to rest, and every cause, has a sentence and a next step.
import { expect, test } from "vitest";
import type { Cause } from "../../core/cause.ts";
import { featureId } from "../../core/ids.ts";
import type { Need, Trip } from "../../core/need.ts";
import { causeText } from "./cause-words.ts";
import { needNext, needSentence, tripSentence } from "./need-words.ts";

const F1 = featureId("F1");
const cause: Cause = { kind: "check-red", key: "k", text: "one\ntwo" };
const against = [
  { id: "N", blocking: true, text: "No test." },
  { id: "T", blocking: true, text: "Too large." },
];
const gate = 'loop approve, or: loop reject --reason "…"';
const iteration = { about: "iteration", iteration: 3, feature: F1 } as const;

test.each<[Need, string, string]>([
  [{ about: "contract", open: 1 }, "1 feature is to be built, and nothing has been built yet.", gate],
  [{ about: "contract", open: 2 }, "2 features are to be built, and nothing has been built yet.", gate],
  [
    { about: "plan-disputed", rounds: 1, against },
    "The verifier of the plan still objects after 1 round:\nN. No test.\nT. Too large.",
    gate,
  ],
  [
    { about: "hard-to-undo", against },
    "This would be hard to take back, and there is something against it:\nN. No test.\nT. Too large.",
    gate,
  ],
  [
    { about: "audit-disputed", rounds: 2, against },
    "The auditor and its verifier do not agree after 2 rounds:\nN. No test.\nT. Too large.",
    gate,
  ],
  [{ ...iteration, became: "proved" }, "Iteration 3: F1 is proved and committed. Go on?", gate],
  [
    { ...iteration, became: "reviewed", by: null },
    "Iteration 3: F1 is reviewed by the checker and committed. Go on?",
    gate,
  ],
  [{ ...iteration, became: "rework", cause }, "Iteration 3: F1 is to be done again: one. Go on?", gate],
  [{ ...iteration, became: "shelved", cause: null }, "Iteration 3: F1 is in the inbox. Go on?", gate],
  [{ ...iteration, became: "shelved", cause }, "Iteration 3: F1 is in the inbox: one. Go on?", gate],
  [
    { about: "done", proved: 2, reviewed: 1 },
    "2 features are proved, 1 is reviewed, and every check is green. Is it done?",
    gate,
  ],
  [{ about: "done", proved: 0, reviewed: 2 }, "2 are reviewed, and every check is green. Is it done?", gate],
  [
    { about: "contract-rejected", reason: "Too much." },
    "Not agreed to: Too much.",
    'Change what is asked for: loop continue --intent replace "…"; or give it up: loop cancel',
  ],
  [
    { about: "agent", failure: "authentication", text: "401" },
    "The agent is not logged in. 401",
    "Log in to the agent, then: loop continue",
  ],
  [
    { about: "no-plan", said: null },
    "The planner could not make a plan: it named no feature",
    "Say more: loop continue --intent append …",
  ],
  [
    { about: "question", feature: F1, question: "Which?", waiting: 1 },
    "A question waits: Which?",
    'loop answer F1 "…"',
  ],
  [{ about: "question", feature: null, question: "Which?", waiting: 2 }, "2 questions wait.", 'loop answer "…"'],
  [{ about: "request-changed" }, "The request was changed.", "loop continue"],
])("%o", (need, sentence, next) => {
  expect([needSentence(need), needNext(need, "Add a() to src/a.js.")]).toEqual([sentence, next]);
});

test.each([
  ["Add a() to src/a.js.", "loop cancel && loop 'Add a() to src/a.js.'"],
  ["Complete the features in docs/FEATURES.json.", "loop cancel && loop run"],
])("an agent that cannot be used is corrected, and the same is asked for again: %s", (request, again) => {
  expect(needNext({ about: "agent", failure: "misconfigured", text: "ENOENT" }, request)).toBe(
    `Correct the agent's settings in loop.yaml, then: ${again}`,
  );
});

test.each<[Trip, string]>([
  [{ breaker: "nothing-changed", times: 2 }, "Nothing changed in 2 iterations in a row."],
  [{ breaker: "same-criteria-unmet", times: 5 }, "No further criterion was met 5 times in a row."],
  [{ breaker: "same-error", times: 3, error: "e", isVaried: false }, "The same error 3 times in a row: e"],
  [
    { breaker: "same-error", times: 3, error: "no-result: It left no reply.", isVaried: false },
    "The same error 3 times in a row: It left no reply.",
  ],
  [
    { breaker: "same-error", times: 6, error: "e", isVaried: true },
    "6 sessions in a row brought no reply, the last one: e",
  ],
  [
    { breaker: "still-failing-to-reach", times: 50, error: "e" },
    "The agent could not be reached in 50 tries in a row: e",
  ],
  [{ breaker: "same-file-edited", path: "src/a.js", times: 5 }, "One session edited src/a.js 5 times."],
  [{ breaker: "must-not", cause }, "one\ntwo"],
  [
    { breaker: "destructive-action", command: "git push", why: "No.", others: 2 },
    "A session tried this and was refused: git push\nNo. It tried 2 more. Nothing came of it, and its work is kept.",
  ],
])("%o", (trip, sentence) => {
  expect(tripSentence(trip)).toBe(sentence);
});

test.each<[Cause["frame"], string, string]>([
  [undefined, "found", "found"],
  [{ is: "session", failure: "crashed" }, "exit 1", "The session crashed. exit 1"],
  [{ is: "nothing-changed" }, "", "The agent said it was done, and nothing had changed."],
  [{ is: "rejected" }, "Too slow.", "A person rejected it: Too slow."],
  [{ is: "unproved" }, "", "It is not proved: Nothing shows that it does what was asked."],
  [{ is: "unproved" }, "No new test.", "It is not proved: No new test."],
  [
    { is: "must-not", broken: "no new dependency" },
    "It adds one.",
    "A must-not became true: no new dependency\nIt adds one.",
  ],
  [{ is: "verdict", unmet: ["It prints."] }, "", "Not met: It prints."],
  [{ is: "rewrote", tests: ["a", "b"], isAgainst: true }, "", "Protected tests were rewritten: a, b"],
  [
    { is: "rewrote", tests: ["a"], isAgainst: false },
    "",
    "The change rewrote protected files, and that is the only objection: a",
  ],
  [{ is: "asks", tests: ["a"] }, "", "It needs to change protected tests: a."],
  [{ is: "refused", tests: ["a"] }, "No.", "These tests must stay as they are: No. (a)"],
  [{ is: "allowed", tests: ["a"], by: "Pat" }, "", "Pat allowed these tests to change: a. Continue with the feature."],
  [
    { is: "conflict", files: ["a.js"], by: null },
    "",
    "A person accepted it, but the same lines have changed since: a.js",
  ],
])("%o of %s", (frame, text, sentence) => {
  expect(causeText({ kind: "check-red", key: "k", text, ...(frame === undefined ? {} : { frame }) })).toBe(sentence);
});
